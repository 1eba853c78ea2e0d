"""Bodies and requests that no client sends on purpose: a clean refusal, and the server goes on."""

import json
import socket
import unittest
import zlib

import raw_http
from wire_case import WireCase, shared_server

BODY_BYTES_MAX = 16 * 1024 * 1024


class BadRequests(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.new_table(keys=("p",))

    def setUp(self):
        self.connection = raw_http.Connection(shared_server().dynamodb)
        self.addCleanup(self.connection.close)

    def assert_serving(self):
        self.assertTrue(shared_server().alive())
        answer = raw_http.once(shared_server().dynamodb, "PutItem",
                               {"TableName": self.table, "Item": {"p": {"S": "alive"}}})
        self.assertEqual(answer.status, 200)

    def put(self, item_text):
        return f'{{"TableName":"{self.table}","Item":{item_text}}}'.encode()

    def test_bodies_that_are_not_json_are_serialization_errors(self):
        rows = [
            ("nothing", b""), ("truncated", self.put('{"p":{"S":"a"}')[:-3]),
            ("text", b"hello"), ("two values", b"{}{}"), ("trailing comma", b'{"TableName":"a",}'),
            ("invalid UTF-8", self.put('{"p":{"S":"?"}}').replace(b"?", b"\xff\xfe")),
            ("overlong UTF-8", self.put('{"p":{"S":"?"}}').replace(b"?", b"\xc0\xaf")),
            ("surrogate in UTF-8", self.put('{"p":{"S":"?"}}').replace(b"?", b"\xed\xa0\x80")),
            ("raw control character", self.put('{"p":{"S":"\x01"}}')),
            ("an array", b"[]"), ("a number", b"17"), ("null byte", b'{"TableName":"a\x00b"}'),
        ]
        for claim, body in rows:
            with self.subTest(claim):
                answer = self.connection.send("PutItem", body)
                self.assertEqual(answer.status, 400, answer.body)
                self.assertEqual(answer.kind, "SerializationException")
        self.assert_serving()

    def test_members_of_the_wrong_json_type_are_serialization_errors(self):
        rows = [
            ("GetItem", {"TableName": 5, "Key": {"p": {"S": "a"}}}),
            ("GetItem", {"TableName": self.table, "Key": "a"}),
            ("GetItem", {"TableName": self.table, "Key": {"p": "a"}}),
            ("GetItem", {"TableName": self.table, "Key": {"p": {"S": 5}}}),
            ("PutItem", {"TableName": self.table, "Item": {"p": {"S": "a"}, "n": {"N": 5}}}),
            ("PutItem", {"TableName": self.table, "Item": {"p": {"S": "a"}, "l": {"L": {}}}}),
            ("PutItem", {"TableName": self.table, "Item": {"p": {"S": "a"}, "b": {"BOOL": "x"}}}),
            ("Scan", {"TableName": self.table, "Limit": "x"}),
            ("BatchGetItem", {"RequestItems": []}),
        ]
        for operation, body in rows:
            with self.subTest(body):
                answer = self.connection.send(operation, body)
                self.assertEqual(answer.status, 400, answer.body)
                self.assertEqual(answer.kind, "SerializationException")
        self.assert_serving()

    def test_bad_base64_is_refused(self):
        answer = self.connection.send("PutItem", self.put('{"p":{"S":"a"},"b":{"B":"a%b"}}'))
        self.assertEqual(answer.status, 400)
        self.assertIn(answer.kind, ("SerializationException", "ValidationException"))

    def test_duplicate_keys_do_not_store_two_truths(self):
        answer = self.connection.send("PutItem", self.put('{"p":{"S":"d"},"v":{"N":"1"},'
                                                          '"v":{"N":"2"}}'))
        self.assertEqual(answer.status, 400, answer.body)
        self.assertIn(answer.kind, ("SerializationException", "ValidationException"))
        self.assert_serving()

    def test_ten_thousand_levels_are_refused_whatever_they_are_made_of(self):
        depth = 10_000
        rows = [
            ("arrays", b"[" * depth + b"]" * depth),
            ("unclosed arrays", b"[" * depth),
            ("objects", b'{"a":' * depth + b"1" + b"}" * depth),
            ("attribute lists", self.put('{"p":{"S":"a"},"v":' + '{"L":[' * depth +
                                         '{"S":"x"}' + "]}" * depth + "}")),
            ("attribute maps", self.put('{"p":{"S":"a"},"v":' + '{"M":{"m":' * depth +
                                        '{"S":"x"}' + "}}" * depth + "}")),
        ]
        for claim, body in rows:
            with self.subTest(claim):
                answer = raw_http.once(shared_server().dynamodb, "PutItem", body)
                self.assertEqual(answer.status, 400)
                self.assertIn(answer.kind, ("SerializationException", "ValidationException"))
        self.assert_serving()

    def test_expressions_of_ten_thousand_brackets_are_refused(self):
        rows = [("ConditionExpression", "(" * 2000 + "a = b" + ")" * 2000),
                ("ConditionExpression", "NOT " * 1000 + "attribute_exists(a)"),
                ("UpdateExpression", "SET " + "a." * 2000 + "b = c")]
        for member, text in rows:
            with self.subTest(text[:20]):
                answer = self.connection.send("UpdateItem", {
                    "TableName": self.table, "Key": {"p": {"S": "deep"}}, member: text})
                self.assertEqual(answer.status, 400)
                self.assertEqual(answer.kind, "ValidationException")
        statement = f"SELECT * FROM \"{self.table}\" WHERE " + "(" * 3000 + "p = 'a'" + ")" * 3000
        answer = self.connection.send("ExecuteStatement", {"Statement": statement})
        self.assertEqual((answer.status, answer.kind), (400, "ValidationException"))
        self.assert_serving()

    def test_32_levels_are_stored_and_33_are_not(self):
        def nested(depth):
            value = {"S": "x"}
            for _ in range(depth - 1):
                value = {"L": [value]}
            return {"TableName": self.table, "Item": {"p": {"S": "nest"}, "v": value}}
        self.assertEqual(self.connection.send("PutItem", nested(32)).status, 200)
        answer = self.connection.send("PutItem", nested(34))
        self.assertEqual((answer.status, answer.kind), (400, "ValidationException"))
        self.assertIn("Nesting Levels have exceeded supported limits", answer.message)

    def test_a_body_over_16_mb_is_refused_and_the_server_goes_on(self):
        body = self.put('{"p":{"S":"' + "x" * (BODY_BYTES_MAX + 1) + '"}}')
        answer = raw_http.once(shared_server().dynamodb, "PutItem", body)
        self.assertIn(answer.status, (400, 413))
        self.assertIn("__type", answer.json)
        self.assert_serving()

    def test_a_body_announced_but_never_sent_holds_up_nobody(self):
        with socket.create_connection(shared_server().dynamodb, timeout=30) as silent:
            silent.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: "
                           b"DynamoDB_20120810.PutItem\r\nContent-Length: 100\r\n\r\n{")
            self.assert_serving()

    def test_unknown_operations_are_named_so(self):
        rows = [("DynamoDB_20120810.MakeCoffee", "UnknownOperationException"),
                ("DynamoDB_20120810.getitem", "UnknownOperationException"),
                ("Something_20120810.GetItem", "UnknownOperationException"),
                ("nonsense", "UnknownOperationException"), ("", "UnknownOperationException")]
        for target, kind in rows:
            with self.subTest(target):
                answer = self.connection.send(None, b"{}", {"X-Amz-Target": target})
                self.assertEqual((answer.status, answer.kind), (400, kind))
        self.assert_serving()

    def test_other_methods_are_not_taken_for_requests(self):
        for method in ("GET", "PUT", "DELETE"):
            with self.subTest(method):
                answer = raw_http.once(shared_server().dynamodb, "ListTables", b"{}",
                                       method=method)
                self.assertGreaterEqual(answer.status, 400 if method != "GET" else 200)
                self.assertLess(answer.status, 500)
                self.assertNotIn(b"TableNames", answer.body)
        self.assert_serving()

    def test_every_answer_carries_a_request_id_and_the_crc_of_its_body(self):
        for operation, body in (("ListTables", {}), ("GetItem", {}), ("Nothing", {})):
            with self.subTest(operation):
                answer = self.connection.send(operation, body)
                self.assertRegex(answer.headers["x-amzn-requestid"], r"^[A-Z0-9]{52}$")
                self.assertEqual(int(answer.headers["x-amz-crc32"]), zlib.crc32(answer.body))
                self.assertEqual(answer.headers["content-type"], raw_http.JSON_TYPE)
                json.loads(answer.body)

    def test_unicode_escapes_and_pairs_are_one_text(self):
        self.connection.send("PutItem", self.put('{"p":{"S":"esc"},"v":{"S":"\\ud83d\\udcec'
                                                 '\\u00e9\\n\\u0000"}}'))
        answer = self.connection.send("GetItem", {"TableName": self.table,
                                                  "Key": {"p": {"S": "esc"}}})
        self.assertEqual(answer.json["Item"]["v"]["S"], "\U0001f4ec\u00e9\n\x00")
        answer = self.connection.send("PutItem", self.put('{"p":{"S":"half"},'
                                                          '"v":{"S":"\\ud83d"}}'))
        self.assertIn(answer.status, (200, 400))
        self.assert_serving()


if __name__ == "__main__":
    unittest.main()
