"""The set `math`: arithmetic, powers, statistics, units."""

import importlib
import math
import re
import statistics
from functools import lru_cache
from typing import Any, Literal

from pydantic import Field

from bot.domain.functions import Arguments, FunctionToolset, function_tool
from bot.domain.tool import RunContext
from bot.errors import InputError
from bot.tools.sets.expression import Expression, Number, power, told

Decimals = Field(6, ge=0, le=15, description="Decimals of the answer, at most.")
_UNIT = re.compile(r"[A-Za-zµμ°Ω%ÅÀ-ɏ][\w µμ°Ω%Å*/^.()-]{0,63}")
# Short names that people use and pint reads as something else, or not at all.
_USUAL = {
    "c": "degC",
    "f": "degF",
    "k": "kelvin",
    "°c": "degC",
    "°f": "degF",
    "℃": "degC",
    "℉": "degF",
    "in": "inch",
    "mi": "mile",
    "kph": "km/hour",
    "sqm": "m**2",
    "m2": "m**2",
    "m3": "m**3",
    "km2": "km**2",
    "kb": "kilobyte",
    "mb": "megabyte",
    "gb": "gigabyte",
    "tb": "terabyte",
}


class Calculation(Arguments):
    expression: str = Field(
        description="Such as (3+4)*2^10, sqrt(2), sin(30), 5!, 15% * 80, 1e-3. + - * / % ^ ! and brackets; "
        "sin cos tan asin acos atan log (base 10) ln sqrt abs floor ceil round min max; pi, e."
    )
    precision: int = Decimals
    degrees: bool = Field(False, description="Angles are in degrees.")


class Power(Arguments):
    base: str = Field(description="A number or an expression.")
    exponent: str | None = Field(None, description="A number or an expression; not with sqrt or cbrt.")
    sqrt: bool = Field(False, description="Take the square root of base.")
    cbrt: bool = Field(False, description="Take the cube root of base.")
    precision: int = Field(2, ge=0, le=15, description="Decimals of the answer, at most.")


class Statistics(Arguments):
    numbers: list[float] = Field(min_length=1, max_length=10_000)
    operation: Literal["sum", "mean", "average", "min", "max", "median", "mode", "stdev", "variance"]
    precision: int = Field(2, ge=0, le=15, description="Decimals of the answer, at most.")


class Conversion(Arguments):
    value: str = Field(description="A number or an expression.")
    from_: str = Field(alias="from", description="Unit, such as km, mile, kg, lb, degC, degF, GiB, mph, kWh.")
    to: str = Field(description="Unit of the same kind.")
    precision: int = Field(2, ge=0, le=15, description="Decimals of the answer, at most.")


async def calculate(arguments: Calculation, context: RunContext) -> str:
    """The value of an expression."""
    return told(Expression(arguments.expression, degrees=arguments.degrees).value(), arguments.precision)


async def raise_to(arguments: Power, context: RunContext) -> str:
    """A power or a root."""
    chosen = [arguments.exponent is not None, arguments.sqrt, arguments.cbrt]
    if sum(chosen) != 1:
        raise InputError("say one of exponent, sqrt and cbrt", field="exponent")
    base = Expression(arguments.base).value()
    if arguments.exponent is not None:
        return told(power(base, Expression(arguments.exponent).value()), arguments.precision)
    if arguments.sqrt and base < 0:
        raise InputError("a negative number has no square root", field="base")
    return told(math.sqrt(base) if arguments.sqrt else math.cbrt(base), arguments.precision)


async def summarise(arguments: Statistics, context: RunContext) -> str:
    """One figure of many numbers."""
    numbers, operation = arguments.numbers, arguments.operation
    if operation == "mode":
        found = sorted(statistics.multimode(numbers))
        return "Mode: " + ", ".join(told(value, arguments.precision) for value in found)
    if operation in {"stdev", "variance"} and len(numbers) < 2:
        raise InputError(f"{operation} wants two numbers at least", field="numbers")
    value: Number = _FIGURES[operation](numbers)
    return f"{operation} = {told(value, arguments.precision)}"


_FIGURES: dict[str, Any] = {
    "sum": math.fsum,
    "mean": statistics.fmean,
    "average": statistics.fmean,
    "min": min,
    "max": max,
    "median": statistics.median,
    "stdev": statistics.stdev,
    "variance": statistics.variance,
}


async def convert(arguments: Conversion, context: RunContext) -> str:
    """A quantity in another unit."""
    units = _registry()
    value = Expression(arguments.value).value()
    source, target = _unit(units, arguments.from_, "from"), _unit(units, arguments.to, "to")
    try:
        result = float(units.Quantity(float(value), source).to(target).magnitude)
    except (TypeError, ValueError) as error:  # pint's DimensionalityError and OffsetUnitCalculusError
        raise InputError(str(error), field="to") from None
    shown = told(value, 15)
    return f"{shown} {arguments.from_} = {told(result, arguments.precision)} {arguments.to}"


def _unit(units: Any, text: str, field: str) -> Any:
    wanted = text.strip()
    plain = _USUAL.get(wanted.casefold(), wanted) if wanted not in {"K", "F", "C"} else _USUAL[wanted.lower()]
    if not _UNIT.fullmatch(plain):
        raise InputError(f"{text!r} is not a unit", field=field)
    if any(abs(int(number)) > 9 for number in re.findall(r"\d+", plain)):
        raise InputError(f"{text!r} has a power above 9", field=field)
    try:
        return units.parse_units(plain)
    except (AttributeError, ValueError, TypeError, SyntaxError, ArithmeticError):
        raise InputError(f"{text!r} is not a unit that is known", field=field) from None


@lru_cache(maxsize=1)
def _registry() -> Any:
    """The units, read at the first conversion: that takes a third of a second."""
    return importlib.import_module("pint").UnitRegistry(
        on_redefinition="ignore", autoconvert_offset_to_baseunit=True
    )


def math_tools() -> FunctionToolset:
    """Tools that only compute."""
    return FunctionToolset(
        "math",
        [
            function_tool(
                "math_calculator", "Compute an arithmetic expression exactly.", "pure", Calculation, calculate
            ),
            function_tool("math_power", "A power, a square root or a cube root.", "pure", Power, raise_to),
            function_tool(
                "math_statistics",
                "Sum, mean, min, max, median, mode, stdev or variance of numbers.",
                "pure",
                Statistics,
                summarise,
            ),
            function_tool(
                "math_unit_converter",
                "Convert lengths, weights, temperatures, volumes, speeds, data sizes and other units.",
                "pure",
                Conversion,
                convert,
            ),
        ],
    )
