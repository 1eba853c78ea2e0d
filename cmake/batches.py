#!/usr/bin/env python3
"""Says which sources may be compiled as one: batches.py FILES_MAX SOURCE...

Prints the number of a batch for each source, in order. The sources of a batch become one
translation unit, so no two of them may have the same name for something of their own, in an unnamed
namespace. A source goes to the first batch that has room and none of its names: neighbours in the
list, which include much the same, come together. One that has a name of its own for what a header
beside the sources declares is compiled alone: the others may include that header.
"""

import re
import sys
from pathlib import Path

_NAMESPACE = re.compile(r"namespace ([\w:]+) \{")
_NO_NAME = ("namespace", "template", "static_assert", "TEST", "INSTANTIATE")
_USING = re.compile(r"using (?:\w+::)+(\w+);")
_TYPE = re.compile(r"(?:struct|class|enum class|enum|union|using|concept) (\w+)(?: final)?"
                   r"(?= [:={]|;|$)")
_OTHER = re.compile(r"(?![^=({]*\boperator\b)[^=({;]*?(?<![\w:])(\w+)(?:\[\w*\])*(?: ?[=({]|;)")
_CONSTANT = re.compile(r"(?:inline )?const(?:expr)? [^=({;]*?(\w+)(?:\[\w*\])*(?: ?[={])")


def shared_names(text):
    """The types and constants that a header declares. Functions may have one name and differ."""
    names, namespace = set(), ""
    for line in text.splitlines():
        if found := _NAMESPACE.match(line):
            namespace = found.group(1)
        elif found := _TYPE.match(line) or _CONSTANT.match(line):
            names.add((namespace, found.group(1)))
    return names


def own_names(text):
    """What a source names in unnamed namespaces, at the left margin: our layout indents no more.

    Each with its namespace, and with what must be the same in another source: a `using` may be
    repeated, all else may not. Text that only looks like a name costs no more than another batch.
    """
    names, namespace, is_own = {}, "", False
    for line in text.splitlines():
        if found := _NAMESPACE.match(line):
            namespace = found.group(1)
        if line in ("namespace {", "}  // namespace"):
            is_own = line == "namespace {"
        is_using = line.startswith("using ")
        if not (is_own or is_using) or not line[:1].isalpha() or line.startswith(_NO_NAME):
            continue
        if found := _USING.match(line) or _TYPE.match(line) or _OTHER.match(line):
            names[namespace, found.group(1)] = line if is_using else None
    return names


def collide(names, taken):
    return any(name in taken and (same is None or same != taken[name])
               for name, same in names.items())


def batches(sources, shared, files_max):
    """The number of the batch of each source, given by its names and by those of headers."""
    made, answer = [], []
    for names in sources:
        is_alone = any(name in shared and (same is None or " = " in same)
                       for name, same in names.items())
        for number, (count, taken) in enumerate(made):
            if not is_alone and count < files_max and not collide(names, taken):
                break
        else:
            number = len(made)
            made.append((0, {}))
        count, taken = made[number]
        made[number] = (files_max if is_alone else count + 1, taken | names)
        answer.append(number)
    return answer


def main():
    files_max, paths = int(sys.argv[1]), [Path(path) for path in sys.argv[2:]]
    headers = {header for path in paths for header in path.parent.glob("*.h")}
    shared = set().union(*(shared_names(header.read_text()) for header in headers))
    sources = [own_names(path.read_text()) for path in paths]
    print("\n".join(map(str, batches(sources, shared, files_max))))


if __name__ == "__main__":
    main()
