"""The model keeps the documentation's rules, each shown by a small program."""

import unittest

from model import Model
from values import Refusal, parse_item

TYPES = {"p": "S", "r": "N", "g": "S", "s": "N"}
CREATE = {"do": "create", "table": "T", "types": TYPES, "hash": "p", "range": "r",
          "global": [{"name": "ByG", "hash": "g", "range": "s", "projection": ["KEYS_ONLY"]}],
          "local": [{"name": "LocalS", "hash": "p", "range": "s", "projection": ["INCLUDE", "a"]}]}
INVALID = "ValidationException"
CANCELLED = "TransactionCanceledException"


def text(content):
    return {"S": content}


def number(content):
    return {"N": str(content)}


def key(r=1, p="k"):
    return {"p": text(p), "r": number(r)}


def put(r=1, **attributes):
    return {"do": "put", "table": "T", "item": {**key(r), **attributes}}


def update(clauses, r=1, **more):
    return {"do": "update", "table": "T", "key": key(r), "update": clauses, **more}


def query(**more):
    return {"do": "query", "table": "T", "hash": "p", "range": "r", "hash_value": text("k"), **more}


def value(wire):
    return {"value": wire}


class ModelCase(unittest.TestCase):
    def setUp(self):
        self.model = Model()
        self.model.apply(CREATE)

    def after(self, *steps):
        """The answer to the last step, or what refuses it: the kind and the reasons' codes."""
        self.setUp()
        for step in steps[:-1]:
            self.model.apply(step)
        try:
            return self.model.apply(steps[-1])
        except Refusal as refusal:
            codes = [code for code, _ in refusal.reasons or []]
            return (refusal.kind, *codes)

    def item_after(self, *steps):
        self.after(*steps)
        item = self.model.apply({"do": "get", "table": "T", "key": key()})["item"]
        return None if item is None else {
            name: kept for name, kept in item.items() if name not in ("p", "r")}

    def holds(self, condition, **attributes):
        step = {"do": "delete", "table": "T", "key": key(), "condition": condition}
        return isinstance(self.after(put(**attributes), step), dict)


class Conditions(ModelCase):
    def test_conditions_hold_or_fail_as_documented(self):
        a, gone = {"path": ["a"]}, {"path": ["gone"]}
        rows = [
            ("numbers compare by value", True, ["=", a, value(number("1.0"))], number(1)),
            ("numbers have an order", True, ["<", a, value(number(10))], number(9)),
            ("text is ordered by its bytes", True, [">", a, value(text("\uffee"))],
             text("\U00010348")),
            ("types never compare", False, ["<", a, value(text("z"))], number(1)),
            ("nothing equals nothing", False, ["=", gone, value(number(1))], number(1)),
            ("nothing differs from a value", True, ["<>", gone, value(number(1))], number(1)),
            ("sets have no order of members", True, ["=", a, value({"SS": ["y", "x"]})],
             {"SS": ["x", "y"]}),
            ("bounds belong to the range", True,
             ["between", a, value(number(1)), value(number(2))], number(2)),
            ("one of a list", True, ["in", a, [value(number(3)), value(number(1))]], number(1)),
            ("a prefix", True, ["begins_with", a, value(text("ab"))], text("abc")),
            ("a part of a text", True, ["contains", a, value(text("b"))], text("abc")),
            ("a member of a set", True, ["contains", a, value(number(1))], {"NS": ["1.0", "2"]}),
            ("an element of a list", False, ["contains", a, value(number(3))], {"L": [number(1)]}),
            ("a type", True, ["attribute_type", a, value(text("NULL"))], {"NULL": True}),
            ("a size", True, ["=", {"size": ["a"]}, value(number(2))], {"L": [text(""), text("")]}),
            ("a size in units of UTF-16", True, ["=", {"size": ["a"]}, value(number(3))],
             text("é\U0001d11e")),
            ("a number has no size", False, [">=", {"size": ["a"]}, value(number(0))], number(1)),
            ("a nested path", True, ["attribute_exists", {"path": ["a", "x", 1]}],
             {"M": {"x": {"L": [number(1), number(2)]}}}),
        ]
        for claim, wanted, condition, content in rows:
            with self.subTest(claim):
                self.assertEqual(self.holds(condition, a=content), wanted)
                self.assertEqual(self.holds(["not", condition], a=content), not wanted)

    def test_conditions_that_make_no_sense_are_refused(self):
        a = {"path": ["a"]}
        rows = [
            ("an order of lists", ["<", a, value({"L": []})]),
            ("bounds the wrong way round", ["between", a, value(number(2)), value(number(1))]),
            ("bounds of two types", ["between", a, value(number(2)), value(text("z"))]),
            ("an unknown type", ["attribute_type", a, value(text("X"))]),
            ("a prefix that is a number", ["begins_with", a, value(number(1))]),
            ("a path that contains itself", ["contains", a, a]),
            ("an empty set", ["=", a, value({"SS": []})]),
            ("a number of 39 digits", ["=", a, value(number("1" * 39))]),
        ]
        for claim, condition in rows:
            with self.subTest(claim):
                step = {"do": "delete", "table": "T", "key": key(), "condition": condition}
                self.assertEqual(self.after(step), (INVALID,))


