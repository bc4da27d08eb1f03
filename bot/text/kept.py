"""What was made, kept for as long as it may be asked for, and never more than so much of it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerObject(Generic[T]):
    """Results by the object they were made of, which need not be hashable; the newest `most` are kept.

    The object must not change. It is held, so that no other can get its identity meanwhile.
    """

    def __init__(self, most: int = 512) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[int, Hashable], tuple[object, T]] = OrderedDict()

    def get(self, of: object, key: Hashable, make: Callable[[], T]) -> T:
        """The result for `of` and `key`, made where it is not known."""
        at = (id(of), key)
        known = self._kept.get(at)
        if known is not None:
            return known[1]
        made = make()
        self._kept[at] = of, made
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return made


class Once(Generic[T]):
    """Results made ahead of time, each given out once; of those not asked for the newest `most` are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()

    def keep(self, key: Hashable, made: T) -> None:
        self._kept[key] = made
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def take(self, key: Hashable) -> T | None:
        return self._kept.pop(key, None)
