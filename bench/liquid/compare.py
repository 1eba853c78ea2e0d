"""python3 compare.py BENCH_LIQUID [SECONDS]

Renders the same mail with all three engines, one after the other on one core, and prints how many
times faster ours is. Seconds are of processor time, so a busy machine does not blur the result.
LiquidJS is the one installed in tests/wire/liquid; Jinja2 must be installed for this Python.
"""
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def measure(command):
    environment = dict(os.environ)
    environment.setdefault("LIQUIDJS_FROM", str(HERE / "../../tests/wire/liquid/package.json"))
    command = ["taskset", "-c", "0", *command]
    run = subprocess.run(command, check=True, capture_output=True, env=environment)
    return json.loads(run.stdout)


def main():
    program = sys.argv[1]
    seconds = sys.argv[2] if len(sys.argv) > 2 else "3"
    ours = measure([program, seconds])
    peers = {
        "LiquidJS": measure(["node", str(HERE / "bench_liquidjs.mjs"), seconds]),
        "Jinja2": measure([sys.executable, str(HERE / "bench_jinja.py"), seconds]),
    }
    rate = ours["renders_per_second"]
    print(f"{'Mailroom':10} {rate:>10.0f} renders/s  {ours['bytes']} bytes")
    for name, result in peers.items():
        peer_rate = result["renders_per_second"]
        times = f"ours is {rate / peer_rate:.1f} times as fast"
        print(f"{name:10} {peer_rate:>10.0f} renders/s  {result['bytes']} bytes  {times}")


main()
