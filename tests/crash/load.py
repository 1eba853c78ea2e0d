"""Write load whose outcome is known: each worker owns its keys and remembers, for every item, which
states it may have. An acknowledged write leaves one state; a write without answer leaves two."""

import http.client
import threading

from table_client import Refused, TableClient

ITEMS = "CrashItems"
GROUPS = 5
KEYS_PER_WORKER = 16
PAIRS_PER_WORKER = 6
PAD_BYTES = (0, 10, 200, 2_000, 40_000)
NO_ANSWER = (OSError, http.client.HTTPException)


def number(value):
    return {"N": str(value)}


class Worker(threading.Thread):
    """Runs until its connection breaks or it is told to stop. `faults` are sentences about answers
    that no correct server gives; `acknowledged` and `in_doubt` count writes."""

    def __init__(self, name, random, expected):
        super().__init__(name=f"worker-{name}", daemon=True)
        self.owner = str(name)
        self.random = random
        self.expected = expected  # Key -> list of possible items; None is absent.
        self.stopping = threading.Event()
        self.address = None
        self.client = None
        self.version = 0
        self.acknowledged = 0
        self.in_doubt = 0
        self.hits_acknowledged = 0
        self.hits_in_doubt = 0
        self.faults = []

    def successor(self, address):
        """A worker for the next life of the server that goes on where this one was."""
        other = Worker(self.owner, self.random, self.expected)
        other.address, other.version = address, self.version
        other.hits_acknowledged, other.hits_in_doubt = self.hits_acknowledged, self.hits_in_doubt
        return other

    def run(self):
        self.client = TableClient(self.address)
        steps = [self.put, self.put, self.increment, self.increment, self.change_group,
                 self.delete, self.batch, self.pair, self.pair, self.delete_pair, self.hit,
                 self.read_back]
        try:
            while not self.stopping.is_set():
                self.random.choice(steps)()
        except NO_ANSWER:
            pass
        except Refused as refusal:
            self.faults.append(f"{self.name}: unexpected refusal {refusal}")
        finally:
            self.client.close()

    def state(self, key):
        """What is known of a key; None also when it is in doubt."""
        known = self.expected.get(key, [None])
        return known[0] if len(known) == 1 else None

    def write(self, changes, operation, **members):
        """Sends one write that turns each key of `changes` into the given item."""
        before = {key: self.expected.get(key, [None]) for key in changes}
        for key, item in changes.items():
            self.expected[key] = before[key] + [item]
        self.in_doubt += 1
        try:
            self.client.call(operation, **members)
        except Refused as refusal:
            self.in_doubt -= 1
            self.expected.update(before)
            if refusal.kind != "TransactionCanceledException":
                raise
            self.faults.append(f"{self.name}: nobody else writes here, yet {refusal}")
            return
        self.in_doubt -= 1
        self.acknowledged += 1
        for key, item in changes.items():
            self.expected[key] = [item]

    def key(self, kind="item", most=KEYS_PER_WORKER):
        return f"{kind}-{self.owner}-{self.random.randrange(most)}"

    def fresh(self, key):
        self.version += 1
        pad = "x" * self.random.choice(PAD_BYTES)
        item = {"p": {"S": key}, "v": number(self.version), "o": {"S": self.owner},
                "pad": {"S": pad}}
        if self.random.random() < 0.8:
            item["g"] = {"S": f"group{self.random.randrange(GROUPS)}"}
        return item

    def put(self):
        item = self.fresh(self.key())
        self.write({item["p"]["S"]: item}, "PutItem", TableName=ITEMS, Item=item)

    def increment(self):
        key = self.key()
        item = self.state(key)
        if item is None:
            return
        self.version += 1
        self.write({key: {**item, "v": number(self.version)}}, "UpdateItem", TableName=ITEMS,
                   Key={"p": {"S": key}}, UpdateExpression="SET v = v + :d",
                   ConditionExpression="v = :v",
                   ExpressionAttributeValues={":d": number(self.version - int(item["v"]["N"])),
                                              ":v": item["v"]})

    def change_group(self):
        key = self.key()
        item = self.state(key)
        if item is None:
            return
        changed = {name: value for name, value in item.items() if name != "g"}
        if "g" in item and self.random.random() < 0.3:
            self.write({key: changed}, "UpdateItem", TableName=ITEMS, Key={"p": {"S": key}},
                       UpdateExpression="REMOVE g")
            return
        changed["g"] = {"S": f"group{self.random.randrange(GROUPS)}"}
        self.write({key: changed}, "UpdateItem", TableName=ITEMS, Key={"p": {"S": key}},
                   UpdateExpression="SET g = :g", ExpressionAttributeValues={":g": changed["g"]})

    def delete(self):
        key = self.key()
        self.write({key: None}, "DeleteItem", TableName=ITEMS, Key={"p": {"S": key}})

    def batch(self):
        keys = self.random.sample(range(KEYS_PER_WORKER), 5)
        changes, requests = {}, []
        for place, suffix in enumerate(keys):
            key = f"item-{self.owner}-{suffix}"
            changes[key] = self.fresh(key) if place else None
            requests.append({"PutRequest": {"Item": changes[key]}} if place else
                            {"DeleteRequest": {"Key": {"p": {"S": key}}}})
        self.write(changes, "BatchWriteItem", RequestItems={ITEMS: requests})

    def pair_keys(self):
        base = self.key("pair", PAIRS_PER_WORKER)
        return base + "-left", base + "-right"

    def pair(self):
        left, right = self.pair_keys()
        item = self.fresh(left)
        entries, changes = [], {}
        for key in (left, right):
            changes[key] = {**item, "p": {"S": key}}
            before = self.state(key)
            entry = {"TableName": ITEMS, "Item": changes[key]}
            if before:
                entry["ConditionExpression"] = "v = :v"
                entry["ExpressionAttributeValues"] = {":v": before["v"]}
            entries.append({"Put": entry})
        self.write(changes, "TransactWriteItems", TransactItems=entries)

    def delete_pair(self):
        keys = self.pair_keys()
        self.write({key: None for key in keys}, "TransactWriteItems", TransactItems=[
            {"Delete": {"TableName": ITEMS, "Key": {"p": {"S": key}}}} for key in keys])

    def hit(self):
        """All workers add to one item."""
        self.hits_in_doubt += 1
        self.client.call("UpdateItem", TableName=ITEMS, Key={"p": {"S": "shared"}},
                         UpdateExpression="ADD hits :one",
                         ExpressionAttributeValues={":one": number(1)})
        self.hits_in_doubt -= 1
        self.hits_acknowledged += 1

    def read_back(self):
        key = self.key()
        answer = self.client.call("GetItem", TableName=ITEMS, Key={"p": {"S": key}},
                                  ConsistentRead=True)
        if answer.get("Item") not in self.expected.get(key, [None]):
            self.faults.append(f"{self.name}: read of {key} is not what was written")
