"""Requests that are made again after the server was killed in the middle of them."""

import http.client
import json
import threading
import unittest

from outbox_case import KEY, OutboxCase, email

CLIENTS = 8
ROUNDS = 3
NO_ANSWER = (OSError, http.client.HTTPException)


class Client(threading.Thread):
    """Posts single mails and lists of them, each with a key of its own, until nobody answers."""

    def __init__(self, address, name, made):
        super().__init__(daemon=True)
        self.address, self.name_of_keys, self.made = address, name, made

    def run(self):
        connection = http.client.HTTPConnection(*self.address, timeout=60)
        number = 0
        while True:
            number += 1
            key = f"{self.name_of_keys}-{number}"
            body = email() if number % 2 else {"emails": [email() for _ in range(20)]}
            self.made[key] = (body, None)
            try:
                connection.request("POST", "/v1/emails", json.dumps(body),
                                   {"Authorization": f"Bearer {KEY}", "Idempotency-Key": key})
                answer = connection.getresponse()
                self.made[key] = (body, (answer.status, answer.read()))
            except NO_ANSWER:
                connection.close()
                return


class Repeated(OutboxCase):
    def test_a_request_that_a_kill_cut_short_is_made_again_at_once_and_has_one_effect(self):
        self.known = set()
        for round_number in range(ROUNDS):
            made = {}
            clients = [Client(self.server.http, f"{round_number}-{each}", made)
                       for each in range(CLIENTS)]
            for client in clients:
                client.start()
            self.eventually(lambda: len(made), lambda count: count > 20 * CLIENTS)
            self.server.kill()
            for client in clients:
                client.join()
            self.server.start()
            # At once, as a client does that had no answer.
            cut_short = {key: body for key, (body, answer) in made.items() if answer is None}
            self.assertTrue(cut_short)
            for key, body in cut_short.items():
                first, second = (self.again(key, body) for _ in range(2))
                self.assertEqual(first, second)
            for key, (body, answer) in made.items():
                if answer is not None:
                    self.assertEqual(self.again(key, body), self.ids(*answer))
        # Whatever was done twice would be one more.
        self.assertEqual(self.accepted(), len(self.known))

    def again(self, key, body):
        answer = self.ask("POST", "/v1/emails", body, headers={"Idempotency-Key": key})
        return self.ids(answer.status, answer.body)

    def ids(self, status, body):
        self.assertEqual(status, 202, body)
        answer = json.loads(body)
        found = [each["id"] for each in answer.get("results", [answer])]
        self.known.update(found)
        return found

    def accepted(self):
        stats = self.ask("GET", "/v1/outbox/stats").json
        return sum(stats["states"].values())


if __name__ == "__main__":
    unittest.main()
