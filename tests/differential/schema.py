"""Tables of the model: plain dicts of items, and the rules of their keys."""

from dataclasses import dataclass, field
from typing import Optional

from values import frozen, invalid


@dataclass
class Index:
    """Its rows are computed from the table's items whenever somebody asks."""

    name: str
    hashes: list  # Attributes: one or, of a global index, up to four.
    ranges: list  # The same, or none.
    projection: list  # ["ALL"], ["KEYS_ONLY"] or ["INCLUDE", name, …]
    is_global: bool

    @property
    def keys(self):
        return self.hashes + self.ranges

    @property
    def whole(self):
        return self.projection == ["ALL"]


@dataclass
class Table:
    hash: str
    range: Optional[str]
    types: dict  # The type of every attribute that is or may become a key.
    indexes: dict = field(default_factory=dict)
    items: dict = field(default_factory=dict)  # Key to item.
    recorded: bool = False  # It has a stream and a history.
    records: list = field(default_factory=list)  # See passing_time.py.

    @classmethod
    def made_by(cls, step):
        table = cls(step["hash"], step.get("range"), step["types"],
                    recorded=step.get("recorded", False))
        for is_global, each in _described_indexes(step):
            table.add_index(each, is_global)
        return table

    def add_index(self, described, is_global):
        hashes, ranges = key_names(described)
        self.indexes[described["name"]] = Index(
            described["name"], hashes, ranges, described["projection"], is_global)

    @property
    def hashes(self):
        return [self.hash]

    @property
    def ranges(self):
        return [self.range] if self.range else []

    @property
    def keys(self):
        return self.hashes + self.ranges

    def key_of(self, item):
        return tuple(frozen(item[name]) for name in self.keys)

    def check_key(self, key):
        """Refuses a key that has not exactly the table's key attributes."""
        if set(key) != set(self.keys):
            raise invalid()
        for name in self.keys:
            self.check_key_value(name, key[name])

    def check_item(self, item):
        """Refuses an item without its key, or with a key of the table or an index of wrong type.
        That the attribute was so before an index came is no excuse."""
        if not set(self.keys) <= set(item):
            raise invalid()
        for name in self.key_attributes():
            if name in item:
                self.check_key_value(name, item[name])

    def key_attributes(self):
        """The keys of the table and of its indexes."""
        return {*self.keys, *(name for each in self.indexes.values() for name in each.keys)}

    def check_key_value(self, name, value):
        if value[0] != self.types[name] or is_empty(value):
            raise invalid()

    def has_row(self, index, item):
        """Whether the item is in the index: it has all of its keys."""
        return all(name in item and item[name][0] == self.types[name] and
                   not is_empty(item[name]) for name in index.keys)

    def projected(self, index):
        """The names of the attributes that the index holds; None is all."""
        if index is None or index.whole:
            return None
        return set(self.keys) | set(index.keys) | set(index.projection[1:])

    def described(self):
        """What DescribeTable must tell of keys and indexes."""
        indexes = {each.name: (each.is_global, each.keys, sorted(each.projection))
                   for each in self.indexes.values()}
        return {"keys": self.keys, "indexes": indexes}


def key_names(described):
    """The hash attributes and the range attributes of a table or an index, in their order."""
    ranges = [described["range"]] if described.get("range") else []
    return ([described["hash"], *described.get("more_hashes", [])],
            ranges + described.get("more_ranges", []))


def is_empty(value):
    return value[0] in ("S", "B") and not value[1]


def _described_indexes(step):
    yield from ((True, each) for each in step.get("global", []))
    yield from ((False, each) for each in step.get("local", []))
