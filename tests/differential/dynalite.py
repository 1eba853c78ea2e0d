"""Dynalite, another program that speaks DynamoDB, as a process that a test starts and stops."""

import os
import socket
import subprocess
import time

import conditions
import values

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "..", "..", "bench", "node_modules", "dynalite", "cli.js")
READY_SECONDS_MAX = 30

# Well-formed and false: it wants to see a signature and does not check it.
HEADERS = {
    "X-Amz-Date": "20240101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=local/20240101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64,
}

WITHOUT = ("transact_write", "transact_get", "restart", "add_index", "drop_index")


EMPTY = ({"S": ""}, {"B": ""})
FALSE = (*EMPTY, {"BOOL": False})


def _leaves(step):
    """The conditions of a step that are not made of conditions."""
    open_trees = [step[name] for name in ("condition", "filter") if name in step]
    while open_trees:
        tree = open_trees.pop()
        if tree[0] in ("and", "or", "not"):
            open_trees += tree[1:]
        else:
            yield tree


def _compares_with_path(step):
    return any("value" not in operand for leaf in _leaves(step)
               for operand in conditions.operands_of(leaf)[1:])


def _orders_what_has_no_order(step):
    return any(leaf[0] in conditions.INEQUALITIES and "value" in operand and
               not operand["value"].keys() & set(values.ORDERED)
               for leaf in _leaves(step) for operand in leaf[1:])


def _may_hold_of_what_is_false(leaf):
    kind, *operands = leaf
    if kind == "between":
        return operands[1].get("value") in EMPTY
    if kind == "in":
        return any(each.get("value") in FALSE for each in operands[1])
    return kind == "attribute_type" and operands[1].get("value", {}).get("S") in ("S", "B", "BOOL")


def _looks_for_what_it_cannot_find(leaf):
    kind, *operands = leaf
    wanted = operands[1].get("value", {}) if kind == "contains" else {}
    return wanted in EMPTY or not set(wanted) <= {"S", "N", "B"}


def _copies(step):
    """Sets a path to what is at another one."""
    return any(isinstance(expression, dict) and "value" not in expression
               for _, expression in step.get("update", {}).get("set", []))


def _computes_index_key(step):
    return any(path[0] in ("g", "s") and (isinstance(expression, list) or "value" not in expression)
               for path, expression in step.get("update", {}).get("set", []))


def _adds(step):
    update = step.get("update", {})
    return (any(isinstance(expression, list) for _, expression in update.get("set", [])) or
            any("N" in wire for _, wire in update.get("add", [])))


def _empties_index_key(step):
    if step["do"] == "batch_write":
        return any(map(_empties_index_key, step["writes"]))
    set_to = [(path[0], expression.get("value")) for path, expression in
              step.get("update", {}).get("set", []) if isinstance(expression, dict)]
    return any(name in ("g", "s") and wire in EMPTY
               for name, wire in [*set_to, *step.get("item", {}).items()])


def _repeats_values(step):
    """Has keys in one table that are equal but for the names of their attributes."""
    named = [[sorted(key.items()) for key in each["keys"]] for each in
             (step["reads"].values() if step["do"] == "batch_get" else [])]
    unnamed = [[[wire for _, wire in key] for key in keys] for keys in named]
    return any(_repeats(bare) and not _repeats(keys) for bare, keys in zip(unnamed, named))


def _repeats(keys):
    return any(key in keys[:at] for at, key in enumerate(keys))


# Each with what AWS documents or is known to do instead.
DEPARTURES = (
    ("An update that only removes makes an item. AWS makes none.",
     lambda step: set(step.get("update", {})) in ({"remove"}, {"delete"}, {"remove", "delete"})),
    ("list_append() may stand in list_append(). AWS refuses that.",
     lambda step: any("list_append" in each for _, term in step.get("update", {}).get("set", [])
                      if isinstance(term, dict) for each in term.get("list_append", []))),
    ("A comparison with a path that leads nowhere ends the process, or holds. In AWS it is false.",
     _compares_with_path),
    ("An order of lists, maps and the like is compared. AWS refuses the expression.",
     _orders_what_has_no_order),
    ("BETWEEN, IN and attribute_type hold of no empty text or bytes, nor of false. In AWS these "
     "are values as all others.", lambda step: any(map(_may_hold_of_what_is_false, _leaves(step)))),
    ("contains() finds in a list only texts, numbers and bytes that are not empty. In AWS it finds "
     "any value.", lambda step: any(map(_looks_for_what_it_cannot_find, _leaves(step)))),
    ("ReturnValuesOnConditionCheckFailure is newer than it is.",
     lambda step: "on_failure" in step),
    ("What an index does not hold is left out. AWS refuses that of a global index and fetches it "
     "for a local one.",
     lambda step: "index" in step and ("projection" in step or "select" in step)),
    ("UPDATED_OLD and UPDATED_NEW answer with an empty map where AWS answers with none.",
     lambda step: step.get("return", "").startswith("UPDATED")),
    ("A sum of more than 38 digits is rounded or spoils the item. AWS refuses it.", _adds),
    ("Elements of one list are removed one after the other, by indexes that have changed. In AWS "
     "an index means the element that had it before.",
     lambda step: sum(isinstance(path[-1], int)
                      for path in step.get("update", {}).get("remove", [])) > 1),
    ("An empty bound of a sort key is taken. AWS refuses it.",
     lambda step: any(bound in EMPTY for bound in step.get("range_condition", []))),
    ("A consistent scan of a global index is answered. AWS refuses it.",
     lambda step: step["do"] == "scan" and "index" in step and "consistent" in step),
    ("Select is not held against the other members. AWS refuses those that contradict it.",
     lambda step: step.get("select", "COUNT") != "COUNT" or {"select", "projection"} <= set(step)),
    ("What is empty has no size. In AWS it is 0.",
     lambda step: any("size" in operand for leaf in _leaves(step)
                      for operand in conditions.operands_of(leaf))),
    ("An index key is held against the type that an expression could have. AWS looks at the item "
     "that comes of it.", _computes_index_key),
    ("A copied list or map is one with its source: a change shows in both, and one that is set "
     "into itself ends the process. In AWS a copy is a copy.", _copies),
    ("The key of an index may be empty. AWS refuses that.", _empties_index_key),
    ("Index keys of several attributes are newer than it is.",
     lambda step: any({"more_hashes", "more_ranges"} & set(index) for index in
                      [*step.get("global", []), *([step["index"]] if step["do"] == "add_index"
                                                  else [])])),
    ("Keys of a batch are repeated when their values are, whatever the attributes, and that is "
     "told before a missing table. In AWS a key is its names and values.", _repeats_values),
)


class Dynalite:
    """Keeps everything in memory: a restart would lose it. MAILROOM_DYNALITE names its cli.js
    where it is not installed in bench/."""

    def __init__(self):
        self.process = None
        self.dynamodb = None

    def start(self):
        """Raises RuntimeError when it does not listen in time."""
        self.dynamodb = ("127.0.0.1", _free_port())
        self.process = subprocess.Popen(
            ["node", script(), "--host", self.dynamodb[0], "--port", str(self.dynamodb[1]),
             "--createTableMs", "0", "--updateTableMs", "0", "--deleteTableMs", "0"],
            stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + READY_SECONDS_MAX
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(self.dynamodb, timeout=1).close()
                return self
            except OSError:
                time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"{script()} does not listen")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()


def script():
    return os.environ.get("MAILROOM_DYNALITE", SCRIPT)


def is_installed():
    return os.path.exists(script())


def _free_port():
    """It takes port 0 for "no port given", so a free one is looked for here."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
