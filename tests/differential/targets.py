"""The servers that programs run against, and where each is known to depart from AWS."""

import os
import sys
from dataclasses import dataclass, field

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

from server import Server  # noqa: E402


@dataclass(frozen=True)
class Target:
    """`process` makes a server that is not started yet. `without` are steps that it has not."""

    process: type
    without: frozenset = frozenset()
    departures: tuple = ()
    headers: dict = field(default_factory=dict)


TARGETS = {"mailroom": Target(Server)}
