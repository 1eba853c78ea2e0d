"""Holds answers, and requests that were accepted, against what the server says of its routes."""

import datetime
import http.client
import json
import re
import uuid

from jsonschema import Draft202012Validator, FormatChecker, RefResolver

FORMATS = FormatChecker(formats=())
PATH = "/v1/openapi.json"


@FORMATS.checks("date-time", raises=ValueError)
def _is_time(text):
    return not isinstance(text, str) or bool(
        text.endswith("Z") and datetime.datetime.fromisoformat(text[:-1] + "+00:00"))


@FORMATS.checks("date", raises=ValueError)
def _is_day(text):
    return not isinstance(text, str) or bool(datetime.date.fromisoformat(text))


@FORMATS.checks("uuid", raises=ValueError)
def _is_uuid(text):
    return not isinstance(text, str) or str(uuid.UUID(text)) == text


def _without_nulls(value):
    """What is null in a request is as if it were missing."""
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    return value


def _is_only_spelled_otherwise(error):
    """Some names are taken in other spellings, too; the described ones are given back."""
    if error.validator == "anyOf":
        return any(map(_is_only_spelled_otherwise, error.context))
    return error.validator == "enum" and isinstance(error.instance, str)


def _names_with_slashes(methods):
    return {each["name"] for operation in methods.values()
            for each in operation.get("parameters", ()) if each.get("x-slashes")}


def pattern(path, methods):
    long = _names_with_slashes(methods)
    return re.compile(re.sub(r"\{(\w+)\}",
                             lambda found: ".+" if found[1] in long else "[^/]+", path))


def _order(path, methods):
    """A segment that is written out wins over one that may be anything, and that over several."""
    long = _names_with_slashes(methods)
    return (bool(long), -len(path) if long else 0, path.replace("{", "~"))


class Description:
    def __init__(self, document):
        self.document = document
        self.resolver = RefResolver("", document)
        paths = sorted(document["paths"].items(), key=lambda each: _order(*each))
        self.patterns = [(path, pattern(path, methods)) for path, methods in paths]

    @classmethod
    def served_by(cls, server):
        connection = http.client.HTTPConnection(*server.http, timeout=60)
        try:
            connection.request("GET", PATH)
            return cls(json.loads(connection.getresponse().read()))
        finally:
            connection.close()

    def routes(self):
        """Method and path of each route, as the description has them."""
        for path, methods in self.document["paths"].items():
            for method in methods:
                yield method.upper(), path

    def resolved(self, node):
        while "$ref" in node:
            target = self.document
            for name in node["$ref"].split("/")[1:]:
                target = target[name]
            node = target
        return node

    def path_of(self, target):
        """Of the routes that a request goes to; None if there is none."""
        path = target.partition("?")[0]
        return next((known for known, pattern in self.patterns if pattern.fullmatch(path)), None)

    def operation(self, method, target):
        """Of the route that a request goes to; None if there is none."""
        path = self.path_of(target)
        return self.document["paths"][path].get(method.lower()) if path else None

    def unheard(self, transcript, is_wanted):
        """Which of the routes whose paths are wanted a conversation leaves out."""
        heard = {(method, self.path_of(target)) for method, target in transcript.routes}
        return [f"{method} {path}" for method, path in self.routes()
                if is_wanted(path) and (method, path) not in heard]

    def unanswered(self, transcript, is_wanted):
        """The same of the answers that are described: each route's, by their status."""
        heard = {(method, self.path_of(target), str(status))
                 for method, target, status in transcript.statuses}
        missing = []
        for method, path in self.routes():
            statuses = self.document["paths"][path][method.lower()]["responses"]
            missing += [f"{method} {path} {status}" for status in sorted(statuses)
                        if is_wanted(path) and status not in ("default", "503")
                        and (method, path, status) not in heard]
        return missing

    def schema_faults(self, schema, value, is_forgiven=lambda error: False):
        validator = Draft202012Validator(schema, resolver=self.resolver, format_checker=FORMATS)
        return [f"{error.json_path}: {error.message[:300]}"
                for error in validator.iter_errors(value) if not is_forgiven(error)]

    def answer_faults(self, method, target, answer):
        """What of an answer is not as it is described, one text for each fault."""
        operation = self.operation(method, target)
        if operation is None:
            failure = {"$ref": "#/components/schemas/Failure"}
            return self.schema_faults(failure, answer.json) if answer.body else []
        responses = operation["responses"]
        status = str(answer.status)
        if status not in responses and answer.status < 400:
            return [f"{status} is not described: {answer.body[:200]}"]
        content = self.resolved(responses.get(status, responses["default"])).get("content", {})
        if not content:
            return [f"a body is not described: {answer.body[:200]}"] if answer.body else []
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        described = content.get(kind, content.get("*/*"))
        if described is None:
            return [f"{kind} is not described"]
        if kind != "application/json" or "schema" not in described:
            return []
        return self.schema_faults(described["schema"], answer.json)

    def request_faults(self, method, target, body, answer):
        """The same of a request that was accepted."""
        operation = self.operation(method, target)
        if operation is None or answer.status >= 300:
            return []
        asked = re.findall(r"[?&](\w+)=", target)
        known = {each["name"] for each in operation.get("parameters", ())}
        faults = [f"?{name}= is not described" for name in asked if name not in known]
        content = operation.get("requestBody", {}).get("content", {})
        if not body:
            needed = operation.get("requestBody", {}).get("required")
            return faults + (["a body is said to be needed"] if needed else [])
        if "application/json" not in content:
            return faults + ([] if content else ["no body is described"])
        value = _without_nulls(json.loads(body))
        return faults + self.schema_faults(content["application/json"]["schema"], value,
                                           _is_only_spelled_otherwise)

    def faults(self, method, target, body, answer):
        return (self.request_faults(method, target, body, answer)
                + self.answer_faults(method, target, answer))
