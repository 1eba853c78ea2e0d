"""Endpoints without a server: the model behind an endpoint's face, right or wrong on purpose."""

import itertools

import reads
import updates
from endpoint import Page
from model import Model


class FakeEndpoint:
    """Answers as a server that makes no mistake would."""

    def __init__(self):
        self.model = None

    def begin(self):
        self.model = Model()

    def end(self):
        pass

    def apply(self, step):
        answer = self.model.apply(step)
        return [self.pages(step, answer)] if isinstance(answer, reads.Evaluated) else answer

    def pages(self, step, answer):
        rows, pages = list(answer.rows), []
        for limit in itertools.cycle(step.get("limits") or [None]):
            taken, rows = (rows, []) if limit is None else (rows[:limit], rows[limit:])
            items = [row.item for row in taken if row.item is not None]
            pages.append(Page(None if answer.count_only else items, len(items), len(taken),
                              taken[-1].key if rows else None, limit))
            if not rows:
                return pages


class ForgetsAfterRestart(FakeEndpoint):
    """Loses the items, not the tables."""

    def apply(self, step):
        if step["do"] == "restart":
            for table in self.model.tables.values():
                table.items.clear()
        return super().apply(step)


class LosesPageEnds(FakeEndpoint):
    """Skips the item that follows a full page."""

    def pages(self, step, answer):
        limit = (step.get("limits") or [len(answer.rows)])[0]
        kept = answer.rows[:limit] + answer.rows[limit + 1:]
        return super().pages(step, reads.Evaluated(kept, answer.ordered, answer.count_only,
                                                   answer.ranges, answer.backward))


class IgnoresConditions(FakeEndpoint):
    """Of deletes only."""

    def apply(self, step):
        if step["do"] == "delete":
            step = {name: member for name, member in step.items() if name != "condition"}
        return super().apply(step)


class HalfTransactions(FakeEndpoint):
    """Does what comes before the write that fails."""

    def apply(self, step):
        try:
            return super().apply(step)
        except Exception:
            if step["do"] == "transact_write" and step["writes"][0]["do"] == "put":
                first = {**step["writes"][0]}
                first.pop("condition", None)
                self.model.apply(first)
            raise


class RemovesByNewIndexes(FakeEndpoint):
    """Removes list elements one after the other, so that the second index means another one."""

    def apply(self, step):
        update = step.get("update", {})
        if step["do"] != "update" or len(update.get("remove", [])) < 2:
            return super().apply(step)
        answer = super().apply({**step, "update": {**update, "remove": update["remove"][:1]}})
        table = self.model.tables[step["table"]]
        for key, item in table.items.items():
            if all(item[name] == value for name, value in
                   updates.values.parse_item(step["key"]).items()):
                try:
                    table.items[key] = updates.apply({"remove": update["remove"][1:]}, item)
                except updates.values.Refusal:
                    pass
        return answer


WRONG = [ForgetsAfterRestart, LosesPageEnds, IgnoresConditions, HalfTransactions,
         RemovesByNewIndexes]
