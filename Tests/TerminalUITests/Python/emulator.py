"""Shows bytes on an emulated terminal, and prints its cells after each step.

  emulator.py pyte   by pyte, which gets one character at a time: it loses the rest of a piece after
                     a character of no cells
  emulator.py tmux   by tmux, which shows the bytes of all steps at once; its cells have no styles

The input is one JSON object: columns, rows, and steps, each a list of bytes. The output has a line
for each step of pyte, and one line for tmux: a list of rows, each a list of cells. A cell of pyte
is its text and its attributes in letters, `""` for the second cell of a wide character. tmux gives
rows of text.
"""
import json
import os
import subprocess
import sys
import tempfile
import time


def pyte_cells(request):
    """The cells of pyte after each step."""
    import pyte

    screen = pyte.Screen(request["columns"], request["rows"])
    stream = pyte.Stream(screen)
    for step in request["steps"]:
        for character in bytes(step).decode("utf-8"):
            stream.feed(character)
        rows = []
        for row in range(screen.lines):
            line = screen.buffer[row]
            cells = []
            for column in range(screen.columns):
                cell = line[column]
                names = ("bold", "italics", "underscore", "strikethrough", "reverse")
                letters = "".join(name[0] for name in names if getattr(cell, name))
                cells.append([cell.data, letters, cell.fg, cell.bg])
            rows.append(cells)
        cursor = [screen.cursor.y, min(screen.cursor.x, screen.columns - 1)]
        yield {"rows": rows, "cursor": cursor, "hidden": screen.cursor.hidden}


def tmux_rows(request):
    """The rows of tmux after all steps."""
    with tempfile.TemporaryDirectory(prefix="retrace-tmux-") as folder:
        with open(f"{folder}/bytes", "wb") as file:
            for step in request["steps"]:
                file.write(bytes(step))
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TMUX_TMPDIR": folder}
        environment.pop("TMUX", None)

        def tmux(*arguments):
            return subprocess.run(
                ["tmux", "-u", "-f", "/dev/null", *arguments], env=environment, check=True,
                stdout=subprocess.PIPE).stdout.decode("utf-8")

        shell = f"stty raw -echo; cat {folder}/bytes; touch {folder}/shown; exec sleep 600"
        tmux(
            "new-session", "-d", "-x", str(request["columns"]), "-y", str(request["rows"]),
            shell, ";", "set-option", "status", "off", ";", "resize-window", "-x",
            str(request["columns"]), "-y", str(request["rows"]))
        try:
            while not os.path.exists(f"{folder}/shown"):
                time.sleep(0.01)
            # tmux reads what was written before it answers a client that is newer.
            last = None
            while True:
                rows = tmux("capture-pane", "-p", "-N")
                if rows == last:
                    break
                last = rows
                time.sleep(0.05)
        finally:
            tmux("kill-server")
    yield {"rows": rows.split("\n")[:request["rows"]]}


def main():
    """Reads the request and prints the answers."""
    request = json.load(sys.stdin)
    answers = {"pyte": pyte_cells, "tmux": tmux_rows}[sys.argv[1]]
    for answer in answers(request):
        print(json.dumps(answer))


main()
