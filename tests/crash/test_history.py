"""The checker of histories knows good from bad."""

import random
import unittest

from history import NEVER, Operation, is_linearizable


def write(value, invoked, returned):
    return Operation("write", invoked, returned, value)


def read(value, invoked, returned):
    return Operation("read", invoked, returned, value)


def swap(expected, value, invoked, returned, swapped=True):
    return Operation("swap", invoked, returned, value, expected, swapped)


class Histories(unittest.TestCase):
    def test_histories_that_some_order_explains_are_accepted(self):
        rows = [
            ("nothing happened", []),
            ("one after the other", [write(1, 0, 1), read(1, 2, 3)]),
            ("absent at first", [read(None, 0, 1), write(1, 2, 3)]),
            ("a read during a write sees either", [write(1, 0, 9), read(None, 1, 2),
                                                   read(1, 3, 4)]),
            ("overlapping writes in either order", [write(1, 0, 5), write(2, 0, 5),
                                                    read(1, 6, 7)]),
            ("one of two swaps wins", [write(1, 0, 1), swap(1, 2, 2, 5), swap(1, 3, 2, 5, False)]),
            ("a write without answer that happened", [write(1, 0, NEVER), read(1, 5, 6)]),
            ("a write without answer that did not", [write(1, 0, NEVER), read(None, 5, 6)]),
            ("a write without answer that happened late",
             [write(1, 0, NEVER), read(None, 5, 6), read(1, 7, 8)]),
        ]
        for claim, history in rows:
            with self.subTest(claim):
                self.assertTrue(is_linearizable(history))

    def test_histories_that_no_order_explains_are_found(self):
        rows = [
            ("a stale read", [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)]),
            ("a lost write", [write(1, 0, 1), read(None, 2, 3)]),
            ("a value from nowhere", [write(1, 0, 1), read(7, 2, 3)]),
            ("two winners of one swap", [write(1, 0, 1), swap(1, 2, 2, 5), swap(1, 3, 2, 5)]),
            ("a swap refused without reason", [write(1, 0, 1), swap(1, 2, 2, 3, False)]),
            ("time runs backwards between two readers",
             [write(1, 0, 10), read(1, 1, 2), read(None, 3, 4)]),
            ("an unanswered write undone", [write(1, 0, NEVER), read(1, 5, 6), read(None, 7, 8)]),
        ]
        for claim, history in rows:
            with self.subTest(claim):
                self.assertFalse(is_linearizable(history))

    def test_a_long_true_history_is_accepted_and_one_wrong_value_in_it_is_found(self):
        chance = random.Random(7)
        state, history, clock = None, [], 0.0
        for value in range(400):
            clock += 1
            around = (clock - chance.random() * 3, clock + chance.random() * 3)
            if chance.random() < 0.5:
                history.append(write(value, *around))
                state = value
            else:
                history.append(read(state, *around))
        self.assertTrue(is_linearizable(history))
        history.append(read(0 if state != 0 else 1, clock + 10, clock + 11))
        self.assertFalse(is_linearizable(history))


if __name__ == "__main__":
    unittest.main()
