#!/usr/bin/env python3
"""Each rule must catch a bad file, and leave a good one alone."""

import json
import tempfile
import unittest
from pathlib import Path

import cpp_text
import headers
import rules
import tidy

LONG_BODY = "    f();\n" * 70 + "}\n"
TABLE = '        {"a", 1},\n' * 100

# rule, path, text
BAD = (
    ("include-direction", "src/base/a.cc", '#include "kv/store.h"\n'),
    ("include-direction", "src/api/a.h", '#pragma once\n#include "app/app.h"\n'),
    ("include-direction", "src/kv/a.cc", '#include "util/a.h"\n'),
    ("include-direction", "src/misc/a.cc", "int a;\n"),
    ("function-length", "src/kv/a.cc", "void f() {\n" + LONG_BODY),
    ("function-length", "src/kv/a_test.cc", "TEST(A, B) {\n" + LONG_BODY),
    ("function-length", "src/kv/a.cc", "struct A {\n    int f() const {\n" + LONG_BODY + "};\n"),
    ("function-length", "src/kv/a.cc", "A::A(int x) : a_{x}, b_{1} {\n" + LONG_BODY),
    ("function-length", "src/kv/a.cc", "A::A() : a_(1) {\n" + LONG_BODY),
    ("function-length", "src/kv/a.cc", "template <class T>\nint f(T t) {\n" + LONG_BODY),
    ("columns", "src/kv/a.cc", "// " + "é" * 98 + "\n"),
    ("columns", "tests/a.py", "#" * 101 + "\n"),
    ("columns", "src/kv/a.cc", "// clang-format off\n// clang-format on\n" + "//" * 51 + "\n"),
    ("banned-call", "src/kv/a.cc", "auto t = std::chrono::system_clock::now();\n"),
    ("banned-call", "src/app/a.cc", "std::random_device d;\n"),
    ("banned-call", "src/kv/a_test.cc", "std::this_thread::sleep_for(1s);\n"),
    ("banned-call", "src/api/a.cc", 'auto p = getenv("HOME");\n'),
    ("one-thread", "src/mime/a_test.cc", "std::thread t{[] { f(); }};\n"),
    ("one-thread", "src/json/a.cc", "static thread_local int a;\n"),
    ("coroutine-rim", "src/table/a.cc", "Task f() { co_return; }\n"),
    ("coroutine-rim", "src/kv/a.cc", "Task f() { co_await g(); }\n"),
    ("coroutine-lambda", "src/http/a.cc", "auto f = [&x](int n) -> Task { co_await x; };\n"),
    ("coroutine-lambda", "src/http/a.cc", "spawn([this] { co_return; });\n"),
    ("coroutine-lambda", "bench/a.cc", "spawn([a = b()]() mutable { if (a) { co_return; } });\n"),
    ("program", "src/app/app.cc", '#include "reminders/program.h"\n'),
    ("program", "src/chat/a.cc", '#include "campaigns/routes.h"\n'),
    ("library", "src/table/a.cc", "#include <rocksdb/db.h>\n"),
    ("library", "src/kv/a.h", "#pragma once\n#include <rocksdb/db.h>\n"),
    ("library", "src/table/a.cc", "#include <boost/asio.hpp>\n"),
    ("library", "src/app/a.cc", "#include <simdjson.h>\n"),
    ("library", "src/api/a.cc", "#include <spdlog/spdlog.h>\n"),
    ("library", "src/base/a.h", "#pragma once\n#include <spdlog/spdlog.h>\n"),
    ("library", "src/api/a.cc", "#include <toml++/toml.h>\n"),
    ("library", "src/api/a.cc", "#include <CLI/CLI.hpp>\n"),
    ("library", "src/kv/a.cc", "#include <prometheus/counter.h>\n"),
    ("machine-path", "docs/a.md", "see /wor" "k/main/src\n"),
    ("machine-path", "tests/package.json", '{"resolved": "https://registry.npm' 'js.org/a"}\n'),
    ("machine-path", "run", "echo http://deb.debia" "n.org\n"),
    ("promise", "src/kv/a.cc", "// TOD" "O: later\n"),
    ("promise", "src/kv/a_test.cc", "GTEST_SKI" "P();\n"),
    ("promise", "docs/a.md", "This is not implemente" "d.\n"),
    ("header-guard", "src/kv/a.h", "int f();\n"),
    ("header-guard", "src/kv/a.h", "// #pragma once\nint f();\n"),
)

