"""python3 compare_build.py BENCH_BUILD [SECONDS]

Builds the same three messages with bench_build and with nodemailer's composer, one after the other
on one core, and prints how many times faster ours is. Seconds are of processor time, so a busy
machine does not blur the result.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def measure(*command):
    run = subprocess.run(["taskset", "-c", "0", *command], check=True, capture_output=True)
    return json.loads(run.stdout)


def main():
    program = sys.argv[1]
    seconds = sys.argv[2] if len(sys.argv) > 2 else "2"
    with tempfile.TemporaryDirectory() as parts:
        subprocess.run([sys.executable, str(HERE / "make_parts.py"), parts], check=True)
        for kind in ("plain", "alternative", "attachment"):
            ours = measure(program, parts, kind, seconds)
            peer = measure("node", str(HERE / "bench_build_nodemailer.mjs"), parts, kind, seconds)
            times = ours["mails_per_second"] / peer["mails_per_second"]
            print(f"{kind:12} Mailroom {ours['mails_per_second']:>8.0f} mails/s"
                  f" ({ours['bytes']} bytes)  nodemailer {peer['mails_per_second']:>7.0f} mails/s"
                  f" ({peer['bytes']} bytes)  {times:.1f} times (8 wanted)")


main()