class Updates(ModelCase):
    def test_updates_change_items_as_documented(self):
        rows = [
            ("a sum", {"set": [[["a"], ["+", {"path": ["a"]}, value(number("0.2"))]]]},
             number("0.1"), number("0.3")),
            ("a substitute", {"set": [[["a"], {"if_not_exists": [["gone"], value(text("x"))]}]]},
             number(1), text("x")),
            ("lists joined", {"set": [[["a"], {"list_append": [value({"L": [number(0)]}),
                                                              {"path": ["a"]}]}]]},
             {"L": [number(1)]}, {"L": [number(0), number(1)]}),
            ("an element beyond the end", {"set": [[["a", 9], value(number(2))]]},
             {"L": [number(1)]}, {"L": [number(1), number(2)]}),
            ("removed elements are counted before", {"remove": [["a", 0], ["a", 1]]},
             {"L": [number(1), number(2), number(3)]}, {"L": [number(3)]}),
            ("a nested attribute", {"set": [[["a", "x"], value(number(1))]]},
             {"M": {}}, {"M": {"x": number(1)}}),
            ("members added", {"add": [[["a"], {"NS": ["2", "3"]}]]},
             {"NS": ["1", "2"]}, {"NS": ["1", "2", "3"]}),
            ("the last member gone", {"delete": [[["a"], {"NS": ["1"]}]]}, {"NS": ["1.0"]}, None),
        ]
        for claim, clauses, before, after in rows:
            with self.subTest(claim):
                wanted = {} if after is None else parse_item({"a": after})
                self.assertEqual(self.item_after(put(a=before), update(clauses)), wanted)

    def test_what_only_takes_away_makes_no_item(self):
        for clauses in ({"remove": [["a"]]}, {"remove": [["a", "x"]]}, {"remove": [["a", 0]]},
                        {"delete": [[["a"], {"SS": ["x"]}]]},
                        {"remove": [["b"]], "delete": [[["a"], {"SS": ["x"]}]]}):
            with self.subTest(clauses):
                self.assertIsNone(self.item_after(update(clauses)))

    def test_updates_that_do_not_fit_are_refused_and_change_nothing(self):
        rows = [
            ("no parent", {"set": [[["gone", "x"], value(number(1))]]}),
            ("no map", {"remove": [["a", "x"]]}),
            ("39 digits", {"set": [[["b"], ["+", value(number("1e38")), value(number("0.1"))]]]}),
            ("no number", {"set": [[["b"], ["+", {"path": ["a"]}, value(number(1))]]]}),
            ("nothing there", {"set": [[["b"], {"path": ["gone"]}]]}),
            ("lists joined in one that is joined", {"set": [[["b"], {"list_append": [
                {"list_append": [value({"L": []}), value({"L": []})]}, value({"L": []})]}]]}),
            ("lists joined in the substitute of one", {"set": [[["b"], {"list_append": [
                {"if_not_exists": [["gone"], {"list_append": [value({"L": []}),
                                                              value({"L": []})]}]},
                value({"L": []})]}]]}),
            ("no list", {"set": [[["b"], {"list_append": [{"path": ["a"]}, {"path": ["a"]}]}]]}),
            ("another type of set", {"add": [[["a"], {"NS": ["1"]}]]}),
            ("one path inside another", {"set": [[["a"], value(number(1))]],
                                         "remove": [["a", "x"]]}),
            ("a key", {"set": [[["r"], value(number(1))]]}),
            ("an index key of another type", {"set": [[["g"], value(number(1))]]}),
        ]
        for claim, clauses in rows:
            with self.subTest(claim):
                self.assertEqual(self.after(put(a=text("x")), update(clauses)), (INVALID,))
                self.assertEqual(self.model.apply({"do": "get", "table": "T", "key": key()}),
                                 {"item": parse_item({**key(), "a": text("x")})})

    def test_an_update_makes_an_item_unless_it_only_removes(self):
        self.assertEqual(self.item_after(update({"add": [[["a"], number(1)]]})),
                         parse_item({"a": number(1)}))
        self.assertEqual(self.item_after({"do": "update", "table": "T", "key": key()}), {})
        self.assertIsNone(self.item_after(update({"remove": [["a"]]})))

    def test_only_what_changed_is_returned_where_that_is_asked_for(self):
        clauses = {"set": [[["a", "x"], value(number(2))]], "remove": [["b"]]}
        before = put(a={"M": {"x": number(1), "y": number(5)}}, b=text("x"))
        rows = [("UPDATED_OLD", {"a": {"M": {"x": number(1)}}, "b": text("x")}),
                ("UPDATED_NEW", {"a": {"M": {"x": number(2)}}}), ("NONE", None)]
        for wanted, attributes in rows:
            with self.subTest(wanted):
                answer = self.after(before, update(clauses, **{"return": wanted}))
                self.assertEqual(answer, {"attributes": attributes and parse_item(attributes)})

    def test_what_a_changed_list_returns_is_what_has_the_index_then(self):
        before = put(a={"L": [number(1), number(2), number(3)]})
        rows = [
            ("UPDATED_OLD", {"remove": [["a", 1], ["a", 9]]}, {"L": [number(2)]}),
            ("UPDATED_NEW", {"remove": [["a", 1]]}, {"L": [number(3)]}),
            ("UPDATED_NEW", {"set": [[["a", 1], value(number(7))]]}, {"L": [number(7)]}),
            ("UPDATED_NEW", {"set": [[["a", 9], value(number(7))]]}, None),
        ]
        for wanted, clauses, kept in rows:
            with self.subTest(wanted, clauses=clauses):
                answer = self.after(before, update(clauses, **{"return": wanted}))
                self.assertEqual(answer["attributes"], kept and parse_item({"a": kept}))


