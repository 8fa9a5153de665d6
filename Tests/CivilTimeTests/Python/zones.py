#!/usr/bin/env python3
"""Answers questions about time zones by Python's zoneinfo, for the tests of CivilTime.

    zones.py changes FOLDER      every change of the offset of every zone, up to 2060
    zones.py answer FOLDER       answers the questions on standard input, one on each line:
                                   Z ID   the zone of the next questions
                                   I N    the offset N seconds after 1970
                                   L N    the seconds after 1970 at which clocks show the local time
                                          N, or the change that skips it: `0 second before after`
                                   D N    the first second of the day N days after 1970
    zones.py rules SEED COUNT    random rules such as CET-1CEST,M3.5.0,M10.5.0/3, each with seconds
                                 and offsets

All times are whole seconds. FOLDER is that of the tz database.
"""

import calendar
import datetime
import io
import os
import random
import struct
import sys
import time
import zoneinfo

EPOCH = datetime.datetime(1970, 1, 1)
HORIZON = calendar.timegm((2060, 1, 1, 0, 0, 0))


def naive(second):
    return EPOCH + datetime.timedelta(seconds=second)


def seconds(moment):
    return (moment - EPOCH) // datetime.timedelta(seconds=1)


def shown(zone, second):
    """What clocks show, as seconds after 1970."""
    utc = naive(second).replace(tzinfo=datetime.timezone.utc)
    return seconds(utc.astimezone(zone).replace(tzinfo=None))


def offset(zone, second):
    return shown(zone, second) - second


