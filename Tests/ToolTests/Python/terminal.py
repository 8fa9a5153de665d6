"""Runs a program on a terminal of its own and plays a script against it.

Reads JSON from standard input: argv, environment, columns, rows, and steps, each a list:
["expect", TEXT] waits until the text was written after what was expected before,
["send", TEXT] types, ["resize", COLUMNS, ROWS] resizes, ["signal", NUMBER] sends a signal,
["run", ARGV] runs another program to its end.

Writes JSON: output (what the program wrote, as Latin-1), status (as of waitpid), restored (whether
the terminal's attributes at the end are those of the beginning), and missing (the text that did not
come, or null).
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

LIMIT_SECONDS = 60


def resize(descriptor, columns, rows):
    size = struct.pack("HHHH", rows, columns, 0, 0)
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, size)


def read_some(descriptor, seconds):
    ready, _, _ = select.select([descriptor], [], [], seconds)
    if not ready:
        return b""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


def main():
    # The threads of a test runner block signals, and a child inherits that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    script = json.load(sys.stdin)
    master, slave = pty.openpty()
    resize(slave, script["columns"], script["rows"])
    before = termios.tcgetattr(slave)
    child = os.fork()
    if child == 0:
        # What started the tests may ignore these, as nohup does, and a child inherits that.
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for descriptor in (0, 1, 2):
            os.dup2(slave, descriptor)
        os.closerange(3, 256)
        os.execve(script["argv"][0], script["argv"], script["environment"])
    output = b""
    seen = 0
    missing = None
    deadline = time.monotonic() + LIMIT_SECONDS
    for step in script["steps"]:
        if step[0] == "send":
            os.write(master, step[1].encode("utf-8"))
        elif step[0] == "resize":
            resize(master, step[1], step[2])
        elif step[0] == "signal":
            os.kill(child, step[1])
        elif step[0] == "run":
            subprocess.run(
                step[1], env=script["environment"], check=True, stdout=subprocess.DEVNULL
            )
        else:
            wanted = step[1].encode("utf-8")
            while output.find(wanted, seen) < 0 and time.monotonic() < deadline:
                output += read_some(master, 0.2)
            found = output.find(wanted, seen)
            if found < 0:
                missing = step[1]
                os.kill(child, 9)
                break
            seen = found + len(wanted)
    status = None
    while status is None and time.monotonic() < deadline:
        output += read_some(master, 0.05)
        done, value = os.waitpid(child, os.WNOHANG)
        status = value if done else None
    if status is None:
        os.kill(child, 9)
        status = os.waitpid(child, 0)[1]
        missing = missing or "the end of the program"
    while True:
        more = read_some(master, 0)
        if not more:
            break
        output += more
    restored = termios.tcgetattr(slave) == before
    result = {
        "output": output.decode("latin-1"),
        "status": status,
        "restored": restored,
        "missing": missing,
    }
    json.dump(result, sys.stdout)


main()
