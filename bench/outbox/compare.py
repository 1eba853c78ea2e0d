"""python3 compare.py BUILD_DIRECTORY [options]

Mails from end to end: clients hand them in, the side makes them durable and sends them over SMTP
to Postfix's smtp-sink. Mailroom (HTTP in), Postfix (SMTP in) and BullMQ on Redis with nodemailer
(HTTP in) work in turns on the same disk, each from an empty directory; beside them Mailroom for
programs that speak SMTP. A figure is the best of some rounds: on a machine that does other things
too, that is the one least disturbed.
"""
import argparse
import contextlib
import dataclasses
import os
import shutil
import sys
import tempfile
import time

from load import Plan
from side_bullmq import CONNECTIONS_DEFAULT, CONNECTIONS_TUNED, BullMq
from side_mailroom import Mailroom, MailroomSmtp
from side_postfix import Postfix
from sink import Sink

SIDES = ("postfix", "bullmq", "bullmq-tuned", "mailroom-smtp", "mailroom")
TIMES_WANTED = {"Postfix": 5, "BullMQ": 4}
RESIDENT_MB_MAX = 200
MAILROOM_MAILS_TIMES = 4  # It has to be busy for as long as the others, not for as many mails.
WAITING_SHARE_WANTED = 0.9  # With a full queue; what is missing is noise.
QUEUED_MAIL_BYTES = 1024
SENT_BEFORE = 100_000
SENT_BEFORE_CONNECTIONS = 64
PROBE_SECONDS = 0.3
IN_MEMORY = ("tmpfs", "ramfs")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="directory of a release build")
    parser.add_argument("--only", default=",".join(SIDES), help="sides, of " + ",".join(SIDES))
    parser.add_argument("--mails", type=int, default=4000, help="in one round, of each peer")
    parser.add_argument("--sizes", default="1024,10240", help="of a mail, in bytes")
    parser.add_argument("--connections", default="16,64", help="of the clients")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--queued", type=int, default=100_000,
                        help="mails in the queue when Mailroom's memory is read; 0: do not")
    parser.add_argument("--waiting", type=int, default=0,
                        help="measure Mailroom again with so many mails waiting for tomorrow")
    # Postfix's own user must reach it, so it is not below the home of whoever runs this.
    parser.add_argument("--dir", default="/var/tmp", help="where the data goes; must be on a disk")
    return parser.parse_args()


def file_system_of(directory):
    """The type of the mount that `directory` is on."""
    device = os.stat(directory).st_dev
    found = "unknown"
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        for line in mounts:
            _, point, kind, *_ = line.split()
            with contextlib.suppress(OSError):
                if os.stat(point).st_dev == device:
                    found = kind
    return found


def syncs_per_second(directory):
    syncs = 0
    with tempfile.TemporaryFile(dir=directory) as file:
        start = time.monotonic()
        while time.monotonic() - start < PROBE_SECONDS:
            file.write(b"p" * 4096)
            file.flush()
            os.fdatasync(file.fileno())
            syncs += 1
    return syncs / PROBE_SECONDS


def best(rounds):
    return max(rounds, key=lambda rates: rates.delivered)


def ratios(ours, theirs):
    return " ".join(f"{o.delivered / t.delivered:.2f}" for o, t in zip(ours, theirs))


