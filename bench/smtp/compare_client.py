"""python3 compare_client.py BENCH_SMTP_CLIENT [MAILS] [ROUNDS]

Sends the same number of 10 KB mails over 16 sessions to Postfix's smtp-sink, with Postfix's
smtp-source and with our client, in turn, and prints both rates and the ratio of the medians. Both
keep their connections for the whole run (smtp-source -d; without it smtp-source connects anew for
every mail, and the figure would be one of connecting). smtp-source does not pipeline: it has no
option for it. Times are those of the whole process.
"""
import os
import socket
import statistics
import subprocess
import sys
import time

from postfix import MESSAGE_BYTES, SESSIONS, free_port, tool

WANTED = 0.7


def start_sink(port):
    user = ["-u", "nobody"] if os.geteuid() == 0 else []
    sink = subprocess.Popen([tool("smtp-sink"), *user, f"127.0.0.1:{port}", "1000"])
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return sink
        except OSError:
            time.sleep(0.01)
    sys.exit("smtp-sink does not answer")


def rate(command, mails):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return mails / (time.perf_counter() - start)


def main():
    program = sys.argv[1]
    mails = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    port = free_port()
    sink = start_sink(port)
    address = f"127.0.0.1:{port}"
    size = str(MESSAGE_BYTES)
    source = [tool("smtp-source"), "-d", "-s", str(SESSIONS), "-m", str(mails), "-l", size, address]
    ours = [program, "127.0.0.1", str(port), str(SESSIONS), str(mails), size]
    try:
        theirs_rates, our_rates = [], []
        for _ in range(rounds):
            theirs_rates.append(rate(source, mails))
            our_rates.append(rate(ours, mails))
    finally:
        sink.terminate()
        sink.wait()
    theirs, our = statistics.median(theirs_rates), statistics.median(our_rates)
    print(f"{'smtp-source':12} {theirs:>8.0f} mails/s")
    print(f"{'Mailroom':12} {our:>8.0f} mails/s  {our / theirs:.2f} of smtp-source")
    sys.exit(our < WANTED * theirs)


main()
