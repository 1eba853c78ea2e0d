"""An SMTP server that remembers what it took, and may drop connections at the worst moment.

A message counts as offered when its final dot has been read, and as taken if it is not refused
then: whatever happens to the reply, a real server would keep it from then on.
"""

import asyncio
import collections
import random
import threading

SUBJECT = b"subject:"
SILENCE_SECONDS = 0.05


class RecordingSink:
    """Listens on 127.0.0.1 from `start` to `stop`, on a thread of its own."""

    def __init__(self, drop_share=0.0, defer_share=0.0, seed=0):
        self.drop_share = drop_share    # Of the messages: taken, then the connection ends.
        self.defer_share = defer_share  # Of the messages: refused for now after the final dot.
        self.random = random.Random(seed)
        self.silent = False                   # Takes connections and says nothing, while it is.
        self.open = 0                         # Connections.
        self.most_open = 0                    # Since it was last set.
        self.offered = collections.Counter()  # By subject.
        self.taken = collections.Counter()    # The same.
        self.dropped = collections.Counter()  # Those of them that got no answer.
        self.port = None
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self.thread.start()
        self.ready.wait()
        return self

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def _run(self):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(
            asyncio.start_server(self._session, "127.0.0.1", 0, limit=1 << 20))
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        self.loop.run_forever()
        server.close()

    async def _session(self, reader, writer):
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            while self.silent and not reader.at_eof():
                await asyncio.sleep(SILENCE_SECONDS)
            writer.write(b"220 sink ESMTP\r\n")
            while await self._command(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            writer.close()

    async def _command(self, reader, writer):
        line = await reader.readline()
        verb = line[:4].upper()
        if not line.endswith(b"\n") or verb == b"QUIT":
            writer.write(b"221 bye\r\n")
            return False
        if verb == b"EHLO":
            writer.write(b"250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n")
        elif verb == b"DATA":
            writer.write(b"354 go on\r\n")
            await writer.drain()
            return await self._message(reader, writer)
        else:
            writer.write(b"250 fine\r\n")
        await writer.drain()
        return True

    async def _message(self, reader, writer):
        subject = b""
        while (line := await reader.readline()) != b".\r\n":
            if not line.endswith(b"\n"):
                return False  # The connection ended before the final dot: nothing was taken.
            if not subject and line[:len(SUBJECT)].lower() == SUBJECT:
                subject = line[len(SUBJECT):].strip()
        name = subject.decode()
        self.offered[name] += 1
        chance = self.random.random()
        if chance < self.defer_share:
            writer.write(b"451 not now\r\n")
            return True
        self.taken[name] += 1
        if chance < self.defer_share + self.drop_share:
            self.dropped[name] += 1
            return False
        writer.write(b"250 taken\r\n")
        await writer.drain()
        return True
