#!/usr/bin/env python3
"""People from end to end, beside PostgreSQL that holds the same ones as list managers on it do.

    python3 bench/people/compare_segments.py build/release [--people 1000000]

People are taken in durably: by Mailroom's server as one CSV file over HTTP, from the first byte of
it to the last person; by PostgreSQL as statements of a thousand rows that were written out before.
Counts are milliseconds: PostgreSQL's as its own client says them, Mailroom's from a request over
HTTP to its answer. Expanding is handing out everybody with a tag, with their attributes, in batches
of a thousand; both sides over a connection.
"""
import argparse
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from crowd import TAGS, as_csv, people
from side_postgres import Postgres
from side_segments import Mailroom

TAG, PLAN, COUNTRY, DAYS = TAGS[7], "pro", "DE", 30
COUNTS = ("two attributes and a tag", "opened, not clicked")
MEGABYTE = 2**20


def measured(side):
    return {"two attributes and a tag": side.count_attributes_and_tag(PLAN, COUNTRY, TAG),
            "opened, not clicked": side.count_opened_not_clicked(DAYS),
            "expanding a tag": side.expand_tag(TAG)}


def check(ours, theirs, what):
    """Days are counted from now on each side, which is a little later on the second one."""
    if abs(ours - theirs) > 0.001 * max(ours, theirs):
        sys.exit(f"{what}: Mailroom has {ours}, PostgreSQL {theirs}")


def report(mailroom, postgres):
    for what in COUNTS:
        (ours, our_ms), (theirs, their_ms) = mailroom[what], postgres[what]
        check(ours, theirs, what)
        print(f"{what:<26}{ours:>8} people {our_ms:8.1f} ms {their_ms:8.1f} ms "
              f"{their_ms / our_ms:6.1f} times as fast", flush=True)
    (our_rate, ours, our_cpu), (their_rate, theirs, their_cpu) = (
        side["expanding a tag"] for side in (mailroom, postgres))
    check(ours, theirs, "expanding a tag")
    print(f"{'expanding a tag':<26}{ours:>8} people {our_rate:8,.0f}/s {their_rate:8,.0f}/s "
          f"{our_rate / their_rate:6.1f} times as fast; processors were busy for "
          f"{our_cpu:.2f} s and {their_cpu:.2f} s", flush=True)


def take_in(mailroom, postgres, count):
    file = as_csv(people(count)).encode()
    with mailroom:
        ours = mailroom.import_people(file, count)
        most, cpu = mailroom.resident_bytes("VmHWM"), mailroom.cpu_seconds()
    theirs = postgres.import_people(people(count), TAGS)
    print(f"{'taking people in':<26}{count:>8} people {ours:8.1f} s  {theirs:8.1f} s  "
          f"{theirs / ours:6.2f} times as fast", flush=True)
    print(f"processors were busy for {cpu:.1f} s and {postgres.import_cpu_seconds:.1f} s; "
          f"Mailroom took at most {most / MEGABYTE:.0f} MB, with a file of "
          f"{len(file) / MEGABYTE:.0f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--dir", help="on a disk; for the data of both")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.dir) as folder:
        pathlib.Path(folder).chmod(0o755)
        mailroom, postgres = Mailroom(folder, options.build), Postgres(folder)
        with postgres:
            take_in(mailroom, postgres, options.people)
            postgres.note_engagement(people(options.people))
            kept = mailroom.note_deeds(people(options.people), TAG)
            with mailroom:
                counted, waited = mailroom.seconds_until_counted()
                print(f"a restarted server served after {mailroom.start_seconds:.1f} s and counted "
                      f"after {counted:.1f} s; until then it asked {waited} times to come later",
                      flush=True)
                for _ in range(options.rounds):
                    report(measured(mailroom), measured(postgres))
                print(f"Mailroom takes {mailroom.resident_bytes() / MEGABYTE:.0f} MB")
        print(f"in process: {kept['people']} people kept durably in {kept['keep']:.2f} s and "
              f"handed out in {kept['hand_out']:.2f} s; all read into memory in "
              f"{kept['read']:.1f} s, where they take {kept['bytes'] / MEGABYTE:.0f} MB")


if __name__ == "__main__":
    main()
