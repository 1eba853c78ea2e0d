"""python3 compare.py BUILD_DIRECTORY EARLIER_BINARY [options]

The server of a release build beside an earlier one, in turns on the same disk: durable puts, gets
and queries of ten over the table endpoint, and mails from the request until smtp-sink has them.
A change that makes one of them slower shows as a ratio under one in every round; a machine that is
busy for a while shows as rounds that differ.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCH / "outbox"))
from load import Plan
from side_mailroom import Mailroom
from sink import Sink

OPERATIONS = ("put", "get", "query")
MAIL_BYTES = 1024
SHARE_WANTED = 0.97


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="directory of a release build")
    parser.add_argument("earlier", help="the earlier server's program")
    parser.add_argument("--connections", default="16,64", help="of the clients")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2, help="of each figure of the tables")
    parser.add_argument("--mails", type=int, default=16000, help="in one round")
    parser.add_argument("--dir", default="/var/tmp", help="where the data goes; must be on a disk")
    return parser.parse_args()


class Versions:
    def __init__(self, options):
        self.options = options
        self.connections = [int(number) for number in options.connections.split(",")]
        self.binaries = (options.earlier, os.path.join(options.build, "mailroom"))

    def tables(self, binary):
        """A second, by operation and connections."""
        folder = tempfile.mkdtemp(prefix="mailroom-versions-", dir=self.options.dir)
        figures = os.path.join(folder, "figures.json")
        command = [os.path.join(self.options.build, "bench_tables"), "--mailroom", binary,
                   "--peers", "mailroom", "--operations", ",".join(OPERATIONS),
                   "--connections", self.options.connections,
                   "--seconds", str(self.options.seconds),
                   "--dir", os.path.join(folder, "data"), "--json", figures]
        try:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            rows = json.loads(pathlib.Path(figures).read_text())["rows"]
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return {(row["operation"], row["connections"]): row["ours"]["per_second"] for row in rows}

    def mails(self, binary):
        """Delivered a second, by connections; each from an empty directory."""
        program = os.path.join(self.options.build, "bench/load/http_load")
        rates = {}
        for connections in self.connections:
            with tempfile.TemporaryDirectory(dir=self.options.dir) as folder, Sink() as sink, \
                    Mailroom(folder, sink, binary, program) as side:
                done = side.run(Plan(self.options.mails, MAIL_BYTES, connections))
                rates[("mails delivered", connections)] = done.delivered
        return rates

    def compare(self):
        rounds = []
        for number in range(self.options.rounds):
            # Who begins takes turns, too: what a round leaves to the next is shared.
            order = self.binaries if number % 2 == 0 else self.binaries[::-1]
            measured = {binary: self.tables(binary) | self.mails(binary) for binary in order}
            rounds.append(tuple(measured[binary] for binary in self.binaries))
        return rounds


def show(rounds):
    print(f"{'':16} {'clients':>7} {'earlier/s':>10} {'now/s':>10} {'ratio':>6}  round by round")
    for operation, connections in rounds[0][0]:
        key = (operation, connections)
        earlier, now = ([one[side][key] for one in rounds] for side in (0, 1))
        ratios = [b / a for a, b in zip(earlier, now)]
        ratio = statistics.median(ratios)
        verdict = "" if ratio >= SHARE_WANTED else f"  under {SHARE_WANTED}"
        print(f"{operation:16} {connections:7} {statistics.median(earlier):10.0f} "
              f"{statistics.median(now):10.0f} {ratio:6.2f}  "
              f"{' '.join(f'{one:.2f}' for one in ratios)}{verdict}")


if __name__ == "__main__":
    show(Versions(arguments()).compare())
