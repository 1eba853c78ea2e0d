#!/usr/bin/env python3
"""Random programs on a server and on a naive model of DynamoDB: every answer must be the model's.

Prints the seed first and a summary as JSON last. A difference is shrunk to the shortest program
that shows it, and printed as JSON that --replay FILE takes; then it exits 1. MAILROOM_BINARY names
the server; MAILROOM_LONG=1 makes it run ten minutes.
"""

import argparse
import json
import os
import random
import sys
import time
from collections import Counter

import generate
import steps
from run import NoProgram, first_difference
from shrink import shrink
from targets import TARGETS

SHORT_PROGRAMS = 100
SHORT_SEED = 1
SHORT_SECONDS = 120  # Above what they take: the same programs on every machine.
LONG_SECONDS = 600
RESTART_EVERY = 20  # Programs of which one has restarts: a restart costs as much as many steps.
RESTARTS_MAX = 3
PASS_EVERY = 33  # Programs of which in one time passes: each time takes seconds.
PASSES_MAX = 3
SKIPPED = 77  # The exit code that the test runner takes for "skipped".


class Driver:
    def __init__(self, seed, target):
        self.seed = seed
        self.target = target
        self.process = target.process()
        self.endpoint = target.endpoint(self.process, target.headers)
        self.answers = Counter()
        self.summary = {"seed": seed, "programs": 0, "steps": 0, "restarts": 0, "passes": 0,
                        "differences": 0}
        self.seen = set()  # Signatures of differences.

    def run(self, programs, seconds, findings_max):
        """Runs programs until one of the three is reached, and gives the summary."""
        deadline = time.monotonic() + seconds
        with self.process:
            for number in range(programs):
                if time.monotonic() > deadline or len(self.seen) >= findings_max:
                    break
                self.one(f"{self.seed}-{number}", number % RESTART_EVERY == RESTART_EVERY - 1,
                         number % PASS_EVERY == PASS_EVERY - 1)
        self.summary["differences"] = len(self.seen)
        self.summary["answers"] = {" ".join(key): count
                                   for key, count in sorted(self.answers.items())}
        return self.summary

    def one(self, seed, with_restarts, with_passes):
        restarts = self.count(seed, "restart", RESTARTS_MAX if with_restarts else 0)
        passes = self.count(seed, "pass", PASSES_MAX if with_passes else 0)
        program = generate.program(seed, restarts=restarts, without=self.target.without,
                                   avoided=self.target.departs, passes=passes)
        self.summary["programs"] += 1
        self.summary["steps"] += len(program)
        self.summary["restarts"] += restarts
        self.summary["passes"] += passes
        finding = first_difference(program, self.endpoint, self.answers)
        if finding is not None and finding.signature not in self.seen:
            self.seen.add(finding.signature)
            self.report(program[: finding.step + 1], finding)

    def count(self, seed, kind, most):
        """How many steps of a kind, 1 to `most`, the program of a seed has."""
        if most == 0 or kind in self.target.without:
            return 0
        return random.Random(seed).randint(1, most)

    def report(self, program, finding):
        """Shrinks the program and prints it."""
        print(f"difference: {finding.words}\nshrinking {len(program)} steps", flush=True)

        def fails(candidate):
            try:
                if any(map(self.target.departs, candidate)):
                    return False
                found = first_difference(candidate, self.endpoint)
            except (NoProgram, *steps.MALFORMED):
                return False
            return found is not None and found.signature == finding.signature

        program = shrink(program, fails)
        finding = first_difference(program, self.endpoint) or finding
        print(f"shortest: {finding.words}")
        print(json.dumps(program, ensure_ascii=True), flush=True)

    def replay(self, program):
        """Runs one program and tells the first difference. True when there is none."""
        with self.process:
            finding = first_difference(program, self.endpoint)
        print("no difference" if finding is None else f"step {finding.step}: {finding.words}")
        return finding is None


def fix_order_of_sets():
    """Starts Python again if sets have another order each time: a seed would name no program."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        fixed = {**os.environ, "PYTHONHASHSEED": "0"}
        os.execve(sys.executable, [sys.executable, *sys.argv], fixed)


def main():
    long = os.environ.get("MAILROOM_LONG") == "1"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    # The short form is the same each time: what it finds, a change has made.
    chance = random.SystemRandom().randrange(1 << 32) if long else SHORT_SEED
    parser.add_argument("--seed", type=int, default=chance)
    parser.add_argument("--target", choices=TARGETS, default="mailroom")
    parser.add_argument("--programs", type=int, default=10**9 if long else SHORT_PROGRAMS)
    parser.add_argument("--seconds", type=float, default=LONG_SECONDS if long else SHORT_SECONDS)
    parser.add_argument("--findings", type=int, default=1, help="stop after so many kinds")
    parser.add_argument("--replay", metavar="FILE", help="run the program in FILE instead")
    options = parser.parse_args()
    target = TARGETS[options.target]
    if not target.installed():
        print(f"{options.target} is not installed: skipped")
        return SKIPPED
    driver = Driver(options.seed, target)
    if options.replay:
        with open(options.replay, encoding="utf-8") as file:
            return 0 if driver.replay(json.load(file)) else 1
    print(f"seed {options.seed}", flush=True)
    summary = driver.run(options.programs, options.seconds, options.findings)
    print(json.dumps(summary))
    return 1 if summary["differences"] else 0


if __name__ == "__main__":
    fix_order_of_sets()
    sys.exit(main())
