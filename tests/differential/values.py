"""Attribute values: from the wire's JSON to what the model computes with, and their rules.

A value is a pair (type, content): a string, a Decimal, bytes, a bool, None, a frozenset of those, a
list of values or a dict of values. Equal values are equal pairs, whatever their spelling was.
"""

import base64
import decimal

NUMBERS = decimal.Context(prec=400, Emax=9999, Emin=-9999, traps=[decimal.InvalidOperation])
NUMBER_DIGITS_MAX = 38
NUMBER_EXPONENT_MAX = 125
NUMBER_EXPONENT_MIN = -130

SETS = {"SS": "S", "NS": "N", "BS": "B"}
ORDERED = ("S", "N", "B")  # The types that have an order, and that keys may have.
TYPES = ("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")


class Refusal(Exception):
    """The service answers with this error. `reasons` are a transaction's: (code, item) each.
    `message` is for people: the model has none."""

    def __init__(self, kind, reasons=None, item=None, message=""):
        super().__init__(kind)
        self.kind = kind
        self.reasons = reasons
        self.item = item
        self.message = message


class Undecided(Exception):
    """The documentation does not say what happens, so no answer can be called wrong."""


def invalid():
    return Refusal("ValidationException")


def number(text):
    """A Decimal without trailing zeros. Refuses what is too large, too small or too precise."""
    return checked(NUMBERS.create_decimal(text))


def checked(value):
    """A number that may be stored, in its shortest form."""
    value = NUMBERS.normalize(value)
    if value == 0:
        return decimal.Decimal(0)
    if not NUMBER_EXPONENT_MIN <= value.adjusted() <= NUMBER_EXPONENT_MAX:
        raise invalid()
    if len(value.as_tuple().digits) > NUMBER_DIGITS_MAX:
        raise invalid()
    return value


def _scalar(kind, content):
    if kind == "N":
        return number(content)
    return base64.b64decode(content, validate=True) if kind == "B" else content


def parse(wire):
    """The value of {"S": …}. Refuses empty sets, members that are equal and bad numbers."""
    (kind, content), = wire.items()
    if kind in SETS:
        members = [_scalar(SETS[kind], each) for each in content]
        if not members or len(set(members)) != len(members):
            raise invalid()
        return kind, frozenset(members)
    if kind == "L":
        return kind, [parse(each) for each in content]
    if kind == "M":
        return kind, parse_item(content)
    if kind == "NULL":
        return kind, None
    return kind, _scalar(kind, content)


def parse_item(wire):
    return {name: parse(value) for name, value in wire.items()}


def order(value):
    """What Python compares as the service orders values of one type: text by its UTF-8 bytes."""
    kind, content = value
    return content.encode() if kind == "S" else content


def size(value):
    """What the function size() gives: a length, or None for a type that has none."""
    kind, content = value
    if kind == "S":
        return len(content.encode("utf-16-le")) // 2  # Units of UTF-16, as seen on AWS.
    return None if kind in ("N", "BOOL", "NULL") else len(content)


def frozen(value):
    """A hashable twin of a value."""
    kind, content = value
    if kind == "L":
        return kind, tuple(frozen(each) for each in content)
    if kind == "M":
        return kind, frozen_item(content)
    return kind, content


def frozen_item(item):
    return frozenset((name, frozen(value)) for name, value in item.items())
