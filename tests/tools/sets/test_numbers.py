"""The set `math`: right figures, and nothing but figures."""

import math
import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import InputError
from bot.tools.sets.expression import Expression, told
from bot.tools.sets.numbers import math_tools
from tests.tools.sets.calling import answer, fault

FIGURES = {
    "-5+3": "-2",
    "2*3^2": "18",
    "2^3^2": "512",
    "2**10": "1024",
    "-2^2": "-4",
    "2^-1": "0.5",
    "1e-3": "0.001",
    "1.5E2": "150",
    "ceil(1.2)": "2",
    "asin(1)": "1.570796",
    "(1+2)!": "6",
    "3!!": "720",
    "7 % 4": "3",
    "80 * 15%": "12",
    "0.1+0.2": "0.3",
    "10/4": "2.5",
    "3 × 4 ÷ 2 − 1": "5",
    "max(1, 2, (3))": "3",
    "log(1000)": "3",
    "log(8, 2)": "3",
    "round(2.5)": "3",
    "round(-1.25, 1)": "-1.3",
    "gcd(12, 18)": "6",
    "1/3": "0.333333",
    "π": "3.141593",
    "12345678901234567890 * 10": "123456789012345678900",
    "1e-9": "1e-09",
    "1_000 * 2": "2000",
}
NONE = [
    "9**9**9",
    "9^9^9^9",
    "999^999",
    "500!",
    "1/0",
    "5 % 0",
    "sqrt(-1)",
    "(-8)^(1/3)",
    "1e400",
    "exp(1000)",
    "log(0)",
    "1+",
    "(1",
    "1)",
    "2 3",
    "",
    "1.5!",
    "sin",
    "sin()",
    "sin(1,2)",
    "x",
    "(" * 100 + "1" + ")" * 100,
    "2^" * 200 + "1",
    "1+" * 600 + "1",
    "9" * 1300,
]
# Python that an evaluator must not run; here it is not even read.
PYTHON = [
    "().__class__.__base__.__subclasses__()",
    "__import__('os').getpid()",
    "sqrt.__self__",
    "[x for x in (1,)]",
    "lambda: 1",
    "f'{1}'",
    "open('x')",
    "1 if 1 else 2",
    "a := 1",
    "max.__globals__",
    "{0.__class__}",
    "exec('1')",
]


@pytest.mark.parametrize(("expression", "value"), FIGURES.items())
async def test_an_expression_has_the_value_that_mathematics_gives_it(expression: str, value: str) -> None:
    assert await answer(math_tools(), "math_calculator", {"expression": expression}) == value


@pytest.mark.parametrize("expression", NONE)
async def test_what_has_no_value_or_none_of_a_sane_size_is_an_error(expression: str) -> None:
    await fault(math_tools(), "math_calculator", {"expression": expression})


@pytest.mark.parametrize("expression", PYTHON)
async def test_python_is_not_an_expression(expression: str) -> None:
    await fault(math_tools(), "math_calculator", {"expression": expression})


async def test_angles_can_be_in_degrees_and_the_decimals_be_chosen() -> None:
    wanted = {"expression": "sin(30) + acos(0)", "degrees": True, "precision": 2}
    assert await answer(math_tools(), "math_calculator", wanted) == "90.5"


@given(st.integers(-999, 999), st.integers(-999, 999), st.integers(1, 999), st.sampled_from("+-*"))
def test_four_numbers_and_their_brackets_come_out_as_they_should(a: int, b: int, c: int, mark: str) -> None:
    works: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
    assert Expression(f"({a}) {mark} ({b}) * {c}").value() == works[mark](a, b * c)
    assert math.isclose(Expression(f"(({a}){mark}({b})) / {c}").value(), works[mark](a, b) / c)


@given(st.text(alphabet="0123456789.+-*/%^!() esincopqrt,", max_size=40))
def test_no_text_breaks_the_calculator(text: str) -> None:
    try:
        told(Expression(text).value(), 6)
    except InputError:
        return


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ({"base": "2", "exponent": "10"}, "1024"),
        ({"base": "2", "exponent": "0.5", "precision": 4}, "1.4142"),
        ({"base": "9", "sqrt": True}, "3"),
        ({"base": "-27", "cbrt": True}, "-3"),
    ],
)
async def test_powers_and_roots(arguments: dict[str, object], value: str) -> None:
    assert await answer(math_tools(), "math_power", arguments) == value


@pytest.mark.parametrize(
    "arguments",
    [
        {"base": "2"},
        {"base": "2", "exponent": "2", "sqrt": True},
        {"base": "-1", "sqrt": True},
        {"base": "x"},
    ],
)
async def test_a_power_that_is_not_said_clearly_is_an_error(arguments: dict[str, object]) -> None:
    await fault(math_tools(), "math_power", arguments)


@pytest.mark.parametrize(
    ("operation", "value"),
    [
        ("sum", "sum = 15"),
        ("mean", "mean = 3.75"),
        ("average", "average = 3.75"),
        ("min", "min = 1"),
        ("max", "max = 6"),
        ("median", "median = 4"),
        ("mode", "Mode: 4"),
        ("stdev", "stdev = 2.06"),
    ],
)
async def test_figures_of_many_numbers(operation: str, value: str) -> None:
    wanted = {"numbers": [1, 4, 4, 6], "operation": operation}
    assert await answer(math_tools(), "math_statistics", wanted) == value


@pytest.mark.parametrize(
    ("value", "source", "target", "told_as"),
    [
        ("100", "km", "mi", "100 km = 62.14 mi"),
        ("72", "F", "C", "72 F = 22.22 C"),
        ("0", "°C", "K", "0 °C = 273.15 K"),
        ("5", "ft", "cm", "5 ft = 152.4 cm"),
        ("1/2", "lb", "g", "0.5 lb = 226.8 g"),
        ("60", "mph", "km/h", "60 mph = 96.56 km/h"),
        ("1", "GiB", "MB", "1 GiB = 1073.74 MB"),
        ("10", "m2", "ft**2", "10 m2 = 107.64 ft**2"),
    ],
)
async def test_a_quantity_is_the_same_in_another_unit(
    value: str, source: str, target: str, told_as: str
) -> None:
    wanted = {"value": value, "from": source, "to": target}
    assert await answer(math_tools(), "math_unit_converter", wanted) == told_as


@pytest.mark.parametrize(
    ("source", "target"),
    [("m", "kg"), ("nonsense", "m"), ("m**999999", "m"), ("", "m"), ("__class__", "m"), ("1", "m")],
)
async def test_units_that_do_not_belong_together_or_are_none_are_an_error(source: str, target: str) -> None:
    await fault(math_tools(), "math_unit_converter", {"value": "1", "from": source, "to": target})
