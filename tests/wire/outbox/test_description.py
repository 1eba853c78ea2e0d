"""What the server says of its routes is whole, is what docs/openapi.yaml has, and is shown to
people by a page that loads nothing from elsewhere."""

import json
import pathlib
import re
import unittest

import yaml
from jsonschema import Draft202012Validator

from description import PATH, Description
from outbox_case import OutboxCase

FILE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "openapi.yaml"
METHODS = {"get", "post", "put", "patch", "delete"}
# Without a key: what tells nothing of anybody's data.
FOR_ANYBODY = {"/", "/captured.css", "/captured.js", "/healthz", "/metrics", "/readyz", PATH,
               "/v1/docs", "/v1/docs.css", "/v1/docs.js"}
# Without a key, too: a token in the path or a signature says who may.
FOR_HOLDERS = ("/t/", "/u/", "/unsubscribe", "/preferences/", "/confirm/", "/v1/notifications/")


def nodes(value, place=""):
    """Every object of the document, with its place."""
    if isinstance(value, dict):
        yield place, value
        for name, member in value.items():
            yield from nodes(member, f"{place}/{name}")
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from nodes(element, f"{place}/{index}")


class TheDescription(OutboxCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.described = Description.served_by(cls.server)
        cls.document = cls.described.document

    def operations(self):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield method, path, operation

    def test_is_what_the_file_has(self):
        with open(FILE, encoding="utf-8") as file:
            self.assertEqual(yaml.load(file, yaml.CSafeLoader), self.document)

    def test_is_a_document_of_openapi_3_1(self):
        self.assertRegex(self.document["openapi"], r"^3\.1\.")
        self.assertEqual(set(self.document), {"openapi", "info", "tags", "paths", "components"})
        for name in ("title", "version", "description", "license"):
            self.assertIn(name, self.document["info"])
        tags = [tag["name"] for tag in self.document["tags"]]
        self.assertEqual(len(tags), len(set(tags)))
        for method, path, operation in self.operations():
            with self.subTest(f"{method} {path}"):
                self.assertIn(method, METHODS)
                self.assertEqual([tag for tag in operation["tags"] if tag not in tags], [])
                self.assertTrue(operation["summary"])

    def test_every_reference_leads_somewhere(self):
        referred = set()
        for place, node in nodes(self.document):
            target = node.get("$ref")
            if isinstance(target, str):
                self.assertTrue(self.described.resolved({"$ref": target}), f"{place} {target}")
                referred.add(target)
        for kind in ("schemas", "responses"):
            for name in self.document["components"][kind]:
                self.assertIn(f"#/components/{kind}/{name}", referred)

    def test_operations_have_names_of_their_own(self):
        names = [operation["operationId"] for _, _, operation in self.operations()]
        self.assertEqual(sorted(names), sorted(set(names)))
        for name in names:
            self.assertRegex(name, r"^[a-z][a-z_]*$")

    def test_every_parameter_of_a_path_is_declared(self):
        for method, path, operation in self.operations():
            with self.subTest(f"{method} {path}"):
                parameters = operation.get("parameters", [])
                in_path = [each["name"] for each in parameters if each["in"] == "path"]
                self.assertEqual(sorted(re.findall(r"\{(\w+)\}", path)), sorted(in_path))
                keys = [(each["in"], each["name"]) for each in parameters]
                self.assertEqual(len(keys), len(set(keys)))
                for each in parameters:
                    self.assertIn(each["in"], ("path", "query", "header"))
                    self.assertTrue(each["required"] or each["in"] != "path")
                    self.assertIn("schema", each)

    def test_every_operation_says_who_may_call_it(self):
        schemes = self.document["components"]["securitySchemes"]
        for method, path, operation in self.operations():
            with self.subTest(f"{method} {path}"):
                if path in FOR_ANYBODY or path.startswith(FOR_HOLDERS):
                    self.assertEqual(operation["security"], [])
                    continue
                (wanted,) = operation["security"]
                ((scheme, (scope,)),) = wanted.items()
                self.assertIn(scheme, schemes)
                target = re.sub("[{}]", "", path)
                self.assertEqual(self.ask(method.upper(), target, key=None).status, 401)
                made = self.ask("POST", "/v1/keys", {"name": "n", "scopes": [scope]})
                self.assertEqual(made.status, 201, made.body)

    def test_every_operation_says_how_it_refuses(self):
        for method, path, operation in self.operations():
            with self.subTest(f"{method} {path}"):
                responses = operation["responses"]
                wanted = {"default"}
                if path.startswith(FOR_HOLDERS):
                    wanted.add("400")
                elif path not in FOR_ANYBODY:
                    wanted |= {"400", "401", "403", "503"}
                if "{" in path:
                    wanted.add("404")
                if "requestBody" in operation:
                    wanted.add("413")
                self.assertEqual(wanted - set(responses), set())
                self.assertTrue([status for status in responses if status < "400"])
                for answer in responses.values():
                    self.assertTrue(self.described.resolved(answer)["description"])

    def test_every_schema_is_one(self):
        for place, node in nodes(self.document):
            if "schema" in node and isinstance(node["schema"], dict):
                Draft202012Validator.check_schema(node["schema"])
                self.assertTrue(node["schema"], place)
        for schema in self.document["components"]["schemas"].values():
            Draft202012Validator.check_schema(schema)

    def test_tells_right_from_wrong(self):
        """The validator itself: a wrong answer is found."""
        right = {"items": [], "next": None}
        schema = self.document["paths"]["/v1/emails"]["get"]["responses"]["200"]["content"][
            "application/json"]["schema"]
        self.assertEqual(self.described.schema_faults(schema, right), [])
        for wrong in ({}, {**right, "more": 1}, {"items": [{"id": 7}], "next": None},
                      {"items": {}, "next": 7}):
            self.assertNotEqual(self.described.schema_faults(schema, wrong), [])

    def test_is_for_anybody_and_tells_nothing_of_this_server(self):
        answer = self.ask("GET", PATH, key=None)
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["Content-Type"], "application/json")
        json.loads(answer.body)
        text = answer.body.decode()
        secret = self.ask("GET", "/v1/outbox/callback-secret").json["secret"]
        for kept in (secret, self.server.data, f":{self.server.http[1]}"):
            self.assertNotIn(kept, text)

    def test_the_page_loads_nothing_from_elsewhere(self):
        for path in ("/v1/docs", "/v1/docs.css", "/v1/docs.js"):
            answer = self.ask("GET", path + "?anything=1", key=None)
            self.assertEqual(answer.status, 200, path)
            policy = answer.headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertNotRegex(answer.body.decode(), r"https?://|@import|<script>|innerHTML")


if __name__ == "__main__":
    unittest.main()
