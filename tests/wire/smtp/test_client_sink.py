"""Our client against smtp-sink, with and without the extensions it can offer."""

import unittest

import peers

MESSAGE = "Subject: hello\r\n\r\nA dot:\r\n.\r\n..two\r\nlone\nline end"
ARRIVED = b"A dot:\n.\n..two\nlone\nline end\n"


def mail(**changes):
    plain = {"sender": "ann@sender.example", "recipients": ["bob@peer.example"], "message": MESSAGE}
    return plain | changes


class AgainstSink(unittest.TestCase):
    def test_messages_arrive_as_they_were(self):
        # -p: no PIPELINING; -8: no 8BITMIME; -e: no EHLO.
        for options in ([], ["-p"], ["-8"], ["-e"]):
            with self.subTest(options=options), peers.Sink(*options) as sink:
                results, counts = peers.send(port=sink.port, tls="none", mails=[mail()] * 3)
                for result in results:
                    self.assertEqual(result["recipients"][0]["outcome"], "accepted", result)
                self.assertEqual(counts, {"opened": 1, "reused": 2})
                mails = sink.mails()
                self.assertEqual(len(mails), 3)
                for text in mails:
                    self.assertTrue(text.rstrip(b"\n").endswith(ARRIVED.rstrip(b"\n")), text)

    def test_refusals_are_told_apart(self):
        cases = (
            (["-q", "connect"], "refused_for_now", "greeting"),
            (["-q", "ehlo"], "refused_for_now", "hello"),
            (["-q", "mail"], "refused_for_now", "sender"),
            (["-q", "rcpt"], "refused_for_now", "recipient"),
            (["-q", "data"], "refused_for_now", "data"),
            (["-q", "."], "unknown", "message"),
            (["-r", "mail"], "refused_for_now", "sender"),
            (["-r", "rcpt"], "refused_for_now", "recipient"),
            (["-r", "data"], "refused_for_now", "data"),
            (["-r", "."], "refused_for_now", "message"),
            (["-f", "mail"], "refused_for_good", "sender"),
            (["-f", "rcpt"], "refused_for_good", "recipient"),
            (["-f", "data"], "refused_for_good", "data"),
            (["-f", "."], "refused_for_good", "message"),
        )
        for options, outcome, stage in cases:
            with self.subTest(options=options), peers.Sink(*options) as sink:
                results, _ = peers.send(port=sink.port, tls="none", mails=[mail()])
                verdict = results[0]["recipients"][0]
                self.assertEqual((verdict["outcome"], verdict["stage"]), (outcome, stage), verdict)


if __name__ == "__main__":
    unittest.main()