def first(low, high, holds):
    """The first integer in (low, high] for which `holds`, which is false at low, true at high."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def transitions(path):
    """The transitions in a file, read by the layout of RFC 9636."""
    with open(path, "rb") as file:
        data = file.read()
    at, size, code = 0, 4, "l"
    if data[4] >= ord("2"):
        isut, isstd, leap, times, types, chars = struct.unpack_from(">6l", data, 20)
        at = 44 + times * 5 + types * 6 + chars + leap * 8 + isstd + isut
        size, code = 8, "q"
    times = struct.unpack_from(">6l", data, at + 20)[3]
    return list(struct.unpack_from(">%d%s" % (times, code), data, at + 44))


def changes(zone, path):
    found = []
    table = [t for t in transitions(path) if t > -5_000_000_000]
    for second in table:
        before, after = offset(zone, second - 1), offset(zone, second)
        if before != after:
            found.append((second, before, after))
    # After the last transition a rule may apply, which is looked for month by month.
    low = max(table[-1] if table else 0, 0)
    before = offset(zone, low)
    while low < HORIZON:
        high = low + 28 * 86_400
        after = offset(zone, high)
        if before != after:
            found.append(
                (first(low, high, lambda s: offset(zone, s) != before), before, after))
        low, before = high, after
    return found


def local(zone, second):
    """The seconds at which clocks show a local time, or the change that skips it."""
    shown_time = naive(second)
    offsets = [
        shown_time.replace(tzinfo=zone, fold=fold).utcoffset() // datetime.timedelta(seconds=1)
        for fold in (0, 1)]
    found = sorted({second - o for o in offsets if shown(zone, second - o) == second})
    if found:
        return found, None
    # In a gap, fold 0 has the offset before it and fold 1 the one after it.
    before, after = offsets
    assert before < after
    change = first(second - after, second - before, lambda s: shown(zone, s) > second)
    assert offset(zone, change - 1) == before and offset(zone, change) == after
    return found, (change, before, after)


def answer(folder):
    zone = None
    out = []
    for line in sys.stdin:
        kind, value = line.split()
        if kind == "Z":
            zone = zoneinfo.ZoneInfo(value)
        elif kind == "I":
            out.append("%d" % offset(zone, int(value)))
        else:
            number = int(value) if kind == "L" else int(value) * 86_400
            found, gap = local(zone, number)
            if kind == "D":
                out.append("%d" % (found[0] if found else gap[0]))
            elif found:
                out.append(" ".join(map(str, [len(found)] + found)))
            else:
                out.append("0 %d %d %d" % gap)
    print("\n".join(out))


def list_changes(folder):
    for id in sorted(zoneinfo.available_timezones()):
        found = changes(zoneinfo.ZoneInfo(id), os.path.join(folder, id))
        print(id, len(found), *[n for change in found for n in change])


def clock(second):
    text = "-" if second < 0 else random.choice(["", "+"])
    second = abs(second)
    text += random.choice(["%d", "%02d"]) % (second // 3_600)
    if second % 3_600:
        text += ":%02d" % (second // 60 % 60)
        if second % 60:
            text += ":%02d" % (second % 60)
    return text


class Change:
    """A random day of each year with a time, as text and as a function of the year."""

    def __init__(self):
        kind = random.choice("JJ0MMMM")
        if kind == "J":
            self.number = random.choice([1, 2, 59, 60, 364, 365, random.randint(1, 365)])
            self.text = "J%d" % self.number
            self.day = self.julian
        elif kind == "0":
            self.number = random.choice([0, 58, 59, 364, 365, random.randint(0, 365)])
            self.text = "%d" % self.number
            self.day = lambda year: datetime.date(year, 1, 1).toordinal() + self.number
        else:
            self.month = random.choice([1, 12, random.randint(1, 12)])
            self.week, self.weekday = random.randint(1, 5), random.randint(0, 6)
            self.text = "M%d.%d.%d" % (self.month, self.week, self.weekday)
            self.day = self.nth
        self.time = 7_200
        if random.random() < 0.7:
            self.time = random.choice([
                0, 3_600 * random.randint(-167, 167), random.randint(-601_200, 601_200)])
            self.text += "/" + clock(self.time)

    def julian(self, year):
        # 2001 is no leap year: the date of the day is the same in every year.
        date = datetime.date(2001, 1, 1) + datetime.timedelta(days=self.number - 1)
        return date.replace(year=year).toordinal()

    def nth(self, year):
        days = [
            datetime.date(year, self.month, day)
            for day in range(1, calendar.monthrange(year, self.month)[1] + 1)]
        days = [day for day in days if day.isoweekday() % 7 == self.weekday]
        return (days[self.week - 1] if self.week <= len(days) else days[-1]).toordinal()

    def second(self, year, offset):
        return (self.day(year) - EPOCH.toordinal()) * 86_400 + self.time - offset


def from_rule(text):
    """The zone of a file that has nothing but a rule."""
    header = b"TZif2" + bytes(15)
    block = struct.pack(">6l", 0, 0, 0, 0, 1, 4) + struct.pack(">lBB", 0, 0, 0) + b"UTC\0"
    file = io.BytesIO(header + block + header + block + b"\n" + text.encode() + b"\n")
    return zoneinfo.ZoneInfo.from_file(file)


def rules(seed, count):
    random.seed(seed)
    for _ in range(count):
        standard = random.choice([
            random.randint(-12, 14) * 3_600, random.randint(-86_399, 86_399)])
        name = random.choice(["CET", "<+0330>", "<-03>", "Abcdef"])
        text = name + clock(-standard)
        daylight = standard + 3_600
        if random.random() < 0.9:
            text += random.choice(["CEST", "<+04>"])
            if random.random() < 0.5:
                daylight = standard + random.choice([-3_600, 1_800, 7_200])
                daylight = max(-86_399, min(86_399, daylight))
                text += clock(-daylight)
            # The order of the two changes is the same in every year; else nobody says what holds.
            while True:
                begin, end = Change(), Change()
                lengths = [
                    end.second(year, daylight) - begin.second(year, standard)
                    for year in range(1995, 2035)]
                if max(lengths) < 0 or min(lengths) > 0:
                    break
            text += "," + begin.text + "," + end.text
            periods = []
            for year in range(1995, 2035):
                start, stop = begin.second(year, standard), end.second(year, daylight)
                if stop <= start:
                    stop = end.second(year + 1, daylight)
                periods.append((start, stop))
            edges = [n for period in periods[3:-3] for n in period]
        else:
            periods, edges = [], []
        zone = from_rule(text)
        os.environ["TZ"] = text
        time.tzset()
        asked = [random.randint(946_684_800, 1_893_456_000) for _ in range(20)]
        asked += [n + random.choice([-1, 0, 1]) for n in random.sample(edges, min(20, len(edges)))]
        out = []
        for second in asked:
            value = standard
            if any(start <= second < stop for start, stop in periods):
                value = daylight
            # The C library and zoneinfo apply the rule of one year alone, so they differ around New
            # Year. zoneinfo also counts days of the year in its own way.
            if 12 < naive(second).timetuple().tm_yday < 354:
                assert time.localtime(second).tm_gmtoff == value, (text, second, value)
                if text.count(",M") == 2 or "," not in text:
                    assert offset(zone, second) == value, (text, second, value)
            out += [second, value]
        print(text, len(asked), *out)


if __name__ == "__main__":
    if sys.argv[1] == "rules":
        rules(int(sys.argv[2]), int(sys.argv[3]))
    else:
        zoneinfo.reset_tzpath([sys.argv[2]])
        {"changes": list_changes, "answer": answer}[sys.argv[1]](sys.argv[2])
