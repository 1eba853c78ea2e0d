"""python3 compare.py BENCH_MJML [SECONDS]

Compiles three mails with bench_mjml and with npm's mjml, three times in turns on one core, and
prints how many times faster ours is (the median). Seconds are of processor time, so a busy machine
blurs the result less. The peer is the one installed in tests/wire/mjml.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PEER = HERE / "../../tests/wire/mjml"
MAILS = ("password_reset", "newsletter", "inline_styles")
ROUNDS = 3


def measure(*command):
    environment = {"MJML_FROM": str(PEER / "package.json"), **os.environ}
    command = ["taskset", "-c", "0", *command]
    run = subprocess.run(command, check=True, capture_output=True, env=environment)
    return json.loads(run.stdout)["mails_per_second"]


def compare(program, name, seconds):
    mail = str(PEER / "mails" / f"{name}.mjml")
    ours, peers = [], []
    for _ in range(ROUNDS):
        ours.append(measure(program, mail, seconds))
        peers.append(measure("node", str(HERE / "bench_mjml_npm.mjs"), mail, seconds))
    rate, peer = statistics.median(ours), statistics.median(peers)
    print(f"{name:15} Mailroom {rate:>8.0f} mails/s  mjml {peer:>6.0f} mails/s"
          f"  {rate / peer:.0f} times", flush=True)


def main():
    program = sys.argv[1]
    seconds = sys.argv[2] if len(sys.argv) > 2 else "2"
    for name in MAILS:
        compare(program, name, seconds)


main()
