"""Arithmetic in the usual notation, read by a parser of its own: numbers go in and a number comes out.

There is nothing here that an expression could reach: no names but those of the tables below, no
attributes, no Python. Sizes are bounded before anything is computed.
"""

import math
import re
from collections.abc import Callable
from typing import Final

from bot.errors import InputError

Number = int | float

MAX_TEXT = 1000  # characters
_MAX_DEPTH = 60
_MAX_BITS = 4096  # of a whole number: 1,233 digits
_MAX_FACTORIAL = 450

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*|π)|(?P<mark>\*\*|[-+*/%^!(),]))",
    re.ASCII,
)
_PLAIN: Final = str.maketrans("×·÷−–⁄（），", "**/--/(),")
_CONSTANTS: Final[dict[str, float]] = {"pi": math.pi, "π": math.pi, "e": math.e, "tau": math.tau}


class Expression:
    """One reading of one text; `degrees` is for the angles of sin, cos, tan and their inverses."""

    def __init__(self, text: str, *, degrees: bool = False) -> None:
        if len(text) > MAX_TEXT:
            raise InputError(f"the expression is longer than {MAX_TEXT} characters", field="expression")
        self._tokens = _tokens(text.translate(_PLAIN))
        self._at = 0
        self._depth = 0
        self._functions = _functions(degrees)

    def value(self) -> Number:
        """Compute it. Raises `InputError` for what is no expression, has no value, or is too large."""
        try:
            result = self._sum()
        except ZeroDivisionError:
            raise InputError("division by zero", field="expression") from None
        except OverflowError:
            raise InputError("the numbers get too large", field="expression") from None
        except ValueError as error:
            raise InputError(f"it has no value: {error}", field="expression") from None
        if self._at < len(self._tokens):
            raise InputError(f"{self._peek()!r} is not expected here", field="expression")
        if isinstance(result, float) and not math.isfinite(result):
            raise InputError("the numbers get too large", field="expression")
        return result

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, *marks: str) -> str:
        """The next token if it is one of these, else ""."""
        if (token := self._peek()) in marks and token:
            self._at += 1
            return token
        return ""

    def _sum(self) -> Number:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise InputError("the brackets are too deep", field="expression")
        value = self._product()
        while mark := self._take("+", "-"):
            right = self._product()
            value = _bounded(value + right if mark == "+" else value - right)
        self._depth -= 1
        return value

    def _product(self) -> Number:
        value = self._signed()
        while mark := self._take("*", "/", "%"):
            right = self._signed()
            if mark == "*":
                value = _bounded(value * right)
            else:
                value = _divided(value, right) if mark == "/" else value % right
        return value

    def _signed(self) -> Number:
        """Signs bind looser than powers: -2^2 is -4."""
        negative = False
        while mark := self._take("-", "+"):
            negative ^= mark == "-"
        value = self._power()
        return -value if negative else value

    def _power(self) -> Number:
        base = self._postfixed()
        if not self._take("^", "**"):
            return base
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise InputError("there are too many powers", field="expression")
        exponent = self._signed()  # to the right first: 2^3^2 is 2^9
        self._depth -= 1
        return power(base, exponent)

    def _postfixed(self) -> Number:
        value = self._primary()
        while True:
            if self._take("!"):
                value = _factorial(value)
            elif self._peek() == "%" and not self._begins_value(self._at + 1):
                self._at += 1
                value = value / 100
            else:
                return value

    def _begins_value(self, at: int) -> bool:
        """Whether `%` is followed by a value, so that it is the rest of a division, not a percentage."""
        token = self._tokens[at] if at < len(self._tokens) else ""
        return token == "(" or token[:1].isalnum() or token[:1] in {".", "_"}

    def _primary(self) -> Number:
        token = self._peek()
        if not token:
            raise InputError("the expression ends too early", field="expression")
        self._at += 1
        if token == "(":
            value = self._sum()
            self._close()
            return value
        if token[0].isdigit() or token[0] == ".":
            return _number(token)
        if token in _CONSTANTS and self._peek() != "(":
            return _CONSTANTS[token]
        if token in self._functions:
            return self._called(token)
        known = ", ".join(sorted({*self._functions, *_CONSTANTS}))
        raise InputError(f"{token!r} is not known", field="expression", hint=f"there are {known}")

    def _called(self, name: str) -> Number:
        if not self._take("("):
            raise InputError(f"{name} wants its value in brackets", field="expression")
        values = [self._sum()]
        while self._take(","):
            values.append(self._sum())
        self._close()
        least, most, function = self._functions[name]
        if not least <= len(values) <= most:
            raise InputError(f"{name} takes {least} value(s), not {len(values)}", field="expression")
        return _bounded(function(*values))

    def _close(self) -> None:
        if not self._take(")"):
            raise InputError("a bracket is not closed", field="expression")


