"""python3 compare.py BENCH_LIQUID [SECONDS]

Renders the same mail with all three engines, three times in turns on one core, and prints how many
times faster ours is (the median, and the lowest and highest of the turns). Seconds are of processor
time, so a busy machine blurs the result less.
LiquidJS is the one installed in tests/wire/liquid; Jinja2 must be installed for this Python.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 3


def measure(command):
    environment = dict(os.environ)
    environment.setdefault("LIQUIDJS_FROM", str(HERE / "../../tests/wire/liquid/package.json"))
    command = ["taskset", "-c", "0", *command]
    run = subprocess.run(command, check=True, capture_output=True, env=environment)
    return json.loads(run.stdout)


def main():
    program = sys.argv[1]
    seconds = sys.argv[2] if len(sys.argv) > 2 else "3"
    commands = {
        "Mailroom": [program, seconds],
        "LiquidJS": ["node", str(HERE / "bench_liquidjs.mjs"), seconds],
        "Jinja2": [sys.executable, str(HERE / "bench_jinja.py"), seconds],
    }
    rates = {name: [] for name in commands}
    sizes = {}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            result = measure(command)
            rates[name].append(result["renders_per_second"])
            sizes[name] = result["bytes"]
    for name, own in rates.items():
        line = f"{name:10} {statistics.median(own):>10.0f} renders/s  {sizes[name]} bytes"
        if name != "Mailroom":
            times = sorted(ours / peer for ours, peer in zip(rates["Mailroom"], own))
            line += (f"  ours is {statistics.median(times):.1f} times as fast"
                     f" ({times[0]:.1f} to {times[-1]:.1f})")
        print(line)


main()
