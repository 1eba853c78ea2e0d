"""python3 compare_parse.py DIRECTORY [SECONDS]

Parses the same three mails with bench_parse and bench_parse_gmime of DIRECTORY and with npm's
mailparser, one after the other on one core, and prints how many times faster ours is. Seconds are
of processor time, so a busy machine does not blur the result.
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
    programs = pathlib.Path(sys.argv[1])
    seconds = sys.argv[2] if len(sys.argv) > 2 else "2"
    with tempfile.TemporaryDirectory() as mails:
        subprocess.run([sys.executable, str(HERE / "make_mails.py"), mails], check=True)
        for name in ("plain", "alternative", "attachment"):
            mail = f"{mails}/{name}.eml"
            ours = measure(str(programs / "bench_parse"), mail, seconds)
            gmime = measure(str(programs / "bench_parse_gmime"), mail, seconds)
            script = str(HERE / "bench_parse_mailparser.mjs")
            mailparser = measure("node", script, mail, seconds)
            rate = ours["mails_per_second"]
            print(f"{name} ({ours['bytes']} bytes)")
            print(f"  Mailroom   {rate:>9.0f} mails/s")
            for peer, result in (("GMime", gmime), ("mailparser", mailparser)):
                peer_rate = result["mails_per_second"]
                times = f"ours is {rate / peer_rate:.2f} times as fast"
                print(f"  {peer:10} {peer_rate:>9.0f} mails/s  {times}")


main()
