#!/usr/bin/env python3
"""Holds the tree to the rules of rules.py and to its format: tidy.py [ROOT]"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import rules

SKIPPED_DIRECTORIES = {".git", "build", "node_modules", "__pycache__", "mailroom-data"}
# Tables of data and other people's words.
SKIPPED_FILES = {"LICENSE", "package-lock.json"}
FILE_BYTES_MAX = 1 << 20  # Larger ones are data.


def files_below(root):
    for directory, names, file_names in os.walk(root):
        names[:] = sorted(name for name in names if name not in SKIPPED_DIRECTORIES)
        for name in sorted(file_names):
            path = Path(directory) / name
            if name in SKIPPED_FILES or path.is_symlink() or path.stat().st_size > FILE_BYTES_MAX:
                continue
            data = path.read_bytes()
            if b"\0" in data:
                continue
            text = data.decode("utf-8", errors="replace")
            yield rules.File(path.relative_to(root), text)


def check_format(root, paths):
    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    if program is None:
        return [rules.Violation(".", 1, "format", "clang-format-14 is not installed")]
    violations = []
    for at in range(0, len(paths), 50):
        command = [program, "--dry-run", "-Werror", *paths[at : at + 50]]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        for line in done.stderr.splitlines():
            if "clang-format-violations" in line:
                path, number = line.split(":")[:2]
                violation = rules.Violation(path, int(number), "format", "run clang-format -i")
                violations.append(violation)
    # One per file is enough to know what to do.
    first = {violation.path: violation for violation in reversed(violations)}
    return list(first.values())


def check_tree(root):
    violations, cpp = [], []
    for file in files_below(root):
        violations += rules.check(file)
        if file.is_cpp:
            cpp.append(str(file.path))
    return violations + check_format(root, cpp)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    violations = check_tree(root)
    for violation in sorted(violations, key=lambda v: (v.path, v.line)):
        print(violation)
    print(f"{len(violations)} violations" if violations else "tidy")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
