"""The driver finds wrong endpoints, shrinks what it found, and accepts right ones."""

import json
import unittest

import generate
from compare import difference
from endpoint import Page
from fake_endpoint import WRONG, FakeEndpoint
from reads import Evaluated, Row
from render import BARE_NAMES, FEW_PARENTHESES, LOWER_CASE, Renderer
from run import NoProgram, expectations, first_difference
from shrink import shrink
from values import Refusal

PROGRAMS_MAX = 400
SHORTEST_STEPS_MAX = 5


def found(endpoint):
    """(program, finding) of the first program on which the endpoint is wrong."""
    for seed in range(PROGRAMS_MAX):
        program = generate.program(f"fake-{seed}", restarts=1)
        finding = first_difference(program, endpoint)
        if finding is not None:
            return program[: finding.step + 1], finding
    raise AssertionError(f"{type(endpoint).__name__} passes {PROGRAMS_MAX} programs")


class Driver(unittest.TestCase):
    def test_every_wrong_endpoint_is_found_and_its_fault_shrunk_to_a_few_steps(self):
        for kind in WRONG:
            with self.subTest(kind.__name__):
                endpoint = kind()
                program, finding = found(endpoint)

                def fails(candidate):
                    try:
                        again = first_difference(candidate, endpoint)
                    except NoProgram:
                        return False
                    return again is not None and again.signature == finding.signature

                shortest = shrink(program, fails)
                self.assertLessEqual(len(shortest), SHORTEST_STEPS_MAX)
                replayed = json.loads(json.dumps(shortest))
                self.assertEqual(first_difference(replayed, endpoint).signature, finding.signature)
                self.assertIsNone(first_difference(replayed, FakeEndpoint()))

    def test_a_right_endpoint_is_never_called_wrong(self):
        endpoint = FakeEndpoint()
        for seed in range(30):
            self.assertIsNone(first_difference(generate.program(seed, restarts=1), endpoint))

    def test_programs_of_one_seed_are_equal_and_have_all_kinds_of_steps(self):
        programs = [generate.program(seed, restarts=1) for seed in range(30)]
        self.assertEqual(programs, [generate.program(seed, restarts=1) for seed in range(30)])
        kinds = {step["do"] for program in programs for step in program}
        self.assertEqual(kinds, {*generate.WEIGHTS, "restart"})
        without = generate.program(1, without=["transact_write"],
                                   avoided=lambda step: "filter" in step)
        self.assertNotIn("transact_write", [step["do"] for step in without])
        self.assertFalse([step for step in without if "filter" in step])

    def test_what_is_no_program_is_refused_before_anything_runs(self):
        create = {"do": "create", "table": "T0", "types": {"p": "S"}, "hash": "p"}
        key = {"p": {"S": "k"}}
        rows = [
            ("an unknown step", {"do": "dance"}),
            ("an empty projection", {"do": "get", "table": "T0", "key": key, "projection": []}),
            ("a path that is a text", {"do": "get", "table": "T0", "key": key,
                                       "projection": ["a"]}),
            ("half a condition", {"do": "delete", "table": "T0", "key": key,
                                  "condition": ["=", {"path": ["a"]}]}),
            ("a value of no type", {"do": "get", "table": "T0", "key": {"p": {}}}),
            ("a question that nobody decided", {
                "do": "delete", "table": "T0", "key": key,
                "condition": ["<>", {"path": ["a"]}, {"path": ["b"]}]}),
        ]
        for claim, step in rows:
            with self.subTest(claim):
                self.assertRaises(NoProgram, expectations, [create, step])


class Shrinker(unittest.TestCase):
    def test_only_what_the_failure_needs_is_left(self):
        noise = [{"do": number, "deep": {"list": [1, 2, {"x": number}]}} for number in range(40)]
        program = noise[:20] + [{"do": "bad", "tree": ["and", ["or", ["needed"], ["b"]], ["c"]],
                                 "more": [1, 2]}] + noise[20:]

        def fails(candidate):
            return any(step.get("do") == "bad" and "needed" in json.dumps(step)
                       for step in candidate)

        self.assertEqual(shrink(program, fails), [{"do": "bad", "tree": ["needed"]}])

    def test_it_gives_up_after_its_attempts(self):
        asked = []
        program = [{"do": number} for number in range(100)]
        left = shrink(program, lambda each: bool(asked.append(each)), attempts=7)
        self.assertEqual((left, len(asked)), (program, 7))


