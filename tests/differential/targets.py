"""The servers that programs run against, and where each is known to depart from AWS."""

import os
import sys
from dataclasses import dataclass, field
from typing import Callable

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "crash"))

import dynalite  # noqa: E402
from endpoint import Endpoint  # noqa: E402
from moved_clock import MovedClock  # noqa: E402
from server import Server  # noqa: E402
from timed_endpoint import TimedEndpoint  # noqa: E402


class TimedServer(Server):
    """A server on a clock that can be moved."""

    def __init__(self):
        self.clock = MovedClock()
        super().__init__(settings=self.clock.settings)


@dataclass(frozen=True)
class Target:
    """`process` makes a server that is not started yet. `without` are kinds of steps that it has
    not; `departures` are (reason, whether a step shows it), and no program has such a step."""

    process: type
    without: frozenset = frozenset()
    departures: tuple = ()
    headers: dict = field(default_factory=dict)
    installed: Callable = lambda: True
    endpoint: type = Endpoint

    def departs(self, step):
        return any(shows(step) for _, shows in self.departures)


TARGETS = {
    "mailroom": Target(TimedServer, endpoint=TimedEndpoint),
    "dynalite": Target(dynalite.Dynalite,
                       frozenset((*dynalite.WITHOUT, "pass")), dynalite.DEPARTURES,
                       dynalite.HEADERS, dynalite.is_installed),
}
