"""Renders order.jinja with Jinja2 for the given number of seconds."""
import datetime
import json
import pathlib
import sys
import time

import jinja2

HERE = pathlib.Path(__file__).parent


def date(value, form):
    return datetime.datetime.fromisoformat(value.replace("Z", "+00:00")).strftime(form)


environment = jinja2.Environment(autoescape=True)
environment.filters["date"] = date
letter = environment.from_string((HERE / "order.jinja").read_text())
data = json.loads((HERE / "order.json").read_text())
seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
renders, size = 0, 0
start = time.process_time()
while time.process_time() - start < seconds:
    for _ in range(50):
        size = len(letter.render(data).encode())
    renders += 50
elapsed = time.process_time() - start
print(json.dumps({"renders_per_second": renders / elapsed, "bytes": size}))
