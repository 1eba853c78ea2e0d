#!/usr/bin/env python3
"""Opens of mails, each durable before its picture is answered: Mailroom beside nginx's empty_gif,
which takes no note of anything, and beside fastify with PostgreSQL.

    python3 compare.py BUILD_DIRECTORY [--seconds 10] [--connections 64,512,2048] [--rounds 3]

The sides take turns, and who begins does, too: the ratios of each round are told, and how busy the
machine was when it began: its load average, and how often its disk synced 4 KB in a second.
Mailroom makes events of the opens a little later; with --until-noted, how long it still needed for
that at the end is told.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from side_fastify import Fastify
from side_opens import Mailroom
from side_nginx import Nginx

SIDES = (Mailroom, Nginx, Fastify)
NOTED_SECONDS_MAX = 3600
# As a browser asks for the picture in a mail.
REQUEST = ("GET {} HTTP/1.1\r\nHost: mail.example.com\r\nUser-Agent: Mozilla/5.0 (X11; Linux "
           "x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\nAccept: image/avif,image/webp,*/*\r\n"
           "Accept-Language: en\r\n\r\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", default="64,512,2048", help="of the clients")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mails", type=int, default=5000, help="that are opened in turns")
    parser.add_argument("--until-noted", action="store_true",
                        help="wait until every open is an event, and tell how long that took")
    parser.add_argument("--only", default="", help="names of sides, separated by commas")
    options = parser.parse_args()
    options.build = options.build.resolve()
    return options


def syncs_a_second(folder):
    count, end = 0, time.monotonic() + 1
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        while time.monotonic() < end:
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            count += 1
    return count


def load(options, side, mails, connections):
    requests = "\0".join(REQUEST.format(path) for path in side.paths(mails))
    command = [options.build / "bench/load/http_load", str(side.port), str(connections),
               f"{options.seconds}s", "200"]
    done = subprocess.run(command, input=requests.encode(), stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{side.name} did not answer as it should")
    return json.loads(done.stdout)


def check_kept(options, side, result):
    """None was answered that is not kept; and they become events."""
    kept = side.kept()
    if kept < result["requests"]:
        sys.exit(f"{result['requests'] - kept:.0f} opens were not kept")
    print(f"  {side.noted():.0f} of {kept:.0f} opens were events when the last was answered")
    if options.until_noted:
        seconds = side.wait_until_noted(NOTED_SECONDS_MAX)
        print(f"  all of them were {seconds:.1f} s later")


def measure(options, side_type, mails, connections):
    with tempfile.TemporaryDirectory(dir=options.build) as folder:
        pathlib.Path(folder).chmod(0o755)
        with side_type(folder, options.build) as side:
            if side_type is Mailroom:
                side.send(mails)
            result = load(options, side, mails, connections)
            if side_type is Mailroom:
                check_kept(options, side, result)
    print(f"  {side.name:22} {result['rate']:9.0f} a second   p50 {result['p50_ms']:7.2f} ms   "
          f"p99 {result['p99_ms']:7.2f} ms   generator {result['busy']:4.0%} busy", flush=True)
    return result


def compare(options, sides, connections):
    rounds = []
    for number in range(options.rounds):
        print(f"{connections} connections, round {number + 1}, load average "
              f"{os.getloadavg()[0]:.1f}, {syncs_a_second(options.build)} syncs a second",
              flush=True)
        mails = Mailroom.mint_mails(options.build, options.mails)
        turn = number % len(sides)
        rounds.append({side.name: measure(options, side, mails, connections)
                       for side in sides[turn:] + sides[:turn]})
    return rounds


def show(connections, rounds):
    for name in rounds[0]:
        rate, p50, p99 = (statistics.median(one[name][key] for one in rounds)
                          for key in ("rate", "p50_ms", "p99_ms"))
        line = (f"{connections:5} connections  {name:22} {rate:9.0f} a second   p50 {p50:7.2f} ms"
                f"   p99 {p99:7.2f} ms")
        if name != Mailroom.name and Mailroom.name in rounds[0]:
            ratios = [one[Mailroom.name]["rate"] / one[name]["rate"] for one in rounds]
            line += (f"   Mailroom {statistics.median(ratios):.2f} times: "
                     f"{' '.join(f'{ratio:.2f}' for ratio in ratios)}")
        print(line)


def main():
    options = arguments()
    wanted = [name for name in options.only.split(",") if name]
    sides = tuple(side for side in SIDES if not wanted or side.name in wanted)
    if len(sides) != (len(wanted) or len(SIDES)):
        sys.exit(f"the sides are {', '.join(side.name for side in SIDES)}")
    results = [(int(number), compare(options, sides, int(number)))
               for number in options.connections.split(",")]
    for connections, rounds in results:
        show(connections, rounds)


if __name__ == "__main__":
    main()
