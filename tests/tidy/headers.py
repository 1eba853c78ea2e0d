#!/usr/bin/env python3
"""Compiles every header of src/ alone: headers.py ROOT BUILD_DIRECTORY

A header that has not changed, nor anything of ours that it includes, is not compiled again; nor is
one that its own source includes before all else: the build has shown that it needs nothing.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CACHE_NAME = "headers-checked.json"
_INCLUDE = re.compile(r'(?m)^\s*#\s*include\s+"([^"]+)"')


def flags_by_folder(build):
    """How the sources of each directory are compiled, without the parts that name one source."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        while words and not Path(words[0]).name.startswith(("c++", "g++", "clang++")):
            words.pop(0)
        kept, skip = [], False
        for word in words:
            if skip:
                skip = False
            elif word in ("-o", "-MF", "-MT", "-c"):
                skip = True
            elif word != "-MD":
                kept.append(word)
        is_test = entry["file"].endswith("_test.cc")
        folder = Path(entry["file"]).parent
        # A header may need what only the tests of its folder link with.
        if folder not in flags or is_test:
            flags[folder] = kept
    return flags


def digest(header, source, command):
    """Of the header, of ours that it includes, directly or not, and of how it is compiled."""
    seen, waiting = {}, [header]
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file():
            continue
        text = path.read_text(errors="replace")
        seen[path] = hashlib.sha256(text.encode()).hexdigest()
        waiting += [source / name for name in _INCLUDE.findall(text)]
    parts = [*command, *(f"{path}={value}" for path, value in sorted(seen.items()))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def compile_alone(header, source, command):
    line = f'#include "{header.relative_to(source)}"\n'
    full = [*command, "-fsyntax-only", "-x", "c++", "-"]
    done = subprocess.run(full, input=line, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stderr


def is_included_first(header, source):
    """Whether its own source begins with it. Tests hold the build's answer, so that is enough."""
    own = header.with_suffix(".cc")
    if not own.is_file():
        return False
    first = re.search(r"(?m)^\s*#\s*include\s+(\S+)", own.read_text(errors="replace"))
    return bool(first) and first.group(1) == f'"{header.relative_to(source)}"'


def nearest_flags(flags, folder, root):
    while folder not in flags and folder != root:
        folder = folder.parent
    return flags.get(folder)


def check_headers(root, build):
    """(header, error) for each header that does not compile alone, and how many were compiled."""
    source, cache_path = root / "src", build / CACHE_NAME
    flags = flags_by_folder(build)
    cache = json.loads(cache_path.read_text()) if cache_path.is_file() else {}
    todo, good = [], {}
    for header in sorted(source.rglob("*.h")):
        if is_included_first(header, source):
            continue
        command = nearest_flags(flags, header.parent, root)
        command = command or ["c++", "-std=c++20", f"-I{source}"]
        key, value = str(header.relative_to(root)), digest(header, source, command)
        if cache.get(key) == value:
            good[key] = value
        else:
            todo.append((key, value, header, command))
    failures = []
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        jobs = [(key, value, pool.submit(compile_alone, header, source, command))
                for key, value, header, command in todo]
        for key, value, job in jobs:
            if error := job.result():
                failures.append((key, error))
            else:
                good[key] = value
    cache_path.write_text(json.dumps(good, indent=1, sort_keys=True))
    return failures, len(todo)


def main():
    root, build = (Path(argument).resolve() for argument in sys.argv[1:3])
    failures, compiled = check_headers(root, build)
    for header, error in failures:
        print(f"{header} does not compile alone:\n{error}")
    print(f"{compiled} headers compiled, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
