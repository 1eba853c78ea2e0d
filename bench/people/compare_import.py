#!/usr/bin/env python3
"""People from a file, beside PostgreSQL that takes the same ones in batches of a thousand rows.

    python3 bench/people/compare_import.py build/release [--people 1000000]

Both sides are durable. PostgreSQL gets statements that are written out before the clock starts.
Mailroom gets CSV in its own process: its clock runs from the check of the file to the last person.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from crowd import TAGS, as_csv, people
from side_postgres import Postgres


def import_here(build, folder, file, count):
    """Seconds."""
    command = [build / "bench/people/people_import", folder / "mailroom", file]
    done = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    if done["created"] != count:
        sys.exit(f"{done['created']} of {count} people were made")
    return done["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--dir", help="on a disk; for the data of both")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    ratios = []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory(dir=options.dir) as folder:
            folder = pathlib.Path(folder)
            folder.chmod(0o755)
            file = folder / "people.csv"
            file.write_text(as_csv(people(options.people)), encoding="utf-8")
            ours = import_here(options.build, folder, file, options.people)
            with Postgres(folder) as postgres:
                theirs = postgres.import_people(people(options.people), TAGS)
        ratios.append(theirs / ours)
        for name, seconds in (("Mailroom", ours), (Postgres.name, theirs)):
            print(f"{name:<12}{seconds:8.1f} s {options.people / seconds:10,.0f} people/s",
                  flush=True)
    print(f"{min(ratios):.2f} to {max(ratios):.2f} times as fast as PostgreSQL")


if __name__ == "__main__":
    main()
