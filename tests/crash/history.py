"""Is a history of one register linearisable? A search after Wing and Gong, memoised.

A history is a list of Operation on one key. It is linearisable when its operations can be put in
one order that respects real time (what returned before another was invoked comes first) and in
which each sees the value the ones before it left.
"""

from dataclasses import dataclass
from typing import Optional

NEVER = float("inf")


@dataclass(frozen=True)
class Operation:
    """`returned` is NEVER for an operation without answer: it may have happened at any later time,
    or not at all."""

    kind: str  # "write", "read" or "swap" (write `value` if the register holds `expected`)
    invoked: float
    returned: float
    value: Optional[int]  # Written, or seen by a read; None is an absent item.
    expected: Optional[int] = None
    swapped: bool = True  # Whether a swap found what it expected.

    def apply(self, state):
        """(whether this outcome is possible in this state, the state after it)"""
        if self.kind == "write":
            return True, self.value
        if self.kind == "read":
            return state == self.value, state
        if self.swapped:
            return state == self.expected, self.value
        return state != self.expected, state


def is_linearizable(history, initial=None):
    """Whether some order explains the history."""
    operations = sorted(history, key=lambda each: each.invoked)
    answered = 0
    for place, each in enumerate(operations):
        if each.returned != NEVER:
            answered |= 1 << place
    seen = set()
    stack = [(0, initial)]
    while stack:
        done, state = stack.pop()
        if done & answered == answered:
            return True
        if (done, state) in seen:
            continue
        seen.add((done, state))
        for place in _candidates(operations, done):
            possible, after = operations[place].apply(state)
            if possible:
                stack.append((done | 1 << place, after))
    return False


def _candidates(operations, done):
    """Operations that may come next: invoked before every other open one returned."""
    earliest_return = NEVER
    candidates = []
    place = (~done & (done + 1)).bit_length() - 1  # The first that is not done.
    while place < len(operations):
        each = operations[place]
        if not done >> place & 1:
            if each.invoked > earliest_return:
                break
            candidates.append(place)
            earliest_return = min(earliest_return, each.returned)
        place += 1
    return [place for place in candidates if operations[place].invoked <= earliest_return]
