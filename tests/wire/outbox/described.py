"""Compares answers with what docs/openapi.yaml says of them."""

import pathlib

import yaml

_PATH = pathlib.Path(__file__).resolve().parents[3] / "docs" / "openapi.yaml"
_DOCUMENT = yaml.safe_load(_PATH.read_text(encoding="utf-8"))
_TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict,
          "number": (int, float)}


def _resolved(node):
    while "$ref" in node:
        target = _DOCUMENT
        for name in node["$ref"].split("/")[1:]:
            target = target[name]
        node = target
    return node


def _merged(schema):
    """One object schema for all parts of an allOf."""
    properties, required = {}, []
    for part in map(_resolved, schema["allOf"]):
        properties.update(part.get("properties", {}))
        required += part.get("required", [])
    return {"type": "object", "properties": properties, "required": required}


def _object_faults(schema, value, place):
    known = schema.get("properties")
    if known is None:
        return
    for name, member in value.items():
        if name in known:
            yield from faults(known[name], member, f"{place}.{name}")
        elif not schema.get("additionalProperties"):
            yield f"{place}.{name} is not described"
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{place}.{name} is missing"


def faults(schema, value, place=""):
    """What is wrong with a value, one text for each fault."""
    schema = _resolved(schema)
    if "allOf" in schema:
        schema = _merged(schema)
    if "oneOf" in schema:
        tried = [list(faults(choice, value, place)) for choice in schema["oneOf"]]
        if all(tried):
            yield f"{place} is none of its choices: {tried}"
        return
    if value is None:
        if not schema.get("nullable"):
            yield f"{place} is null"
        return
    kind = schema.get("type")
    if kind and (not isinstance(value, _TYPES[kind])
                 or (kind == "integer" and isinstance(value, bool))):
        yield f"{place} is no {kind}: {value!r}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is {value!r}, which is not in the list"
    if kind == "array":
        for index, element in enumerate(value):
            yield from faults(schema["items"], element, f"{place}[{index}]")
    if kind == "object":
        yield from _object_faults(schema, value, place)


def answer_faults(method, route, answer):
    """The same for a whole answer to a request of that route."""
    responses = _DOCUMENT["paths"][route][method.lower()]["responses"]
    if str(answer.status) not in responses:
        return [f"{answer.status} is not described: {answer.body[:200]}"]
    content = _resolved(responses[str(answer.status)]).get("content", {})
    kind = answer.headers["Content-Type"]
    if not content and not answer.body:
        return []
    if kind not in content:
        return [f"{kind} is not described"]
    if kind != "application/json":
        return []
    return list(faults(content[kind]["schema"], answer.json))