def power(base: Number, exponent: Number) -> Number:
    """`base` to the `exponent`, refused before it is computed where it would be too large.

    Raises `InputError`, `OverflowError`, `ZeroDivisionError`, and `ValueError` for a root of a negative.
    """
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        if max(base.bit_length(), 1) * exponent > _MAX_BITS and base not in {-1, 0, 1}:
            raise InputError("the numbers get too large", field="expression")
        return int(base**exponent)
    result = complex(float(base) ** float(exponent))
    if result.imag:
        raise ValueError("a root of a negative number")
    return result.real


def told(value: Number, precision: int) -> str:
    """A number with so many decimals at most; none that are only zeros; tiny ones by their exponent."""
    if isinstance(value, int):
        return str(value)
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if abs(value) >= 1e15 or round(value, precision) == 0:
        return f"{value:.{max(precision, 1)}g}"
    text = f"{value:.{precision}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if found is None:
            raise InputError(f"{text[at:].strip()[:20]!r} can't be read", field="expression")
        tokens.append(found[found.lastgroup or 0])
        at = found.end()
    return tokens


def _number(token: str) -> Number:
    digits = token.replace("_", "")
    if digits.isdigit():
        if len(digits) > 1200:
            raise InputError("a number is too long", field="expression")
        return int(digits)
    return float(digits)


def _divided(left: Number, right: Number) -> Number:
    """Whole where it comes out even, so that large numbers stay exact."""
    if isinstance(left, int) and isinstance(right, int) and right and left % right == 0:
        return left // right
    return left / right


def _factorial(value: Number) -> int:
    if value != int(value) or value < 0:
        raise InputError("only whole numbers from 0 have a factorial", field="expression")
    if value > _MAX_FACTORIAL:
        raise InputError(f"the factorial of more than {_MAX_FACTORIAL} is too large", field="expression")
    return math.factorial(int(value))


def _bounded(value: Number) -> Number:
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise InputError("the numbers get too large", field="expression")
    return value


def _whole(value: Number) -> int:
    if value != int(value):
        raise ValueError("it takes whole numbers only")
    return int(value)


def _rounded(value: Number, digits: Number = 0) -> Number:
    """Half away from zero, as at school; Python's own goes to the even number."""
    scale = 10 ** min(max(_whole(digits), 0), 15)
    whole = math.floor(abs(value) * scale + 0.5)
    result = math.copysign(whole, value) / scale
    return int(result) if scale == 1 else result


def _functions(degrees: bool) -> dict[str, tuple[int, int, Callable[..., Number]]]:
    """Least and greatest count of values, and what is computed."""
    turn = math.radians if degrees else float
    back = math.degrees if degrees else float
    return {
        "sin": (1, 1, lambda x: math.sin(turn(x))),
        "cos": (1, 1, lambda x: math.cos(turn(x))),
        "tan": (1, 1, lambda x: math.tan(turn(x))),
        "asin": (1, 1, lambda x: back(math.asin(x))),
        "acos": (1, 1, lambda x: back(math.acos(x))),
        "atan": (1, 1, lambda x: back(math.atan(x))),
        "log": (1, 2, lambda x, base=10: math.log10(x) if base == 10 else math.log(x, base)),
        "log2": (1, 1, math.log2),
        "ln": (1, 1, math.log),
        "exp": (1, 1, math.exp),
        "sqrt": (1, 1, math.sqrt),
        "cbrt": (1, 1, math.cbrt),
        "abs": (1, 1, abs),
        "floor": (1, 1, math.floor),
        "ceil": (1, 1, math.ceil),
        "round": (1, 2, _rounded),
        "min": (1, 50, min),
        "max": (1, 50, max),
        "gcd": (2, 50, lambda *values: math.gcd(*map(_whole, values))),
        "lcm": (2, 50, lambda *values: math.lcm(*map(_whole, values))),
        "factorial": (1, 1, _factorial),
    }
