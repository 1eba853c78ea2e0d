#!/usr/bin/env python3
"""Opens of mails, each durable before its picture is answered: Mailroom beside nginx's empty_gif,
which takes no note of anything, and beside fastify with PostgreSQL.

    python3 compare.py BUILD_DIRECTORY [--seconds 10] [--connections 64] [--rounds 1] [--mails 5000]

The sides take turns. Mailroom makes events of the opens while it answers others; how long it still
needed for that at the end is told.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from side_fastify import Fastify
from side_opens import Mailroom
from side_nginx import Nginx

NOTED_SECONDS_MAX = 1800


def load(arguments, side, paths, folder):
    file = pathlib.Path(folder) / "paths"
    file.write_text("".join(path + "\n" for path in paths))
    command = [arguments.build / "bench/tracking/get_load", str(side.port),
               str(arguments.connections), str(arguments.seconds), str(file)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{side.name} did not answer as it should")
    return json.loads(done.stdout)


def measure_mailroom(arguments, folder, minted):
    with Mailroom(folder, arguments.build) as side:
        minted += side.mint(arguments.mails)
        side.send([mail for mail, _ in minted])
        result = load(arguments, side, [f"/t/o/{token}" for _, token in minted], folder)
        kept = side.kept()
        if kept < result["requests"]:
            sys.exit(f"{result['requests'] - kept:.0f} opens were not kept")
        waited = side.wait_until_noted(NOTED_SECONDS_MAX) if arguments.until_noted else None
    return result, waited


def measure(arguments, side_type, folder, mails):
    with side_type(folder) as side:
        return load(arguments, side, list(side.paths(mails)), folder)


def show(name, results):
    rate = statistics.median(result["rate"] for result in results)
    print(f"{name:22} {rate:9.0f} a second   p50 "
          f"{statistics.median(result['p50_ms'] for result in results):7.2f} ms   p99 "
          f"{statistics.median(result['p99_ms'] for result in results):7.2f} ms")
    return rate


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--mails", type=int, default=5000)
    parser.add_argument("--until-noted", action="store_true",
                        help="wait until every open is an event, and tell how long that took")
    arguments = parser.parse_args()
    results = {"Mailroom": [], Nginx.name: [], Fastify.name: []}
    for _ in range(arguments.rounds):
        with tempfile.TemporaryDirectory(dir=arguments.build) as folder:
            pathlib.Path(folder).chmod(0o755)
            minted = []
            result, waited = measure_mailroom(arguments, folder, minted)
            results["Mailroom"].append(result)
            mails = [mail for mail, _ in minted]
            for side_type in (Nginx, Fastify):
                results[side_type.name].append(measure(arguments, side_type, folder, mails))
        if waited is not None:
            print(f"all opens were events {waited:.1f} s after the last answer")
    rates = {name: show(name, of_side) for name, of_side in results.items()}
    print(f"Mailroom: {rates['Mailroom'] / rates[Nginx.name]:.2f} of nginx, "
          f"{rates['Mailroom'] / rates[Fastify.name]:.1f} times fastify with PostgreSQL")


if __name__ == "__main__":
    main()