GOOD = (
    ("src/api/a.cc", '#include "api/a.h"\n#include "base/b.h"\n#include "table/engine/c.h"\n'),
    ("src/kv/a_test.cc", "TEST(A, B) {\n    const Case cases[] = {\n" + TABLE + "    };\n}\n"),
    ("src/kv/a.cc", "const int numbers[] = {\n" + "    1,\n" * 200 + "};\n"),
    ("src/kv/a.cc", "namespace a {\nclass B {\n" + "    int f();\n" * 200 + "};\n}\n"),
    ("src/kv/a.cc", ("void f() {\n" + "    g();\n" * 60 + "}\n") * 3),
    ("src/kv/a.cc", "A::A() : a_{1} {}\n" + ("void f() {\n" + "    g();\n" * 40 + "}\n") * 2),
    ("src/kv/a.cc", "// clang-format off\n" + "//" * 60 + "\n// clang-format on\n"),
    ("src/kv/a.cc", "// " + "é" * 97 + "\n"),
    ("src/base/a.cc", "auto t = std::chrono::system_clock::now();\nstd::random_device d;\n"),
    ("src/kv/a.cc", '// No sleep_for here, nor system_clock::now.\nauto a = "getenv co_await";\n'),
    ("src/kv/a.cc", 'auto a = R"x(co_await " sleep_for)x";\nauto n = 1\'000;\n'),
    ("src/liquid/a_test.cc", "std::thread t{[] { f(); }};\n"),
    ("src/http/a.cc", "Task f() { co_await g([this] { h(); }); }\n"),
    ("src/http/a.cc", "spawn([]() -> Task { co_return; });\nauto f = [&x] { return x; };\n"),
    ("src/http/a.cc", "Task f() { a[i] = 1; if (a[i]) { co_await g(); } }\n"),
    ("src/http/a.cc", "auto f = [this] { spawn([]() -> Task { co_return; }); };\n"),
    ("bench/a.cc", "#include <rocksdb/db.h>\nvoid f() { sleep_for(1s); }\n"),
    ("src/app/a.cc", "#include <toml++/toml.h>\n#include <CLI/CLI.hpp>\n"),
    ("src/app/programs.h", '#pragma once\n#include "reminders/program.h"\n'),
    ("src/api/a_for_tests.h", '#pragma once\n#include "reminders/routes.h"\n'),
    ("src/reminders/a.cc", '#include "reminders/routes.h"\n'),
    ("src/kv/a.cc", "#include <rocksdb/db.h>\n"),
    ("src/kv/a.h", "#pragma once\nint f();\n"),
    ("docs/a.md", "XXXXXX is replaced. " + "wide " * 40 + "\n"),
)


class Rules(unittest.TestCase):
    def test_each_bad_file_is_caught_by_its_rule_alone(self):
        for rule, path, text in BAD:
            with self.subTest(rule=rule, text=text[:60]):
                caught = rules.check(rules.File(Path(path), text))
                self.assertEqual({violation.rule for violation in caught}, {rule})

    def test_every_rule_has_a_bad_file(self):
        named = {rule for rule, _, _ in BAD}
        self.assertEqual(len(named), len(rules.RULES))

    def test_the_folders_of_one_thread_are_those_of_the_build(self):
        source = Path(__file__).resolve().parents[2] / "src"
        declared = {
            path.parent.name
            for path in source.glob("*/CMakeLists.txt")
            if "ONE_THREAD" in path.read_text()
        }
        self.assertEqual(declared, set(rules.ONE_THREAD))

    def test_good_files_pass(self):
        for path, text in GOOD:
            with self.subTest(text=text[:60]):
                caught = rules.check(rules.File(Path(path), text))
                self.assertEqual([str(violation) for violation in caught], [])


class CppText(unittest.TestCase):
    def test_code_only_keeps_length_and_lines(self):
        text = 'a("x//y", \'"\'); // "\n/* { */ R"(\n{)" 1\'0;\n'
        code = cpp_text.code_only(text)
        self.assertEqual(len(code), len(text))
        self.assertEqual(code.count("\n"), text.count("\n"))
        self.assertNotIn("{", code)
        self.assertNotIn("x", code)
        self.assertIn("1'0;", code)

    def test_functions_are_found_with_their_lines(self):
        text = (
            "#define X(a) {  \\\n    a }\n"
            "namespace n {\nint f(int a) {\n    if (a) {\n        g();\n    }\n    return 2;\n}\n"
            "struct S {\n    S() : a_{1}, b_(2) { g(); }\n    int a_ = 3;\n};\n"
            "TEST(A, B) { auto l = [] { return 1; }; }\n}\n"
        )
        found = [(f.name, f.first_line, f.last_line) for f in cpp_text.functions(text)]
        self.assertEqual(found, [("f", 4, 9), ("S", 11, 11), ("TEST", 14, 14)])


class Tree(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_a_badly_formatted_file_is_caught(self):
        self.write(".clang-format", "BasedOnStyle: Google\nIndentWidth: 4\n")
        self.write("src/kv/good.cc", "int f() { return 1; }\n")
        self.write("src/kv/bad.cc", "int f( ) {return 1;}\n")
        caught = [(violation.path, violation.rule) for violation in tidy.check_tree(self.root)]
        self.assertEqual(caught, [("src/kv/bad.cc", "format")])

    def test_built_and_installed_files_are_left_alone(self):
        self.write("build/release/a.cc", "int f( ) {return 1;}\n")
        self.write("bench/node_modules/a/a.cc", "int f( ) {return 1;}\n")
        self.assertEqual(tidy.check_tree(self.root), [])

    def test_a_header_that_needs_another_is_caught_and_good_ones_are_compiled_once(self):
        self.write("src/kv/good.h", '#pragma once\n#include "kv/part.h"\ninline Part f();\n')
        self.write("src/kv/part.h", "#pragma once\nstruct Part {};\n")
        self.write("src/kv/bad.h", "#pragma once\ninline std::string f();\n")
        self.write("src/kv/built.h", "#pragma once\n")  # The build has compiled it alone.
        self.write("src/kv/built.cc", '#include "kv/built.h"\n')
        build = self.root / "build"
        build.mkdir()
        source = self.root / "src"
        entry = {"file": f"{source}/kv/a.cc", "command": f"ccache c++ -I{source} -o a.o -c a.cc"}
        (build / "compile_commands.json").write_text(json.dumps([entry]))
        failures, compiled = headers.check_headers(self.root, build)
        self.assertEqual([header for header, _ in failures], ["src/kv/bad.h"])
        self.assertEqual(compiled, 3)
        self.write("src/kv/bad.h", "#pragma once\n#include <string>\ninline std::string f();\n")
        self.assertEqual(headers.check_headers(self.root, build), ([], 1))
        self.write("src/kv/part.h", "#pragma once\nstruct Other {};\n")
        failures, compiled = headers.check_headers(self.root, build)
        self.assertEqual([header for header, _ in failures], ["src/kv/good.h"])
        self.assertEqual(compiled, 2)


if __name__ == "__main__":
    unittest.main()
