#!/usr/bin/env python3
"""Fills the disk under the server while mails pass through it, and counts what arrived.

While it is full, nothing is acknowledged, reading goes on and the server lives; when there is room
again, it goes on by itself. Once more with a SIGKILL while it is full. Then the same claims as
in mail_driver.py. The disk is a small file system in memory, so this needs the right to mount one:
exits 77 where there is none.
"""

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time

from mail_client import MailClient
from mail_driver import KEY, Driver

DISK = "size=640m"
# The log has room set aside, which mails fill up even if nothing else is left.
TEXT_BYTES = 150_000
MAILS = 900
FULL_SECONDS = 3.0
WAIT_SECONDS_MAX = 60
SKIPPED = 77
PIECE = b"x" * 65536


@contextlib.contextmanager
def small_disk():
    point = tempfile.mkdtemp(prefix="mailroom-disk-")
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", DISK, "mailroom", point], check=True,
                       capture_output=True)
        try:
            yield point
        finally:
            subprocess.run(["umount", "--lazy", point], check=True)
    finally:
        os.rmdir(point)


class FullDisk(Driver):
    def __init__(self, seed, disk):
        super().__init__(seed, kills=0, mails=MAILS, data=os.path.join(disk, "data"),
                         text_bytes=TEXT_BYTES)
        self.ballast = os.path.join(disk, "ballast")
        # What the server says must find its place elsewhere.
        self.server.log_path = disk + ".stderr"

    def disturb(self):
        each = self.wanted // 5
        for with_kill in (False, True):
            self.release(each)
            self.wait_for(lambda: self.answered() > self.released - each // 2, "mails")
            self.fill()
            self.release(each)
            self.watch_it_refuse()
            if with_kill:
                self.server.kill()
                self.summary["kills"] += 1
                os.unlink(self.ballast)
                self.server.start()
            else:
                os.unlink(self.ballast)
            self.wait_for(self.is_ready, "readiness")
            self.wait_for(lambda: self.answered() == self.released, "the rest")
            self.watch_the_log(with_kill)
        self.release(self.wanted)

    def is_ready(self):
        client = MailClient(self.server.http, KEY)
        status, _ = client.call("GET", "/readyz")
        client.close()
        return status == 200

    def watch_the_log(self, with_kill):
        """It says why, and not for every mail: a commit that was under way when the disk became
        full may have another reason than those after it."""
        lines = self.server.log().splitlines()
        reasons = [line for line in lines if "commits fail" in line]
        times = 2 if with_kill else 1
        if not times <= len(reasons) <= 3 * times or "the disk is full" not in reasons[-1]:
            self.faults.append(f"the log gives no reason, or too often: {reasons[:5]}")
        if not any("commits succeed again" in line for line in lines):
            self.faults.append("the log does not say that it works again")

    def fill(self):
        """Until not even one byte fits."""
        with open(self.ballast, "ab", buffering=0) as file:
            for piece in (PIECE, b"x"):
                with contextlib.suppress(OSError):
                    while True:
                        file.write(piece)

    def watch_it_refuse(self):
        self.wait_for(lambda: self.put_off > 0, "a refusal")
        # Those that were under way are settled by now, one way or the other.
        time.sleep(FULL_SECONDS / 2)
        self.fill()
        before = set(self.acknowledged)
        refused = self.put_off
        time.sleep(FULL_SECONDS)
        self.faults += [f"{mail} was acknowledged on a full disk"
                        for mail in self.acknowledged.keys() - before]
        if self.put_off == refused:
            self.faults.append("nothing was refused on a full disk")
        if not self.server.alive():
            self.faults.append("the server ended on a full disk")
        client = MailClient(self.server.http, KEY)
        known = {each["id"] for each in client.mails()}
        status, answer = client.call("GET", "/readyz")
        if status != 503 or "the disk is full" not in answer["error"]["message"]:
            self.faults.append(f"it is ready on a full disk: {status} {answer}")
        client.close()
        self.faults += [f"{name} cannot be read on a full disk" for name in before
                        if self.acknowledged[name] not in known]
        self.put_off = 0

    @staticmethod
    def wait_for(condition, what):
        deadline = time.monotonic() + WAIT_SECONDS_MAX
        while not condition():
            if time.monotonic() > deadline:
                raise RuntimeError(f"waited in vain for {what}")
            time.sleep(0.005)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    try:
        with small_disk() as disk:
            driver = FullDisk(options.seed, disk)
            summary = driver.run()
            if summary["faults"]:
                print(driver.server.log()[-4000:])
            os.unlink(driver.server.log_path)
    except subprocess.CalledProcessError as error:
        print(f"no disk can be mounted here: {error.stderr}")
        return SKIPPED
    print(json.dumps(summary, indent=2))
    return 1 if summary["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
