"""python3 compare_server.py BENCH_SMTP_SERVER [MESSAGES] [ROUNDS]

Sends the same mails with Postfix's smtp-source, 16 sessions, 10 KB each, to Postfix's smtp-sink and
to ours, in turn, and prints both rates and the ratio. One run keeps each session open for many
mails (smtp-source -d), one connects anew for each mail: the second shows what connections cost.
Figures are the medians of the rounds.
"""
import json
import socket
import statistics
import subprocess
import sys
import time

from postfix import MESSAGE_BYTES, SESSIONS, free_port, tool


def wait_for(port):
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.01)
    sys.exit("the server does not answer")


class Sink:
    name = "smtp-sink"

    def __enter__(self):
        port = free_port()
        self.address = f"127.0.0.1:{port}"
        command = [tool("smtp-sink"), "-u", "nobody", self.address, "1000"]
        if subprocess.run(["id", "-u"], capture_output=True, text=True).stdout.strip() != "0":
            del command[1:3]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        wait_for(port)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Ours:
    name = "mailroom"

    def __init__(self, program):
        self.program = program

    def __enter__(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[1]
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.received = json.loads(self.process.stdout.read())
        self.process.wait()


def rate(server, messages, flags):
    with server:
        command = [tool("smtp-source"), *flags, "-s", str(SESSIONS), "-m", str(messages),
                   "-l", str(MESSAGE_BYTES), "-f", "a@example.com", "-t", "b@example.com",
                   "inet:" + server.address]
        start = time.monotonic()
        subprocess.run(command, check=True)
        seconds = time.monotonic() - start
    if server.name == "mailroom" and server.received["messages"] != messages:
        sys.exit(f"only {server.received['messages']} of {messages} mails arrived")
    return messages / seconds


def main():
    program = sys.argv[1]
    messages = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    print(f"{SESSIONS} sessions, {messages} mails of {MESSAGE_BYTES} bytes, {rounds} rounds")
    for title, flags in (("kept sessions", ["-d"]), ("a connection each", [])):
        rates = {"smtp-sink": [], "mailroom": []}
        for _ in range(rounds):
            for server in (Sink(), Ours(program)):
                rates[server.name].append(rate(server, messages, flags))
        sink, ours = (statistics.median(rates[name]) for name in ("smtp-sink", "mailroom"))
        figures = f"smtp-sink {sink:8.0f}/s  mailroom {ours:8.0f}/s  ratio {ours / sink:.2f}"
        print(f"{title:18} {figures}")


main()
