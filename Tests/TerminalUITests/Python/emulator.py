"""Shows bytes on an emulated terminal, and prints its cells when it is asked to.

  emulator.py pyte   by pyte, which gets one character at a time: it loses the rest of a piece after
                     a character of no cells
  emulator.py tmux   by a window of tmux

Commands are lines of the standard input: `open COLUMNS ROWS` begins with a new terminal, `resize
COLUMNS ROWS` changes its size, `feed HEX` writes bytes to it, `show` prints an object of JSON on a
line:

  rows         for each row, the text of its cells; an empty one after a character of two cells
  styles       for each row, runs of cells: their count, the letters of their attributes, and the
               colors of letters and background: `-` for the terminal's own, a number, or #rrggbb
  cursor       its row and column
  isHidden     whether the cursor is hidden
  isAlternate  whether the alternate screen is shown; pyte has none

`Emulators/vterm.c` is the same by libvterm.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import pyte
import wcwidth

# The letters of attributes: bold, faint, italic, underlined, reversed, struck.
SGR_LETTERS = {1: "b", 2: "f", 3: "i", 4: "u", 7: "r", 9: "s"}
PYTE_LETTERS = {
    "bold": "b", "italics": "i", "underscore": "u", "reverse": "r", "strikethrough": "s",
}


def runs(styles):
    """The runs of equal styles."""
    result = []
    for style in styles:
        if result and result[-1][1] == style:
            result[-1][0] += 1
        else:
            result.append([1, style])
    return [f"{count} {style}" for count, style in result]


class SilentScreen(pyte.Screen):
    """A screen that answers nothing. pyte 0.8.2 fails on a request with a question mark."""

    def report_device_status(self, *_, **__):
        pass

    def report_device_attributes(self, *_, **__):
        pass


class Pyte:
    """A terminal of pyte."""

    names = {"default": "-"}
    for index, name in enumerate(("black", "red", "green", "brown", "blue", "magenta", "cyan",
                                  "white")):
        names[name] = str(index)
        names["bright" + name] = str(index + 8)

    def open(self, columns, rows):
        self.screen = SilentScreen(columns, rows)
        self.stream = pyte.Stream(self.screen)

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)

    def feed(self, data):
        for character in data.decode("utf-8"):
            self.stream.feed(character)

    def color(self, name):
        return self.names.get(name) or f"#{name}"

    def style(self, cell):
        letters = "".join(
            letter for name, letter in PYTE_LETTERS.items() if getattr(cell, name))
        return f"{letters or '-'} {self.color(cell.fg)} {self.color(cell.bg)}"

    def show(self):
        screen = self.screen
        lines = [
            [screen.buffer[row][column] for column in range(screen.columns)]
            for row in range(screen.lines)
        ]
        return {
            "rows": [[cell.data for cell in line] for line in lines],
            "styles": [runs(self.style(cell) for cell in line) for line in lines],
            "cursor": [screen.cursor.y, min(screen.cursor.x, screen.columns - 1)],
            "isHidden": screen.cursor.hidden,
        }


class Tmux:
    """A window of tmux. The bytes are written to its terminal, on which nothing else runs."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="retrace-tmux-")
        self.environment = {
            **os.environ, "LC_ALL": "C.UTF-8", "TMUX_TMPDIR": self.folder.name}
        self.environment.pop("TMUX", None)
        self.settings = f"{self.folder.name}/settings"
        with open(self.settings, "w", encoding="utf-8") as file:
            file.write("set -g status off\n")
        self.count = 0
        self.terminal = None

    def tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-u", "-f", self.settings, *arguments], env=self.environment, check=True,
            stdout=subprocess.PIPE).stdout.decode("utf-8")

    def open(self, columns, rows):
        old, self.count = self.count, self.count + 1
        path = self.tmux(
            "new-session", "-d", "-P", "-F", "#{pane_tty}", "-s", f"s{self.count}", "-x",
            str(columns), "-y", str(rows),
            "stty raw -echo; tmux wait-for -S ready; exec sleep 100000").strip()
        self.tmux("wait-for", "ready")
        if self.terminal is not None:
            os.close(self.terminal)
            self.tmux("kill-session", "-t", f"s{old}")
        self.terminal = os.open(path, os.O_RDWR | os.O_NOCTTY)
        self.size = (columns, rows)

    def resize(self, columns, rows):
        self.fence()
        self.tmux(
            "resize-window", "-t", f"s{self.count}", "-x", str(columns), "-y", str(rows))
        self.size = (columns, rows)

    def feed(self, data):
        while data:
            data = data[os.write(self.terminal, data):]

    def fence(self):
        """Waits until tmux has read all: it answers where the cursor is."""
        self.feed(b"\x1b[6n")
        answer = b""
        while not re.search(rb"\x1b\[\d+;\d+R$", answer):
            answer += os.read(self.terminal, 4096)

    def show(self):
        self.fence()
        name = f"s{self.count}"
        keys = "#{cursor_y} #{cursor_x} #{cursor_flag} #{alternate_on} #{pane_width} #{pane_height}"
        row, column, visible, alternate, columns, rows = map(
            int, self.tmux("display-message", "-p", "-t", name, keys).split())
        if (columns, rows) != self.size:
            raise RuntimeError(f"tmux has {columns} by {rows} cells, not {self.size}")
        lines = TmuxCells(columns).lines(self.tmux("capture-pane", "-p", "-e", "-N", "-t", name))
        return {
            "rows": [[text for text, _ in line] for line in lines],
            "styles": [runs(style for _, style in line) for line in lines],
            "cursor": [row, min(column, columns - 1)],
            "isHidden": not visible,
            "isAlternate": bool(alternate),
        }

    def close(self):
        if self.terminal is not None:
            self.tmux("kill-server")


