"""One program on the model and on an endpoint, side by side."""

from dataclasses import dataclass

import steps
from compare import difference
from endpoint import Broken
from model import Model
from step_requests import Requests
from values import Refusal


# Steps that are no single request.
WITHOUT_REQUEST = ("restart", "pass", "stream", "restore")


@dataclass
class Finding:
    """Where a program went apart. `signature` is equal for differences of one kind."""

    step: int
    words: str
    signature: tuple


class NoProgram(Exception):
    """The model cannot follow: steps that make no sense, or answers that nobody decided."""


def expectations(program):
    """The model's answer, or Refusal, for each step. Raises NoProgram."""
    model = Model()
    expected = []
    for step in program:
        try:
            steps.check(step)
            if step["do"] not in WITHOUT_REQUEST:
                Requests("").of(step)
            expected.append(model.apply(step))
        except Refusal as refusal:
            expected.append(refusal)
        except Exception as error:  # A step cut in pieces may fail in any way.
            raise NoProgram(repr(error)) from error
    return expected


def first_difference(program, endpoint, count=None):
    """The first Finding, or None. Raises NoProgram before the endpoint sees anything. `count` is a
    Counter of answers."""
    expected = expectations(program)
    endpoint.begin()
    try:
        for number, (step, answer) in enumerate(zip(program, expected)):
            actual = _answer(endpoint, step)
            if count is not None:
                count[step["do"], _kind(actual)] += 1
            words = difference(answer, actual) if not isinstance(actual, Broken) else str(actual)
            if words is not None:
                return Finding(number, words, (step["do"], _kind(answer), _kind(actual)))
    finally:
        endpoint.end()
    return None


def _answer(endpoint, step):
    try:
        return endpoint.apply(step)
    except (Refusal, Broken) as error:
        return error


def _kind(answer):
    if isinstance(answer, Refusal):
        return answer.kind
    return "broken" if isinstance(answer, Broken) else "answer"
