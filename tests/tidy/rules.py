"""What holds for every file of the tree. Each rule yields Violations."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import cpp_text

# A folder of src/ may include itself and those before it.
FOLDERS = (
    "base json kv net table liquid mjml mime smtp schedule program writing people outbox engagement"
    " intake campaigns reminders threads chat affiliates http dynamodb api mcp console app"
).split()
# Where coroutines live; everything else is plain functions.
RIM = ("net", "smtp", "http", "app")

FUNCTION_LINES_MAX = 70
COLUMNS_MAX = 100


@dataclass(frozen=True)
class Violation:
    path: str
    line: int
    rule: str
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.message}"


@dataclass
class File:
    path: Path  # Relative to the root of the tree.
    text: str
    lines: list = field(init=False)

    def __post_init__(self):
        self.lines = self.text.split("\n")

    @property
    def is_cpp(self):
        return self.path.suffix in (".h", ".cc")

    @property
    def is_header(self):
        return self.path.suffix == ".h"

    @property
    def is_test(self):
        return self.path.name.endswith("_test.cc")

    @property
    def folder(self):
        """The folder of src/ that the file is in, or none."""
        parts = self.path.parts
        return parts[1] if len(parts) > 2 and parts[0] == "src" else None

    @cached_property
    def code(self):
        return cpp_text.code_only(self.text)

    def violation(self, line, rule, message):
        return Violation(str(self.path), line, rule, message)


def _matching_lines(pattern, text):
    for found in re.finditer(pattern, text):
        yield cpp_text.line_of(text, found.start()), found


def include_direction(file):
    if not file.is_cpp or file.folder is None:
        return
    if file.folder not in FOLDERS:
        message = f"src/{file.folder} is not in the list of folders"
        yield file.violation(1, "include-direction", message)
        return
    for line, found in _matching_lines(r'(?m)^\s*#\s*include\s+"([^"/]+)/', file.text):
        used = found.group(1)
        if used not in FOLDERS:
            message = f'"{used}/…" is no folder of src/'
        elif FOLDERS.index(used) > FOLDERS.index(file.folder):
            message = f"{file.folder}/ stands below {used}/ and may not include it"
        else:
            continue
        yield file.violation(line, "include-direction", message)


# Each is one folder; a server names it in one line.
PROGRAMS = ("campaigns", "reminders", "threads", "chat", "affiliates")
LIST_OF_PROGRAMS = "src/app/programs.h"
_FOR_TESTS = ("_test.cc", "_for_tests.h", "_in_memory.h", "_fixture.h")


def programs_are_one_folder(file):
    if not file.is_cpp or file.folder is None or file.path.name.endswith(_FOR_TESTS):
        return
    for line, found in _matching_lines(r'(?m)^\s*#\s*include\s+"([^"/]+)/', file.text):
        used = found.group(1)
        if used in PROGRAMS and used != file.folder and str(file.path) != LIST_OF_PROGRAMS:
            message = f"{used}/ is a program: only {LIST_OF_PROGRAMS} includes it"
            yield file.violation(line, "program", message)


def function_length(file):
    if not file.is_cpp:
        return
    for function in cpp_text.functions(file.text):
        body = file.lines[function.first_line - 1 : function.last_line]
        if file.is_test:
            # The rows of a table are data: they may be many.
            body = [line for line in body if not re.match(r"\s*(?:\{.*\},?|R?\"[^;]*)$", line)]
        if len(body) > FUNCTION_LINES_MAX:
            message = f"{function.name} has {len(body)} lines; split it at {FUNCTION_LINES_MAX}"
            yield file.violation(function.first_line, "function-length", message)


def columns(file):
    if file.path.suffix not in (".h", ".cc", ".py", ".cmake", ".sh"):
        return
    by_hand = False  # Tables may be wider where the formatter is off.
    for number, line in enumerate(file.lines, 1):
        if re.match(r"\s*// clang-format (?:on|off)$", line):
            by_hand = line.endswith("off")
        elif len(line) > COLUMNS_MAX and not by_hand:
            yield file.violation(number, "columns", f"{len(line)} columns; {COLUMNS_MAX} at most")


# What is called, which folders may, and what the others use. Outside of src/ all is allowed.
BANNED_CALLS = (
    (r"\bsystem_clock\s*::\s*now\b", ("base",), "take a Clock"),
    (r"\brandom_device\b", ("base",), "take a Random"),
    (r"\bsleep_(?:for|until)\b", ("base",), "wait for an event, or move a ManualClock"),
    (r"\b(?:secure_)?getenv\b", ("app",), "take the value from the configuration"),
)


def banned_calls(file):
    if not file.is_cpp or file.folder is None:
        return
    for pattern, allowed, remedy in BANNED_CALLS:
        if file.folder in allowed:
            continue
        for line, found in _matching_lines(pattern, file.code):
            yield file.violation(line, "banned-call", f"{found.group()}: {remedy}")


# Folders that are ONE_THREAD in their CMakeLists.txt: the thread sanitizer does not run their
# tests.
ONE_THREAD = ("json", "mime", "mjml")
_THREADS = r"\bstd::(?:jthread|thread|async|atomic|mutex|shared_mutex|call_once)\b|\bthread_local\b"


def threads_where_none_are(file):
    if not file.is_cpp or file.folder not in ONE_THREAD:
        return
    for line, found in _matching_lines(_THREADS, file.code):
        message = f"{found.group()}: src/{file.folder} is built as ONE_THREAD"
        yield file.violation(line, "one-thread", message)


def coroutines_at_the_rim(file):
    if not file.is_cpp or file.folder is None or file.folder in RIM:
        return
    for line, found in _matching_lines(r"\bco_(?:await|return|yield)\b", file.code):
        message = f"{found.group()} belongs in {', '.join(RIM)} only"
        yield file.violation(line, "coroutine-rim", message)


def coroutine_lambdas(file):
    if not file.is_cpp:
        return
    for line in cpp_text.capturing_coroutine_lambdas(file.text):
        message = "its captures die before it does: make it a function with parameters by value"
        yield file.violation(line, "coroutine-lambda", message)


@dataclass(frozen=True)
class Library:
    name: str
    include: str  # How its headers begin.
    folders: tuple
    in_headers: bool = False  # Whether users of the folder see it too.


LIBRARIES = (
    Library("RocksDB", "rocksdb/", ("kv",)),
    Library("Boost", "boost/", RIM, in_headers=True),
    Library("simdjson", "simdjson", ("json",)),
    Library("spdlog", "spdlog/", ("base",)),
    Library("toml++", "toml++/", ("app",)),
    Library("CLI11", "CLI/", ("app",)),
    Library("prometheus-cpp", "prometheus/", ("program",)),
    Library("libcurl", "curl/", ("net",)),
    Library("c-ares", "ares", ("net",)),
    Library("gumbo", "gumbo", ("mime",), in_headers=True),
    Library("libidn2", "idn2", ("mime",)),
)


def library_use(file):
    if not file.is_cpp or file.folder is None:
        return
    for line, found in _matching_lines(r'(?m)^\s*#\s*include\s+[<"]([^>"]+)[>"]', file.text):
        for library in LIBRARIES:
            if not found.group(1).startswith(library.include):
                continue
            if file.folder not in library.folders:
                message = f"{library.name} is used in {', '.join(library.folders)} only"
                yield file.violation(line, "library", message)
            elif file.is_header and not library.in_headers:
                message = f"{library.name} stays out of headers"
                yield file.violation(line, "library", message)


# Written so that this file does not match itself.
LEAKS = re.compile(
    r"/wor[k]/(?:main|steering|shared|briefs|\.)|/far[m]/|/hom[e]/\w+/|/roo[t]/\w"
    r"|registry\.npm[j]s\.org|registry\.yarnpk[g]\.com|(?:deb|security)\.debia[n]\.org"
)


def machine_paths(file):
    for line, found in _matching_lines(LEAKS, file.text):
        message = f"{found.group()} is of one machine or registry"
        yield file.violation(line, "machine-path", message)


PROMISES = re.compile(
    r"\bTOD[O]\b|\bFIXM[E]\b|\bXX[X]\b|(?i:\bnot implemente[d]\b|\bunimplemente[d]\b)|GTEST_SKI[P]"
)


def promises(file):
    for line, found in _matching_lines(PROMISES, file.text):
        yield file.violation(line, "promise", f"{found.group()}: do it, or leave it out")


def header_guard(file):
    if file.is_header and "#pragma once" not in file.code:
        yield file.violation(1, "header-guard", "#pragma once is missing")


RULES = (
    include_direction,
    programs_are_one_folder,
    function_length,
    columns,
    banned_calls,
    threads_where_none_are,
    coroutines_at_the_rim,
    coroutine_lambdas,
    library_use,
    machine_paths,
    promises,
    header_guard,
)


def check(file):
    return [violation for rule in RULES for violation in rule(file)]
