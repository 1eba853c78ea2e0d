"""Random programs: lists of steps on one or two tables with few keys and few attribute names."""

import random

from model import Model
from passing_time import PASSES_DAYS
from random_values import ATTRIBUTES, PATHS, RandomValues, wire
from render import STYLES
from values import Refusal, Undecided

STEPS = 40
TABLES = ["T0", "T1"]
MISSING_TABLE_SHARE = 0.01
REFUSED_SHARE = 0.1  # Of refused steps that stay in the program: what is refused leads nowhere.
TRIES_MAX = 50  # For one step that the documentation decides.

WEIGHTS = {"put": 16, "update": 24, "get": 8, "delete": 5, "query": 18, "scan": 8, "batch_write": 4,
           "batch_get": 4, "transact_write": 9, "transact_get": 3, "create": 1, "drop": 0.5,
           "add_index": 1.5, "drop_index": 0.8, "describe": 1, "list": 0.5}
# Of programs in which time passes.
TIMED_WEIGHTS = {"stream": 6, "restore": 5}
RETURNS = {"put": ["NONE", "ALL_OLD"], "delete": ["NONE", "ALL_OLD"],
           "update": ["NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "ALL_NEW", "UPDATED_NEW"]}
SELECTS = ["ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "COUNT", "COUNT", "SPECIFIC_ATTRIBUTES"]
GLOBAL_INDEXES = [("ByG", "g", ""), ("ByGS", "g", "s"), ("BySG", "s", "g"), ("ByGP", "g", "p"),
                  # Keys of several attributes.
                  ("ByGandS", "gs", ""), ("ByG_SP", "g", "sp"), ("ByP_GS", "p", "gs"),
                  ("ByGS_PR", "gs", "pr"), ("ByG_RSP", "g", "rsp")]
LOCAL_INDEXES = [("LocalS", "p", "s"), ("LocalG", "p", "g")]


def program(seed, steps=STEPS, restarts=0, without=(), avoided=lambda step: False, passes=0):
    """The program of a seed. `restarts`: how many kills it has; `without`: kinds of steps, and
    `avoided`: single ones, that it must not have; `passes`: how often time passes in it."""
    return Generator(random.Random(seed), without, avoided, passes).program(steps, restarts)


class Generator:
    """Knows the tables as they are while the program grows."""

    def __init__(self, chance, without, avoided, passes=0):
        self.chance = chance
        self.avoided = avoided
        self.draw = RandomValues(chance)
        self.model = Model()
        self.passes = passes
        weights = WEIGHTS | (TIMED_WEIGHTS if passes else {})
        self.weights = {kind: weight for kind, weight in weights.items() if kind not in without}
        self.types = {name: chance.choice(kinds) for name, kinds in
                      (("p", "SSSNB"), ("r", "SSNNB"), ("g", "SSSNB"), ("s", "NNNSB"))}
        self.transactions = []

    def program(self, steps, restarts):
        made = []
        turns = {(each + 1) * steps // (self.passes + 1) for each in range(self.passes)}
        while len(made) < steps:
            if turns and len(made) >= min(turns):
                turns.remove(min(turns))
                made.append(self._accepted("pass"))
            if not self.model.tables:
                made += [self._accepted("create"), self._accepted("batch_write")]
            kind, = self.chance.choices(list(self.weights), self.weights.values())
            made.append(self._accepted(kind))
        for _ in range(restarts):
            made.insert(self.chance.randint(1, len(made)), {"do": "restart"})
        return made

    def _accepted(self, kind):
        """A step whose answer is decided, and mostly no refusal, applied to the tables. A list of
        tables when none is found."""
        for _ in range(TRIES_MAX):
            step = {"do": kind, **getattr(self, "_" + kind)()}
            if self.avoided(step):
                continue
            try:
                self.model.apply(step)
                if "token" in step:
                    self.transactions.append(step)
                return step
            except Refusal:
                if self.draw.maybe(REFUSED_SHARE):
                    return step
            except Undecided:
                continue
        return {"do": "list"}

    # Tables

    def _name(self):
        if self.model.tables and not self.draw.maybe(MISSING_TABLE_SHARE):
            return self.chance.choice(sorted(self.model.tables))
        return self.chance.choice(TABLES)

    def _table(self, name):
        """The table as the model has it, or something to make steps with when there is none."""
        known = self.model.tables.get(name)
        return known or next(iter(self.model.tables.values()))

    def _create(self):
        step = {"table": self.chance.choice(TABLES), "types": self.types, "hash": "p"}
        if self.draw.maybe(0.85):
            step["range"] = "r"
            step["local"] = [self._index(each) for each in LOCAL_INDEXES if self.draw.maybe(0.35)]
        step["global"] = [self._index(each) for each in GLOBAL_INDEXES if self.draw.maybe(0.25)]
        if self.passes:
            step["recorded"] = True
        return step

    def _index(self, described):
        name, hashes, ranges = described
        index = {"name": name, "hash": hashes[0], "projection": self.chance.choice(
            [["ALL"], ["ALL"], ["KEYS_ONLY"], ["INCLUDE", "a"], ["INCLUDE", "b", "c"]])}
        if ranges:
            index["range"] = ranges[0]
        if hashes[1:]:
            index["more_hashes"] = list(hashes[1:])
        if ranges[1:]:
            index["more_ranges"] = list(ranges[1:])
        return index

    def _drop(self):
        return {"table": self._name()}

    _describe = _drop

    def _list(self):
        return {}

    def _add_index(self):
        return {"table": self._name(), "types": self.types,
                "index": self._index(self.chance.choice(GLOBAL_INDEXES))}

    def _drop_index(self):
        name = self._name()
        known = [each.name for each in self._table(name).indexes.values() if each.is_global]
        if not known or self.draw.maybe(0.1):
            known = ["ByG"]
        return {"table": name, "name": self.chance.choice(known)}

    # Time

    def _pass(self):
        return {"days": self.chance.choice(PASSES_DAYS)}

    def _stream(self):
        return {"table": self._name()}

    def _restore(self):
        moments = len(self.model.past.moments)
        if not moments:
            return {"table": self._name(), "do": "describe"}
        return {"table": self._name(), "moment": self.chance.randrange(moments)}

    # Items

    def _key(self, name):
        table = self._table(name)
        key = {"p": self.draw.partition(self.types["p"])}
        if not table.range:
            key["p"] = self.draw.key(self.types["p"])
        else:
            key["r"] = self.draw.key(self.types["r"])
        if self.draw.maybe(0.01):
            key[self.chance.choice("pra")] = self.draw.scalar()
        return key

    def _item(self, name):
        item = self._key(name)
        for each in ATTRIBUTES:
            if self.draw.maybe(0.55):
                item[each] = self.draw.attribute(each, self._wanted_types())
        return item

    def _wanted_types(self):
        return {name: self.types[name] for name in ("g", "s")}

    def _styled(self, step):
        step["style"] = self.chance.randrange(STYLES)
        return step

    def _get(self):
        step = self._styled(self._read())
        if self.draw.maybe(0.5):
            step["consistent"] = True
        return step

    def _read(self):
        name = self._name()
        step = {"table": name, "key": self._key(name)}
        if self.draw.maybe(0.5):
            step["projection"] = self.draw.paths("pr")
        return step

    def _put(self):
        name = self._name()
        return self._conditional("put", {"table": name, "item": self._item(name)})

    def _delete(self):
        name = self._name()
        return self._conditional("delete", {"table": name, "key": self._key(name)})

    def _update(self):
        name = self._name()
        return self._conditional("update", {"table": name, "key": self._key(name),
                                            **self._change()})

    def _change(self):
        """The update of an item: of index keys to what they may be, most of the time."""
        if self.draw.maybe(0.03):
            return {}
        update = self.draw.update(PATHS + ([["p"], ["r"]] if self.draw.maybe(0.01) else []))
        for action in update.get("set", []):
            if action[0][0] in ("g", "s") and self.draw.maybe(0.8):
                action[1] = {"value": self.draw.attribute(action[0][0], self._wanted_types())}
        return {"update": update}

    def _conditional(self, kind, step):
        if self.draw.maybe(0.4):
            step["condition"] = self.draw.condition(PATHS + [["p"], ["r"]])
            if self.draw.maybe(0.4):
                step["on_failure"] = "ALL_OLD"
        if kind in RETURNS and self.draw.maybe(0.7):
            step["return"] = self.chance.choice(RETURNS[kind])
        return self._styled(step)

    def _write(self, kinds):
        """One write of a batch or a transaction."""
        kind = self.chance.choice(kinds)
        write = getattr(self, "_" + ("delete" if kind == "check" else kind))()
        write.pop("return", None)
        write["do"] = kind
        if kind == "check" and "condition" not in write:
            write["condition"] = ["attribute_exists", {"path": ["p"]}]
        return write

    def _batch_write(self):
        writes = [self._write(["put"] * 4 + ["delete"])
                  for _ in range(self.chance.choice([1, 3, 8, 25]))]
        for write in writes:
            for member in ("condition", "on_failure", "style"):
                write.pop(member, None)
        return {"writes": self._distinct(writes)}

    def _distinct(self, writes):
        """Mostly without writes that name an item twice."""
        if self.draw.maybe(0.05):
            return writes
        kept = {}
        for write in writes:
            named = write.get("item") or write["key"]
            kept[write["table"], str(named.get("p")), str(named.get("r"))] = write
        return list(kept.values())

    def _batch_get(self):
        reads = {}
        for name in {self._name() for _ in range(2)}:
            distinct = {str(key): key for key in
                        (self._key(name) for _ in range(self.chance.randint(1, 5)))}
            reads[name] = self._styled({"keys": list(distinct.values())})
            if self.draw.maybe(0.5):
                reads[name]["projection"] = self.draw.paths("pr")
        return {"reads": dict(sorted(reads.items()))}

    def _transact_get(self):
        reads = [self._styled(self._read()) for _ in range(self.chance.randint(1, 4))]
        return {"reads": self._distinct(reads)}

    def _transact_write(self):
        if self.transactions and self.draw.maybe(0.15):
            return dict(self.chance.choice(self.transactions))
        writes = [self._write(["put", "update", "update", "delete", "check"])
                  for _ in range(self.chance.randint(1, 4))]
        step = {"writes": self._distinct(writes)}
        if self.draw.maybe(0.3):
            step["token"] = f"t{self.chance.randint(0, 9)}"
        return step

    # Searches

    def _search(self, keys):
        """What queries and scans have in common. `keys` may not be filtered on."""
        name = self._name()
        step = {"table": name}
        indexes = sorted(self._table(name).indexes)
        if indexes and self.draw.maybe(0.5):
            step["index"] = self.chance.choice(indexes)
        if self.draw.maybe(0.4):
            step["filter"] = self.draw.condition(self._filter_paths(step, keys))
        if self.draw.maybe(0.3):
            step["projection"] = self.draw.paths("pr")
        if self.draw.maybe(0.2):
            step["select"] = self.chance.choice(SELECTS)
        if self.draw.maybe(0.6):
            step["limits"] = [self.chance.randint(1, 5) for _ in range(self.chance.randint(1, 3))]
        if self.draw.maybe(0.2):
            step["consistent"] = True
        return self._styled(step)

    def _filter_paths(self, step, keys):
        table = self._table(step["table"])
        index = table.indexes.get(step.get("index"))
        held = table.projected(index)
        own = set((index or table).keys) if keys and not self.draw.maybe(0.02) else set()
        return [path for path in PATHS + [["p"], ["r"]]
                if path[0] not in own and (held is None or path[0] in held)] or [["d"]]

    def _query(self):
        step = self._search(keys=True)
        table = self._table(step["table"])
        source = table.indexes.get(step.get("index"), table)
        step["hash"] = source.hashes[0]
        step["hash_value"] = self.draw.partition(self.types[step["hash"]])
        if len(source.hashes) > 1 or len(source.ranges) > 1:
            self._bind_several(step, table, source)
        else:
            step["range"] = (source.ranges or ["r"])[0]
        if self.draw.maybe(0.5 if source.ranges else 0.02):
            step["range_condition"] = self._range_condition(self.types[step["range"]])
        if self.draw.maybe(0.5):
            step["backward"] = self.draw.maybe(0.7)
        if source is table and table.range and self.draw.maybe(0.2):
            step["start"] = {"p": step["hash_value"], "r": self.draw.key(self.types["r"])}
        return step

    def _bind_several(self, step, table, source):
        """Attributes of a larger key: mostly as many as must and may be, and those of an item."""
        indexed = [item for item in table.items.values() if table.has_row(source, item)]
        item = self.chance.choice(indexed) if indexed and self.draw.maybe(0.9) else {}
        leading = source.ranges[:self.chance.randint(0, max(0, len(source.ranges) - 1))]
        bound = {name: wire(item[name][0], item[name][1] if item[name][0] != "N"
                            else str(item[name][1])) if name in item
                 else self.draw.partition(self.types[name]) for name in source.hashes + leading}
        step["hash_value"] = bound.pop(step["hash"])
        if bound and self.draw.maybe(0.03):
            bound.pop(self.chance.choice(sorted(bound)))
        if bound:
            step["equals"] = bound
        step["range"] = (source.ranges[len(leading):] or ["r"])[0]

    def _range_condition(self, kind):
        operator = self.chance.choice(["=", "<", "<=", ">", ">=", "between", "begins_with"])
        if operator == "begins_with" and kind == "N" and self.draw.maybe(0.9):
            operator = "<="
        bounds = [self.draw.scalar() if self.draw.maybe(0.01) else self.draw.key(kind)
                  for _ in range(2 if operator == "between" else 1)]
        return [operator, *bounds]

    def _scan(self):
        step = self._search(keys=False)
        if self.draw.maybe(0.3):
            step["segments"] = self.chance.randint(1, 4)
        return step
