#!/usr/bin/env python3
"""Which sources batches.py keeps apart."""

import unittest

from batches import batches, own_names, shared_names


def source(body, namespace="mailroom::mime"):
    return f"namespace {namespace} {{\nnamespace {{\n\n{body}\n\n}}  // namespace\n}}\n"


def together(*texts, files_max=9):
    return len(set(batches([own_names(text) for text in texts], set(), files_max))) == 1


class Names(unittest.TestCase):
    def test_the_same_name_for_two_things_keeps_sources_apart(self):
        for body in (
            "bool is_blank(char c) { return c == ' '; }",
            "constexpr std::size_t rows_max = 3;",
            "constexpr Entry entries[] = {\n    {1},\n};",
            "const std::vector<std::string> words{\"a\"};",
            "std::atomic<int> count;",
            "struct Row {\n    int a;\n};",
            "struct Row final : Base {\n};",
            "class Reader {\n};",
            "enum class Kind { a };",
            "using Rows = std::vector<int>;",
            "template <class T>\nResult<T> stored(Result<T> result) {\n}",
        ):
            other = body.replace("int", "long").replace("{ return", "{  return")
            self.assertFalse(together(source(body), source(other + " ")), body)

    def test_sources_that_share_no_name_come_together(self):
        first = source("bool is_blank(char c) { return is_space(c); }")
        for text in (
            source("bool is_space(char c) { return true; }"),
            source("bool is_blank(char c) { return true; }", namespace="mailroom::json"),
            source("// bool is_blank(char c)\nint a;"),
            "namespace mailroom::mime {\nbool is_blank(char c) { return true; }\n}\n",
            source("void Reader::is_blank(char c) {\n    is_blank(c);\n}"),
        ):
            self.assertTrue(together(first, text), text)

    def test_a_using_may_be_repeated_and_not_mean_another_thing(self):
        hours = source("using std::chrono::hours;")
        self.assertTrue(together(hours, hours))
        self.assertFalse(together(hours, source("using other::hours;")))
        self.assertFalse(together(hours, source("int hours = 3;")))


class Batches(unittest.TestCase):
    def test_a_full_batch_takes_no_more(self):
        self.assertEqual(batches([{}, {}, {}, {}, {}], set(), 2), [0, 0, 1, 1, 2])

    def test_a_source_goes_to_the_first_batch_without_its_names(self):
        a, b = {("", "a"): None}, {("", "b"): None}
        self.assertEqual(batches([a, a, b, a | b, b], set(), 9), [0, 1, 0, 2, 1])

    def test_a_source_that_hides_what_a_header_declares_is_alone(self):
        for declared, own, numbers in (
            ("struct Job {", "struct Job {", [0, 1, 0]),
            ("class Job;", "using Job = int;", [0, 1, 0]),
            ("enum class Job { a };", "using enum Job;", [0, 0, 0]),
            ("inline constexpr int rows_max = 3;", "constexpr int rows_max = 4;", [0, 1, 0]),
            ("constexpr int a[] = {", "constexpr int a[] = {", [0, 1, 0]),
            ("int run(int a);", "int run(long a) {", [0, 0, 0]),
        ):
            shared = shared_names(f"namespace mailroom::mime {{\n{declared}\n}}\n")
            names = [own_names(source(body)) for body in ("int x;", own, "int y;")]
            self.assertEqual(batches(names, shared, 9), numbers, declared)


if __name__ == "__main__":
    unittest.main()