class Transactions(ModelCase):
    FAILS = {"do": "check", "table": "T", "key": key(7),
             "condition": ["attribute_exists", {"path": ["p"]}]}

    def test_a_transaction_happens_whole_or_tells_why_not(self):
        bad_update = update({"set": [[["gone", "x"], value(number(1))]]}, r=3)
        bad_index = put(4, g=number(1))
        rows = [
            ("a failed condition", [put(), self.FAILS], (CANCELLED, "None",
                                                         "ConditionalCheckFailed")),
            ("an update that does not fit", [bad_update, put()],
             (CANCELLED, "ValidationError", "None")),
            ("an index key that does not fit", [put(), bad_index],
             (CANCELLED, "None", "ValidationError")),
            ("one item twice", [put(), update({"remove": [["a"]]})], (INVALID,)),
            ("an empty key", [{**put(), "item": {"p": text(""), "r": number(1)}}], (INVALID,)),
        ]
        for claim, writes, wanted in rows:
            with self.subTest(claim):
                step = {"do": "transact_write", "writes": writes}
                self.assertEqual(self.after(step), wanted)
                self.assertEqual(self.model.tables["T"].items, {})

    def test_a_token_makes_a_transaction_happen_once(self):
        add = update({"add": [[["c"], number(1)]]})
        step = {"do": "transact_write", "writes": [add], "token": "t"}
        self.assertEqual(self.item_after(step, step), parse_item({"c": number(1)}))
        other = {**step, "writes": [put()]}
        self.assertEqual(self.after(step, other), ("IdempotentParameterMismatchException",))


class Faults(ModelCase):
    def test_the_whole_request_is_checked_before_any_table_is_looked_for(self):
        missing = "ResourceNotFoundException"
        gone, here = {"table": "Gone", "key": key()}, {"table": "T", "key": key()}
        overlap = {"projection": [["a"], ["a"]]}
        nonsense = {"condition": ["<", {"path": ["a"]}, value({"L": []})]}
        rows = [
            ("a batch's projection", INVALID, {"do": "batch_get", "reads": {
                "Gone": {"keys": [key()]}, "T": {"keys": [key()], **overlap}}}),
            ("keys that are repeated", INVALID, {"do": "batch_get", "reads": {
                "Gone": {"keys": [key(1), key("1.0")]}}}),
            ("a batch's table", missing, {"do": "batch_get", "reads": {
                "Gone": {"keys": [{}]}, "T": {"keys": [key()]}}}),
            ("a batch's value", INVALID, {"do": "batch_write", "writes": [
                {"do": "delete", **gone}, put(a={"SS": []})]}),
            ("repeated writes of another table", missing, {"do": "batch_write", "writes": [
                put(), put(), {"do": "delete", **gone}]}),
            ("a condition of a transaction", INVALID, {"do": "transact_write", "writes": [
                {"do": "delete", **gone}, {"do": "delete", **here, **nonsense}]}),
            ("a transaction's table", missing, {"do": "transact_write", "writes": [
                put(), put(), {"do": "delete", **gone}]}),
            ("a projection of a transaction", INVALID, {"do": "transact_get", "reads": [
                gone, {**here, **overlap}]}),
            ("a read's own projection", INVALID, {"do": "get", **gone, **overlap}),
        ]
        for claim, wanted, step in rows:
            with self.subTest(claim):
                self.assertEqual(self.after(step), (wanted,))


