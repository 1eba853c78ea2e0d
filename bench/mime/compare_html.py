"""python3 compare_html.py BENCH_HTML [SECONDS]

Turns three pages into text and makes them safe to show, with bench_html and with npm's html-to-text
and sanitize-html, three times in turns on one core, and prints how many times faster ours is (the
median). Seconds are of processor time, so a busy machine does not blur the result.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 3
PEERS = {"text": "html-to-text", "safe": "sanitize-html"}


def measure(*command):
    run = subprocess.run(["taskset", "-c", "0", *command], check=True, capture_output=True)
    return json.loads(run.stdout)["pages_per_second"]


def compare(program, page, work, seconds):
    ours, peers = [], []
    for _ in range(ROUNDS):
        ours.append(measure(program, str(page), work, seconds))
        peers.append(measure("node", str(HERE / "bench_html_npm.mjs"), str(page), work, seconds))
    rate, peer = statistics.median(ours), statistics.median(peers)
    size = page.stat().st_size // 1000
    print(f"{page.stem:13} {size:>4} KB  Mailroom {rate:>7.0f} pages/s  {PEERS[work]:13}"
          f" {peer:>6.0f} pages/s  {rate / peer:.1f} times", flush=True)


def main():
    program = sys.argv[1]
    seconds = sys.argv[2] if len(sys.argv) > 2 else "2"
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([sys.executable, str(HERE / "make_pages.py"), directory], check=True)
        for work in PEERS:
            for page in sorted(pathlib.Path(directory).glob("*.html")):
                compare(program, page, work, seconds)


main()
