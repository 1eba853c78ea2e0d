#!/usr/bin/env python3
"""People from a file, beside PostgreSQL that takes the same ones in batches of a thousand rows.

    python3 bench/people/compare_import.py build/release/mailroom [--people 1000000]

Both sides are durable. PostgreSQL gets statements that are written out before the clock starts;
Mailroom's clock runs from the upload of the CSV to the last person.
"""
import argparse
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from crowd import TAGS, as_csv, people
from side_mailroom import Mailroom
from side_postgres import Postgres


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--dir", help="on a disk; for the data of both")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    file = as_csv(people(options.people)).encode()
    ratios = []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory(dir=options.dir) as folder:
            pathlib.Path(folder).chmod(0o755)
            with Mailroom(folder, options.binary) as mailroom:
                ours, created = mailroom.import_people(file)
            if created != options.people:
                sys.exit(f"{created} of {options.people} people were made")
            with Postgres(folder) as postgres:
                theirs = postgres.import_people(people(options.people), TAGS)
        ratios.append(theirs / ours)
        for name, seconds in ((Mailroom.name, ours), (Postgres.name, theirs)):
            print(f"{name:<12}{seconds:8.1f} s {options.people / seconds:10,.0f} people/s",
                  flush=True)
    print(f"{sorted(ratios)[len(ratios) // 2]:.2f} times as fast as PostgreSQL")


if __name__ == "__main__":
    main()