def page(numbers, scanned=None, last=None, limit=None):
    items = [{"r": ("N", number)} for number in numbers]
    return Page(items, len(items), len(items) if scanned is None else scanned,
                None if last is None else {"r": ("N", last)}, limit)


class Comparison(unittest.TestCase):
    def evaluated(self, ordered, backward=False):
        rows = [Row({"r": ("N", number)}, {"r": ("N", number)}) for number in (1, 2, 3)]
        return Evaluated(rows, ordered, False, "r", backward)

    def test_pages_are_right_however_they_are_cut(self):
        rows = [
            [page([1, 2, 3])],
            [page([1, 2], last=2, limit=2), page([3], limit=2)],
            [page([1, 2, 3], last=3, limit=3), page([], limit=3)],
        ]
        for pages in rows:
            for ordered in (True, False):
                self.assertIsNone(difference(self.evaluated(ordered), [pages]))

    def test_pages_with_any_fault_are_found(self):
        rows = [
            ("a lost item", [page([1, 2])]),
            ("an item twice", [page([1, 2, 2])]),
            ("another order", [page([1, 3, 2])]),
            ("a page that ends early", [page([1], last=1, limit=2), page([2, 3], limit=2)]),
            ("a page that is too long", [page([1, 2, 3], limit=2)]),
            ("an end at another key", [page([1, 2], last=1, limit=2), page([3], limit=2)]),
            ("a wrong count of what was evaluated", [page([1, 2, 3], scanned=4)]),
        ]
        for claim, pages in rows:
            with self.subTest(claim):
                self.assertIsNotNone(difference(self.evaluated(True), [pages]))

    def test_a_scan_may_come_in_any_order(self):
        pages = [[page([3, 1])], [page([2])]]
        self.assertIsNone(difference(self.evaluated(False, backward=None), pages))
        self.assertIsNotNone(difference(self.evaluated(False), pages))

    def test_refusals_differ_in_kind_reasons_and_items(self):
        base = Refusal("K", [("None", None)], None, "words")
        self.assertIsNone(difference(base, Refusal("K", [("None", None)], None, "other words")))
        for other in (Refusal("L", [("None", None)]), Refusal("K", [("X", None)]),
                      Refusal("K", [("None", {})]), Refusal("K", [("None", None)], {}), {}):
            self.assertIsNotNone(difference(base, other))
            self.assertIsNotNone(difference(other, base))


class Rendering(unittest.TestCase):
    TREE = ["and", ["or", ["=", {"path": ["a", "name", 0]}, {"value": {"N": "1"}}],
                    ["attribute_exists", {"path": ["b"]}]],
            ["not", ["between", {"size": ["a"]}, {"value": {"N": "1"}}, {"path": ["c"]}]]]

    def test_trees_become_texts_of_one_meaning_in_several_spellings(self):
        rows = [
            (0, "((#a.#name[0] = :v0) OR (attribute_exists(#b))) AND "
                "(NOT (size(#a) BETWEEN :v1 AND #c))"),
            (BARE_NAMES | FEW_PARENTHESES | LOWER_CASE,
             "(a.#name[0] = :v0 or attribute_exists(b)) and not size(a) between :v1 and c"),
        ]
        for style, wanted in rows:
            self.assertEqual(Renderer(style).condition(self.TREE), wanted)

    def test_updates_have_every_clause_once(self):
        update = {"set": [[["a"], ["+", {"path": ["a"]}, {"value": {"N": "1"}}]],
                          [["b"], {"list_append": [{"if_not_exists": [["b"], {"path": ["c"]}]},
                                                   {"value": {"L": []}}]}]],
                  "remove": [["c", 1]], "add": [[["d"], {"N": "1"}]],
                  "delete": [[["e"], {"SS": ["x"]}]]}
        self.assertEqual(Renderer(BARE_NAMES).update(update),
                         "SET a = a + :v0, b = list_append(if_not_exists(b, c), :v1) "
                         "REMOVE c[1] ADD d :v2 DELETE e :v3")


if __name__ == "__main__":
    unittest.main()