class Benchmark:
    def __init__(self, options):
        self.options = options
        self.sides = options.only.split(",")
        if unknown := set(self.sides) - set(SIDES):
            sys.exit(f"no such side: {', '.join(sorted(unknown))}")
        self.load_program = os.path.join(options.build, "bench/load/http_load")
        self.smtp_load_program = os.path.join(options.build, "bench/smtp/bench_smtp_client")
        self.binary = os.path.join(options.build, "mailroom")

    @contextlib.contextmanager
    def side(self, name):
        """A side that runs, with a sink and a directory of its own."""
        folder = tempfile.mkdtemp(prefix="mailroom-outbox-", dir=self.options.dir)
        os.chmod(folder, 0o755)
        try:
            with Sink() as sink, self._make(name, folder, sink) as side:
                yield side
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _make(self, name, folder, sink):
        if name == "postfix":
            return Postfix(folder, sink)
        if name == "bullmq":
            return BullMq(folder, sink, self.load_program, CONNECTIONS_DEFAULT)
        if name == "bullmq-tuned":
            return BullMq(folder, sink, self.load_program, CONNECTIONS_TUNED)
        if name == "mailroom-smtp":
            return MailroomSmtp(folder, sink, self.binary, self.smtp_load_program)
        return Mailroom(folder, sink, self.binary, self.load_program)

    def in_turns(self, sides, plan):
        """A list of rates for each side, a round each: the machine may be faster in a minute."""
        def run(side):
            times = MAILROOM_MAILS_TIMES if isinstance(side, Mailroom) else 1
            return side.run(dataclasses.replace(plan, mails=plan.mails * times))

        rounds = [[run(side) for side in sides] for _ in range(self.options.rounds)]
        return list(zip(*rounds))

    def plans(self):
        for size in self.options.sizes.split(","):
            for connections in self.options.connections.split(","):
                yield Plan(self.options.mails, int(size), int(connections))

    def compare(self):
        """Prints a row for each side and plan."""
        print(f"{'bytes':>6} {'clients':>7} {'side':13} {'accepted/s':>10} {'delivered/s':>11} "
              f"{'while accepting':>16}")
        for plan in self.plans():
            with contextlib.ExitStack() as running:
                sides = [running.enter_context(self.side(name)) for name in self.sides]
                rates = dict(zip((side.name for side in sides), self.in_turns(sides, plan)))
            for name, rounds in rates.items():
                self._print_row(plan, name, best(rounds))
            for side in sides:
                if isinstance(side, Mailroom):
                    self._print_ratios(side, rates)

    def _print_row(self, plan, name, rates):
        print(f"{plan.mail_bytes:6} {plan.connections:7} {name:13} {rates.accepted:10.0f} "
              f"{rates.delivered:11.0f} {rates.loaded:16.0f}", flush=True)

    def _print_ratios(self, side, rates):
        ours = rates[side.name]
        for name, theirs in rates.items():
            peer = name.split()[0]
            if peer not in side.peers:
                continue
            times = best(ours).delivered / best(theirs).delivered
            wanted = TIMES_WANTED[peer]
            verdict = "met" if times >= wanted else "MISSED"
            print(f"{'':14} {side.name} delivers {times:.1f} times as many as {name} "
                  f"(wanted {wanted}: {verdict}; round by round {ratios(ours, theirs)})",
                  flush=True)

    def memory(self):
        with self.side("mailroom") as side:
            side.fill(self.options.queued, QUEUED_MAIL_BYTES)
            megabytes = side.resident_bytes() / 1e6
        verdict = "met" if megabytes < RESIDENT_MB_MAX else "MISSED"
        print(f"Mailroom with {self.options.queued} mails queued: {megabytes:.0f} MB resident "
              f"(wanted under {RESIDENT_MB_MAX}: {verdict})", flush=True)

    def waiting(self):
        """What a queue full of mails that are not due costs."""
        with self.side("mailroom") as empty, self.side("mailroom") as full:
            start = time.monotonic()
            full.fill(self.options.waiting, QUEUED_MAIL_BYTES)
            print(f"{self.options.waiting} mails waiting, queued in "
                  f"{time.monotonic() - start:.0f} s")
            for side in (empty, full):  # A new store has nothing to merge yet.
                side.run(Plan(SENT_BEFORE, QUEUED_MAIL_BYTES, SENT_BEFORE_CONNECTIONS))
            for plan in self.plans():
                self._compare_waiting(plan, empty, full)

    def _compare_waiting(self, plan, empty, full):
        without, waiting = self.in_turns((empty, full), plan)
        self._print_row(plan, "empty", best(without))
        self._print_row(plan, "full", best(waiting))
        share = best(waiting).delivered / best(without).delivered
        verdict = "met" if share >= WAITING_SHARE_WANTED else "MISSED"
        print(f"{plan.mail_bytes} bytes, {plan.connections} clients: {share:.2f} of the rate with "
              f"an empty queue (wanted {WAITING_SHARE_WANTED}: {verdict}; round by round "
              f"{ratios(waiting, without)})", flush=True)


def main():
    options = arguments()
    kind = file_system_of(options.dir)
    if kind in IN_MEMORY:
        sys.exit(f"{options.dir} is in memory: nothing would be durable")
    print(f"{options.dir} on {kind}: {syncs_per_second(options.dir):.0f} syncs a second; "
          f"best of {options.rounds} rounds")
    benchmark = Benchmark(options)
    benchmark.compare()
    if "mailroom" in benchmark.sides and options.queued:
        benchmark.memory()
    if "mailroom" in benchmark.sides and options.waiting:
        benchmark.waiting()


if __name__ == "__main__":
    main()
