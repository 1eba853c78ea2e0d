"""Rows as no program should write them: one attribute is missing or something else."""

import base64

ODD = (None, {"S": ""}, {"S": "x"}, {"S": "x" * 3000}, {"S": "9999-12-31T23:59:59Z"},
       {"N": "9e37"}, {"N": "-9e37"}, {"N": "-1"}, {"N": "1.5"}, {"N": "9223372036854775807"},
       {"NULL": True}, {"BOOL": True}, {"B": base64.b64encode(b"\xff\x00").decode()},
       {"SS": ["a"]}, {"M": {}}, {"L": []}, {"L": [{"N": "1"}]}, {"L": [{"M": {}}]})
DEPTH_MAX = 3


def odd_rows(row, keys):
    """(what is odd, the row with that) for every attribute but `keys`, also inside of maps and
    of the first map of a list."""
    for path, changed in _changed(row, keys, 1):
        yield path, changed


def _changed(item, kept, depth):
    for name, value in item.items():
        if name in kept:
            continue
        for odd in ODD:
            others = {other: item[other] for other in item if other != name}
            yield f"{name} {odd}"[:100], others if odd is None else {**others, name: odd}
        kind, inside = next(iter(value.items()))
        if depth < DEPTH_MAX and kind == "M":
            for path, changed in _changed(inside, (), depth + 1):
                yield f"{name}.{path}", {**item, name: {"M": changed}}
        if depth < DEPTH_MAX and kind == "L" and inside and "M" in inside[0]:
            for path, changed in _changed(inside[0]["M"], (), depth + 1):
                yield f"{name}[0].{path}", {**item, name: {"L": [{"M": changed}, *inside[1:]]}}
