"""Runs a program on a terminal of its own, as a shell with job control, and plays a script.

Reads JSON from standard input: argv, environment, columns, rows, ignored (signals that the program
ignores from its start), and steps, each a list:
["expect", TEXT] waits until the text was written after what was expected before, or is shown and
was not shown then,
["send", TEXT] types, ["resize", COLUMNS, ROWS] resizes, ["signal", NUMBER] sends a signal,
["run", ARGV] runs another program to its end, ["stopped"] waits until the program is stopped, and
takes the terminal back with the shell's own settings, ["settings"] changes the shell's settings,
["continue"] gives the terminal to the program and continues it, ["background"] only continues it.

Writes JSON: output (what the program wrote, as Latin-1), status (as of waitpid), restored (whether
`stty -g` at the end is that of the shell), stops (for each stop the length of the output so far,
and whether `stty -g` was that of the shell), and missing (the text that did not come, or null).
"""

import codecs
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

import pyte

LIMIT_SECONDS = 60


def settings(descriptor):
    """Returns the settings of a terminal as the program stty writes them."""
    return subprocess.run(
        ["stty", "-g"], stdin=descriptor, check=True, capture_output=True
    ).stdout


class SilentScreen(pyte.Screen):
    """A screen that answers nothing. pyte 0.8.2 fails on a request with a question mark."""

    def report_device_status(self, *_, **__):
        pass

    def report_device_attributes(self, *_, **__):
        pass

    def text(self):
        rows = range(self.lines)
        return "\n".join(
            "".join(self.buffer[row][column].data for column in range(self.columns)) for row in rows
        )


class Shell:
    """The leader of the terminal's session, and the program that it runs."""

    def __init__(self, script):
        self.script = script
        self.deadline = time.monotonic() + LIMIT_SECONDS
        self.output = b""
        self.seen = 0
        self.screen = SilentScreen(script["columns"], script["rows"])
        self.stream = pyte.Stream(self.screen)
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.shown = ""
        self.stops = []
        self.missing = None
        os.setsid()
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        self.resize(script["columns"], script["rows"])
        self.own = termios.tcgetattr(self.slave)
        self.child = os.fork()
        if self.child == 0:
            self.become_program()
        try:
            os.setpgid(self.child, self.child)
        except OSError:
            # The program has set it, and started.
            pass

    def become_program(self):
        os.setpgid(0, 0)
        os.tcsetpgrp(self.slave, os.getpid())
        # What started the tests may ignore these, as nohup does, and a child inherits that.
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            ignored = number in self.script.get("ignored", [])
            signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)
        for descriptor in (0, 1, 2):
            os.dup2(self.slave, descriptor)
        os.closerange(3, 256)
        os.execve(self.script["argv"][0], self.script["argv"], self.script["environment"])

    def resize(self, columns, rows):
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)
        self.screen.resize(rows, columns)

    def read_some(self, seconds):
        """Returns whether there was output."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            more = os.read(self.master, 65536)
        except OSError:
            return False
        self.output += more
        # pyte loses what follows a character without width in the same piece.
        for scalar in self.decoder.decode(more):
            self.stream.feed(scalar)
        return bool(more)

    def wait(self, options):
        """Waits for a change of the program's state while reading what it writes."""
        while time.monotonic() < self.deadline:
            self.read_some(0.02)
            done, status = os.waitpid(self.child, os.WNOHANG | options)
            if done:
                while self.read_some(0):
                    pass
                return status
        return None

    def take_back(self):
        status = self.wait(os.WUNTRACED)
        if status is None or not os.WIFSTOPPED(status):
            self.missing = "the stop of the program"
            return
        before = settings(self.slave)
        os.tcsetpgrp(self.slave, os.getpgrp())
        termios.tcsetattr(self.slave, termios.TCSANOW, self.own)
        self.stops.append([len(self.output), before == settings(self.slave)])

    def play(self, step):
        kind, values = step[0], step[1:]
        if kind == "send":
            os.write(self.master, values[0].encode("utf-8"))
        elif kind == "resize":
            self.resize(*values)
        elif kind == "signal":
            os.kill(self.child, values[0])
        elif kind == "run":
            environment = self.script["environment"]
            subprocess.run(values[0], env=environment, check=True, stdout=subprocess.DEVNULL)
        elif kind == "stopped":
            self.take_back()
        elif kind == "settings":
            # Another key that interrupts, and no echo.
            self.own[3] ^= termios.ECHO
            self.own[6][termios.VINTR] = b"\x18"
            termios.tcsetattr(self.slave, termios.TCSANOW, self.own)
        elif kind == "continue":
            os.tcsetpgrp(self.slave, self.child)
            os.killpg(self.child, signal.SIGCONT)
        elif kind == "background":
            os.killpg(self.child, signal.SIGCONT)
        else:
            self.expect(values[0])

    def expect(self, text):
        wanted = text.encode("utf-8")
        # A frame has only the cells that changed, so a text that is shown may not be written whole.
        isNew = text not in self.shown
        while time.monotonic() < self.deadline:
            found = self.output.find(wanted, self.seen)
            display = self.screen.text()
            if found >= 0:
                self.seen = found + len(wanted)
            elif isNew and text in display:
                self.seen = len(self.output)
            else:
                self.read_some(0.2)
                continue
            self.shown = display
            return
        self.missing = text

    def run(self):
        for step in self.script["steps"]:
            self.play(step)
            if self.missing is not None:
                os.kill(self.child, signal.SIGKILL)
                break
        status = self.wait(0)
        if status is None:
            os.kill(self.child, signal.SIGKILL)
            status = os.waitpid(self.child, 0)[1]
            self.missing = self.missing or "the end of the program"
        now = settings(self.slave)
        os.tcsetpgrp(self.slave, os.getpgrp())
        termios.tcsetattr(self.slave, termios.TCSANOW, self.own)
        return {
            "output": self.output.decode("latin-1"),
            "status": status,
            "restored": now == settings(self.slave),
            "stops": self.stops,
            "missing": self.missing,
        }


def main():
    # The threads of a test runner block signals, and a child inherits that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    # A process that leads a group cannot lead a session.
    child = os.fork()
    if child != 0:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    for number in (signal.SIGTTOU, signal.SIGTTIN, signal.SIGTSTP, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    json.dump(Shell(json.load(sys.stdin)).run(), sys.stdout)


main()
