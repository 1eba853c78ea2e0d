"""The DynamoDB request of each step: (operation, members)."""

from render import Renderer
from schema import key_names

INDEX_CLAUSES = {"global": "GlobalSecondaryIndexes", "local": "LocalSecondaryIndexes"}


class Requests:
    """Makes requests. Table names and tokens get a prefix, so that programs do not meet."""

    def __init__(self, prefix):
        self.prefix = prefix

    def of(self, step):
        return getattr(self, "_" + step["do"])(step)

    def table(self, name):
        return self.prefix + name

    def _create(self, step):
        indexes = step.get("global", []) + step.get("local", [])
        members = {"TableName": self.table(step["table"]), "BillingMode": "PAY_PER_REQUEST",
                   "AttributeDefinitions": definitions(step["types"], [step, *indexes]),
                   "KeySchema": key_schema(step)}
        for clause, member in INDEX_CLAUSES.items():
            if step.get(clause):
                members[member] = [described(each) for each in step[clause]]
        if step.get("recorded"):
            members["StreamSpecification"] = {"StreamEnabled": True,
                                              "StreamViewType": "NEW_AND_OLD_IMAGES"}
        return "CreateTable", members

    def _drop(self, step):
        return "DeleteTable", {"TableName": self.table(step["table"])}

    def _add_index(self, step):
        return "UpdateTable", {
            "TableName": self.table(step["table"]),
            "AttributeDefinitions": definitions(step["types"], [step["index"]]),
            "GlobalSecondaryIndexUpdates": [{"Create": described(step["index"])}]}

    def _drop_index(self, step):
        return "UpdateTable", {
            "TableName": self.table(step["table"]),
            "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": step["name"]}}]}

    def _describe(self, step):
        return "DescribeTable", {"TableName": self.table(step["table"])}

    def _list(self, _):
        return "ListTables", {}

    def _get(self, step):
        members = self._read(step)
        if step.get("consistent"):
            members["ConsistentRead"] = True
        return "GetItem", members

    def _put(self, step):
        return "PutItem", self._write(step)

    def _update(self, step):
        return "UpdateItem", self._write(step)

    def _delete(self, step):
        return "DeleteItem", self._write(step)

    def _batch_write(self, step):
        tables = {}
        for each in step["writes"]:
            request = {"PutRequest": {"Item": each["item"]}} if each["do"] == "put" else {
                "DeleteRequest": {"Key": each["key"]}}
            tables.setdefault(self.table(each["table"]), []).append(request)
        return "BatchWriteItem", {"RequestItems": tables}

    def _batch_get(self, step):
        return "BatchGetItem", {"RequestItems": {
            self.table(name): self._batch_read(wanted) for name, wanted in step["reads"].items()}}

    def _batch_read(self, wanted):
        renderer = Renderer(wanted.get("style", 0))
        members = {"Keys": wanted["keys"]}
        if "projection" in wanted:
            members["ProjectionExpression"] = renderer.projection(wanted["projection"])
        return {**members, **renderer.members()}

    def _transact_get(self, step):
        return "TransactGetItems", {
            "TransactItems": [{"Get": self._read(each)} for each in step["reads"]]}

    def _transact_write(self, step):
        kinds = {"put": "Put", "update": "Update", "delete": "Delete", "check": "ConditionCheck"}
        members = {"TransactItems": [{kinds[each["do"]]: self._write(each)}
                                     for each in step["writes"]]}
        if "token" in step:
            members["ClientRequestToken"] = self.prefix + step["token"]
        return "TransactWriteItems", members

    def _query(self, step):
        members, renderer = self._search(step)
        parts = [f"{renderer.path([name])} = {renderer.value(value)}" for name, value in
                 [(step["hash"], step["hash_value"]), *step.get("equals", {}).items()]]
        if "range_condition" in step:
            kind, *bounds = step["range_condition"]
            operands = [{"path": [step["range"]]}, *({"value": each} for each in bounds)]
            parts.append(renderer.condition([kind, *operands]))
        members["KeyConditionExpression"] = " AND ".join(parts)
        if "backward" in step:
            members["ScanIndexForward"] = not step["backward"]
        if "start" in step:
            members["ExclusiveStartKey"] = step["start"]
        return "Query", {**members, **renderer.members()}

    def _scan(self, step):
        members, renderer = self._search(step)
        return "Scan", {**members, **renderer.members()}

    def _search(self, step):
        renderer = Renderer(step.get("style", 0))
        members = {"TableName": self.table(step["table"])}
        if "filter" in step:
            members["FilterExpression"] = renderer.condition(step["filter"])
        if "projection" in step:
            members["ProjectionExpression"] = renderer.projection(step["projection"])
        for name, member in (("index", "IndexName"), ("select", "Select"),
                             ("consistent", "ConsistentRead")):
            if name in step:
                members[member] = step[name]
        return members, renderer

    def _read(self, step):
        renderer = Renderer(step.get("style", 0))
        members = {"TableName": self.table(step["table"]), "Key": step["key"]}
        if "projection" in step:
            members["ProjectionExpression"] = renderer.projection(step["projection"])
        return {**members, **renderer.members()}

    def _write(self, step):
        renderer = Renderer(step.get("style", 0))
        members = {"TableName": self.table(step["table"])}
        if "item" in step:
            members["Item"] = step["item"]
        else:
            members["Key"] = step["key"]
        if step.get("update"):
            members["UpdateExpression"] = renderer.update(step["update"])
        if "condition" in step:
            members["ConditionExpression"] = renderer.condition(step["condition"])
        if "return" in step:
            members["ReturnValues"] = step["return"]
        if "on_failure" in step:
            members["ReturnValuesOnConditionCheckFailure"] = step["on_failure"]
        return {**members, **renderer.members()}


def definitions(types, schemas):
    names = {name for each in schemas for names in key_names(each) for name in names}
    return [{"AttributeName": name, "AttributeType": types[name]} for name in sorted(names)]


def key_schema(each):
    return [{"AttributeName": name, "KeyType": kind}
            for kind, names in zip(("HASH", "RANGE"), key_names(each)) for name in names]


def described(index):
    kind, *included = index["projection"]
    projection = {"ProjectionType": kind}
    if included:
        projection["NonKeyAttributes"] = included
    return {"IndexName": index["name"], "KeySchema": key_schema(index), "Projection": projection}
