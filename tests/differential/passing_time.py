"""What tables remember of their past, in the model: the records of streams, and moments to go back
to. A day, or 35, after something happened it is forgotten."""

import copy

from values import Refusal, frozen_item

STREAM_DAYS = 1
HISTORY_DAYS = 35
# How long a "pass" may last. No sum of them comes near a limit: what is forgotten then, and what is
# not, does not depend on the seconds that a program takes.
PASSES_DAYS = [0.4, 2, 20, 40]


class Past:
    """Of all tables. Time is in days since the program began."""

    def __init__(self):
        self.now = 0
        self.moments = []  # One for each pass: (when, {name: (table, its items)})

    def record(self, table, old, new):
        """A change of one item, None where there is none."""
        if not table.recorded or (old is None and new is None):
            return
        if old is not None and new is not None and frozen_item(old) == frozen_item(new):
            return
        event = "INSERT" if old is None else "REMOVE" if new is None else "MODIFY"
        table.records.append((self.now, event, old and frozen_item(old), new and frozen_item(new)))

    def advance(self, days, tables):
        self.moments.append((self.now, {name: (table, copy.deepcopy(table.items))
                                        for name, table in tables.items()}))
        self.now += days

    def records(self, table):
        return [tuple(record) for when, *record in table.records if self.now - when < STREAM_DAYS]

    def restored(self, name, table, number):
        """The items at one of the moments."""
        when, tables = self.moments[number]
        then, items = tables.get(name, (None, None))
        if then is not table or self.now - when > HISTORY_DAYS:
            raise Refusal("InvalidRestoreTimeException")
        return items