class Searches(ModelCase):
    def rows(self, *steps):
        answer = self.after(*steps)
        return answer if isinstance(answer, tuple) else [
            None if row.item is None else int(row.item["r"][1]) for row in answer.rows]

    def test_queries_evaluate_what_their_keys_say_in_order(self):
        puts = [put(r, g=text("x"), s=number(9 - r)) for r in (3, 1, 2)]
        by_g = {"index": "ByG", "hash": "g", "hash_value": text("x"), "range": "s"}
        rows = [
            ("all of a partition", {}, [1, 2, 3]),
            ("backward", {"backward": True}, [3, 2, 1]),
            ("a range", {"range_condition": ["between", number(2), number(9)]}, [2, 3]),
            ("after a key that is not there", {"start": key("1.5")}, [2, 3]),
            ("a filter drops after it counted", {"filter": ["=", {"path": ["s"]},
                                                            value(number(7))]}, [None, 2, None]),
            ("an index by its own order", by_g, [3, 2, 1]),
            ("a filter on a key", {"filter": ["attribute_exists", {"path": ["r"]}]}, (INVALID,)),
            ("a prefix of numbers", {"range_condition": ["begins_with", number(1)]}, (INVALID,)),
            ("everything from a small index", {**by_g, "select": "ALL_ATTRIBUTES"}, (INVALID,)),
            ("a consistent global index", {**by_g, "consistent": True}, (INVALID,)),
        ]
        for claim, more, wanted in rows:
            with self.subTest(claim):
                self.assertEqual(self.rows(*puts, query(**more)), wanted)

    def test_keys_of_several_attributes_are_read_left_to_right(self):
        index = {"name": "ByGS", "hash": "g", "more_hashes": ["s"], "range": "r",
                 "more_ranges": ["p"], "projection": ["ALL"]}
        puts = [{"do": "add_index", "table": "T", "types": TYPES, "index": index},
                *(put(r, g=text("x"), s=number(r % 2)) for r in (3, 1, 2, 5))]
        by_g = {"index": "ByGS", "hash": "g", "hash_value": text("x"), "range": "r"}
        odd = {**by_g, "equals": {"s": number(1)}}
        third = {**odd, "equals": {"s": number(1), "r": number(3)}, "range": "p"}
        rows = [
            ("all hash attributes", odd, [1, 3, 5]),
            ("backward", {**odd, "backward": True}, [5, 3, 1]),
            ("a range on the first", {**odd, "range_condition": [">", number(1)]}, [3, 5]),
            ("a range on the second", {**third, "range_condition": ["<=", text("k")]}, [3]),
            ("equality on the first alone", third, [3]),
            ("a hash attribute too few", by_g, (INVALID,)),
            ("the second without the first",
             {**odd, "range": "p", "range_condition": ["=", text("k")]}, (INVALID,)),
            ("an attribute of another key", {**odd, "equals": {"s": number(1), "a": text("k")}},
             (INVALID,)),
        ]
        for claim, more, wanted in rows:
            with self.subTest(claim):
                self.assertEqual(self.rows(*puts, query(**more)), wanted)
        self.assertEqual(self.rows(*puts, put(7, g=text("x")), query(**odd)), [1, 3, 5])

    def test_items_without_an_index_key_are_not_in_the_index(self):
        scan = {"do": "scan", "table": "T", "index": "ByG"}
        puts = [put(1, g=text("x")), put(2, g=text("x"), s=number(1), a=text("y"))]
        self.assertEqual(self.rows(*puts, scan), [2])
        self.assertNotIn("a", self.after(*puts, scan).rows[0].item)

    def test_a_projection_keeps_the_shape_of_what_it_leaves(self):
        item = put(a={"M": {"x": {"L": [number(1), number(2), number(3)]}, "y": number(4)}})
        step = {"do": "get", "table": "T", "key": key(), "projection": [
            ["a", "x", 2], ["gone"], ["a", "x", 0]]}
        self.assertEqual(self.after(item, step)["item"], parse_item(
            {"a": {"M": {"x": {"L": [number(1), number(3)]}}}}))


if __name__ == "__main__":
    unittest.main()
