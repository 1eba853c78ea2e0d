"""What the drivers have in common on the command line."""

import argparse
import json
import os
import random


def is_long():
    """Whether the long form is asked for."""
    return os.environ.get("MAILROOM_LONG") == "1"


def run_driver(description, make, **counts):
    """Runs make(seed, *counts), each count an option of its own with this default, and prints the
    seed first and the summary as JSON last. 1 if the summary has faults."""
    parser = argparse.ArgumentParser(description=description)
    for name, default in counts.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    options = vars(parser.parse_args())
    print(f"seed {options['seed']}", flush=True)
    summary = make(options["seed"], *(options[name] for name in counts)).run()
    print(json.dumps(summary, indent=2))
    return 1 if summary["faults"] else 0
