"""Repaints a table of Textual after it scrolled, without a terminal.

    textual_table.py ROWS FRAMES < TEXTS

Each line of the standard input is the cells of a row, separated by tabs; row i is line i modulo
their number. For each frame the cursor moves on by a page and the whole table is repainted. The
last line printed is `FRAMES LAST-ROW MILLISECONDS`: the processor time from each change until its
bytes are written. Time in which Textual waits for its next frame is left out.
"""

import asyncio
import sys
import time

from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.widgets import DataTable

ROWS, FRAMES = int(sys.argv[1]), int(sys.argv[2])
TEXTS = [line.rstrip("\n").split("\t") for line in sys.stdin]


class CountingDriver(HeadlessDriver):
    """A driver that takes the bytes of frames as a terminal does, and drops them."""

    written = 0
    last = 0.0

    @property
    def is_headless(self):
        return False

    def write(self, data):
        CountingDriver.written += len(data)
        CountingDriver.last = time.thread_time()


class Repaint(App):
    CSS = "DataTable { height: 1fr; }"

    def compose(self):
        yield DataTable(cursor_type="row")

    async def on_mount(self):
        table = self.query_one(DataTable)
        table.add_columns("Start", "Time", "Description", "Project", "Tags")
        table.add_rows(TEXTS[i % len(TEXTS)] for i in range(ROWS))
        self.run_worker(self.repaint_all())

    async def repaint_all(self):
        table = self.query_one(DataTable)
        await asyncio.sleep(1)
        total = 0.0
        # The first frame warms up.
        for frame in range(FRAMES + 1):
            row = 55 * (frame + 1) % ROWS
            before, start = CountingDriver.written, time.thread_time()
            table.move_cursor(row=row, animate=False)
            self.refresh()
            while CountingDriver.written < before + 4096:
                await asyncio.sleep(0.001)
            # What Textual still paints of this frame belongs to it.
            await asyncio.sleep(0.05)
            if frame > 0:
                total += CountingDriver.last - start
        self.exit(f"{FRAMES} {table.cursor_row} {total * 1000}")


print(asyncio.run(Repaint(driver_class=CountingDriver).run_async(size=(200, 60))))
