"""Our client hands mail to Postfix, which relays it to smtp-sink."""

import os
import time
import unittest

import peers

MESSAGE = "From: ann@sender.example\r\nSubject: hello\r\n\r\nA dot:\r\n.\r\nend\r\n"


def mail(*recipients, **changes):
    plain = {"sender": "ann@sender.example", "recipients": recipients, "message": MESSAGE}
    return plain | changes


@unittest.skipUnless(os.geteuid() == 0, "Postfix's master starts as root only")
class AgainstPostfix(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sink = cls.enterClassContext(peers.Sink())
        cls.postfix = cls.enterClassContext(peers.Postfix(cls.sink))

    def send(self, *mails, **changes):
        job = {
            "host": "relay.example",
            "port": self.postfix.port,
            "tls": "required",
            "ca_file": self.postfix.ca_file,
            "user": self.postfix.USER,
            "password": self.postfix.PASSWORD,
            "mails": mails,
        }
        return peers.send(**(job | changes))

    def wait_for_mails(self, word, count):
        """The mails at the sink with `word` in them, once there are as many, or after 30 s."""
        end = time.monotonic() + 30
        while True:
            arrived = [text for text in self.sink.mails() if word in text]
            if len(arrived) >= count or time.monotonic() > end:
                return arrived
            time.sleep(0.1)

    def verdict(self, *mails, **changes):
        results, _ = self.send(*mails, **changes)
        verdict = results[0]["recipients"][0]
        return verdict["outcome"], verdict["stage"], verdict["code"]

    def test_mail_goes_through_with_starttls_and_login(self):
        # Mails of the other tests may arrive at any time.
        message = MESSAGE.replace("hello", "through with STARTTLS")
        results, counts = self.send(*[mail("bob@peer.example", message=message)] * 3)
        for result in results:
            self.assertEqual(result["recipients"][0]["outcome"], "accepted", result)
            self.assertTrue(result["tls"].startswith("TLSv1.3"), result["tls"])
        self.assertEqual(counts, {"opened": 1, "reused": 2})
        self.assertIn("> AUTH PLAIN ****\n< 235 2.7.0", results[0]["transcript"])
        arrived = self.wait_for_mails(b"through with STARTTLS", 3)
        self.assertEqual(len(arrived), 3)
        self.assertIn(b"A dot:\n.\nend\n", arrived[-1])

    def test_implicit_tls(self):
        got = self.verdict(mail("bob@peer.example"), port=self.postfix.tls_port, tls="implicit")
        self.assertEqual(got, ("accepted", "message", 250))

    def test_each_recipient_has_its_own_answer(self):
        results, _ = self.send(
            mail("bob@peer.example", "nobody@peer.example", "busy@peer.example")
        )
        got = [(r["outcome"], r["code"], r["status"]) for r in results[0]["recipients"]]
        self.assertEqual(got[0][:2], ("accepted", 250))
        self.assertEqual(got[1], ("refused_for_good", 550, "5.1.1"))
        self.assertEqual(got[2], ("refused_for_now", 450, "4.2.1"))

    def test_without_login_postfix_refuses(self):
        got = self.verdict(mail("bob@peer.example"), user="")
        self.assertEqual(got, ("refused_for_good", "recipient", 554))

    def test_a_wrong_password_is_for_now(self):
        got = self.verdict(mail("bob@peer.example"), password="wrong")
        self.assertEqual(got, ("refused_for_now", "login", 535))

    def test_a_certificate_nobody_knows_is_refused(self):
        results, _ = self.send(mail("bob@peer.example"), ca_file="")
        verdict = results[0]["recipients"][0]
        self.assertEqual((verdict["outcome"], verdict["stage"]), ("refused_for_now", "tls"))
        self.assertIn("self-signed", verdict["text"])
        results, _ = self.send(mail("bob@peer.example"), host="other.example")
        self.assertIn("another host", results[0]["recipients"][0]["text"])

    def test_a_message_that_is_too_big_is_not_sent(self):
        results, _ = self.send(mail("bob@peer.example", message="x" * 2_000_000))
        verdict = results[0]["recipients"][0]
        self.assertEqual((verdict["outcome"], verdict["stage"]), ("refused_for_good", "check"))
        self.assertEqual(verdict["status"], "5.3.4")


if __name__ == "__main__":
    unittest.main()
