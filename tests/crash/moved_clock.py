"""The time of day of a server under test, moved from outside: see moved_clock.cc."""

import os
import struct
import tempfile
import time

SECONDS_PER_DAY = 86_400


class MovedClock:
    """Stands on the real time until it is moved. MOVED_CLOCK_LIBRARY names the built library."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile(prefix="mailroom-clock-")
        self.moved_ms = 0
        self.move(0)

    @property
    def settings(self):
        """What the server's environment needs."""
        return {"LD_PRELOAD": os.environ["MOVED_CLOCK_LIBRARY"], "MOVED_CLOCK": self.file.name}

    def move(self, seconds):
        """At once, for all servers that run with it."""
        self.moved_ms += int(seconds * 1000)
        os.pwrite(self.file.fileno(), struct.pack("=q", self.moved_ms), 0)

    def now(self):
        """The servers' time, in seconds since 1970."""
        return time.time() + self.moved_ms / 1000

    def close(self):
        self.file.close()