class TmuxCells:
    """Reads what tmux prints of a window: text, and sequences that select styles."""

    def __init__(self, columns):
        self.columns = columns
        self.letters, self.colors = set(), ["-", "-"]

    def style(self):
        letters = "".join(letter for letter in "biursf" if letter in self.letters)
        return f"{letters or '-'} {' '.join(self.colors)}"

    def lines(self, text):
        return [self.line(line) for line in text.split("\n")[:-1]]

    def line(self, text):
        cells = []
        for piece in re.split("(\x1b\\[[0-9;:]*m)", text):
            if piece.startswith("\x1b["):
                self.select(piece[2:-1])
                continue
            for character in piece:
                width = wcwidth.wcwidth(character)
                if width == 0 and cells:
                    place = -2 if cells[-1][0] == "" and len(cells) > 1 else -1
                    cells[place] = (cells[place][0] + character, cells[place][1])
                    continue
                cells.append((character, self.style()))
                if width == 2:
                    cells.append(("", self.style()))
        return cells + [(" ", "- - -")] * (self.columns - len(cells))

    def select(self, parameters):
        numbers = [int(number or 0) for number in re.split("[;:]", parameters)]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.letters, self.colors = set(), ["-", "-"]
            elif number in SGR_LETTERS:
                self.letters.add(SGR_LETTERS[number])
            elif number in (38, 48):
                if numbers.pop(0) == 5:
                    color = str(numbers.pop(0))
                else:
                    color = "#%02x%02x%02x" % tuple(numbers[:3])
                    numbers = numbers[3:]
                self.colors[number // 48] = color
            elif number in (39, 49):
                self.colors[number // 49] = "-"
            elif number // 10 in (3, 4):
                self.colors[number // 10 - 3] = str(number % 10)
            elif number // 10 in (9, 10):
                self.colors[number // 10 - 9] = str(number % 10 + 8)
            else:
                raise ValueError(f"tmux selects the style {parameters}")


def main():
    """Obeys the commands."""
    terminal = {"pyte": Pyte, "tmux": Tmux}[sys.argv[1]]()
    try:
        for line in sys.stdin:
            command, *values = line.split()
            if command == "feed":
                terminal.feed(bytes.fromhex(values[0] if values else ""))
            elif command == "show":
                print(json.dumps(terminal.show()))
            else:
                getattr(terminal, command)(int(values[0]), int(values[1]))
    finally:
        if isinstance(terminal, Tmux):
            terminal.close()


main()
