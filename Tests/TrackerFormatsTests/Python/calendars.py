#!/usr/bin/env python3
"""Writes random events and their occurrences, as Python libraries compute them.

    pip install icalendar==7.3.2 recurring-ical-events==3.8.2 python-dateutil==2.9.0.post0
    calendars.py SEED COUNT >../Golden/calendars.txt

The days and times of a rule are those of dateutil, and their moments those of zoneinfo. Where RFC
5545 says something else than dateutil, the RFC is followed here:

    count      DTSTART is the first occurrence, also if the rule does not give it
    gap        a time that clocks skip is no occurrence, and does not count
    position   BYSETPOS counts in the first week from its first day, not from DTSTART
    week       BYWEEKNO without BYDAY is the weekday of DTSTART
    length     with DTEND, all occurrences have the same real length

recurring-ical-events computes all of it again. If it differs, one of these words has to be the
reason, or one of two others; else the script fails. It prints the counts to standard error.

    twin       an occurrence at 8:00 goes with an EXDATE of another at 8:00 in UTC
    slow       it takes too long

Each case has a random generator of its own. A case is: `case NUMBER ZONE FROM TO`, the lines of the
calendar, and a line of the occurrences, `= START+LENGTH …`. FROM and TO are seconds since 1970, and
a start is the seconds after FROM or after the start before it. A length is written if it is another
than that before it. ZONE is that of the user.
"""

import datetime
import itertools
import random
import signal
import sys
import zoneinfo

import icalendar
import recurring_ical_events
from dateutil.rrule import rrulestr

UTC = datetime.timezone.utc
DAY = datetime.timedelta(days=1)
# The test has these rules as texts, so it does not depend on the machine's tz database.
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]
# The same rules as iCalendar has them. icalendar 7.3.2 writes summer time an hour too late.
LAST_OCTOBER = "BYMONTH=10;BYDAY=-1SU"
OBSERVANCES = {
    "Europe/Berlin": [
        ("STANDARD", LAST_OCTOBER, "+0200", "+0100"),
        ("DAYLIGHT", "BYMONTH=3;BYDAY=-1SU", "+0100", "+0200")],
    "America/New_York": [
        ("STANDARD", "BYMONTH=11;BYDAY=1SU", "-0400", "-0500"),
        ("DAYLIGHT", "BYMONTH=3;BYDAY=2SU", "-0500", "-0400")],
    "Australia/Lord_Howe": [
        ("STANDARD", "BYMONTH=4;BYDAY=1SU", "+1100", "+1030"),
        ("DAYLIGHT", "BYMONTH=10;BYDAY=1SU", "+1030", "+1100")],
    "Asia/Kolkata": [("STANDARD", None, "+0530", "+0530")],
}
NAMES = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
FREQUENCIES = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]


def stamp(moment):
    return int(moment.timestamp())


def second(local, zone):
    """The second of UTC of a local time, and whether clocks skip it (section 3.3.5)."""
    moment = local.replace(tzinfo=zone, fold=0)
    back = moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    return stamp(moment), back != local


def some(random_, values, most):
    return sorted(random_.sample(values, random_.randint(1, most)))


def signed(random_, limit):
    return list(range(1, limit + 1)) + list(range(-limit, 0))


class Case:
    """A random event."""

    def __init__(self, number, random_):
        self.number, self.random = number, random_
        self.reasons = set()
        self.user = random_.choice(ZONES)
        self.kind = random_.choice(["day", "floating", "zone", "zone", "zone", "utc", "own"])
        self.zone_name = random_.choice(ZONES) if self.kind in ("zone", "own") else self.user
        self.zone = UTC if self.kind == "utc" else zoneinfo.ZoneInfo(self.zone_name)
        self.frequency = random_.choice(FREQUENCIES[3 if self.kind == "day" else 0:])
        self.start = datetime.datetime(2008, 1, 1) + random_.randint(0, 6_500) * DAY
        if self.kind != "day":
            # Many times are in the hours in which clocks change.
            hour = random_.choice([1, 2, 2, 3, 9, 13, 22, 23])
            self.start += datetime.timedelta(hours=hour, minutes=random_.choice([0, 15, 30]))
        self.make_rule()
        self.make_length()
        self.make_starts()

    # The rule

    def make_rule(self):
        random_, parts = self.random, {}
        few = lambda chance: random_.random() < chance
        frequency = FREQUENCIES.index(self.frequency)
        if few(0.4):
            parts["INTERVAL"] = str(random_.randint(2, 5))
        if few(0.25):
            parts["WKST"] = random_.choice(NAMES)
        if few(0.3):
            parts["BYMONTH"] = some(random_, range(1, 13), 4)
        if frequency == 6 and few(0.2):
            parts["BYWEEKNO"] = some(random_, signed(random_, 52), 3)
        if frequency in (0, 1, 2, 6) and few(0.2):
            parts["BYYEARDAY"] = some(random_, signed(random_, 366), 5)
        if frequency != 4 and few(0.25):
            parts["BYMONTHDAY"] = some(random_, signed(random_, 31), 5)
        if few(0.45):
            days = random_.sample(NAMES, random_.randint(1, 4))
            if frequency > 4 and "BYWEEKNO" not in parts and few(0.6):
                limit = 5 if frequency == 5 or "BYMONTH" in parts else 53
                days = ["%d%s" % (random_.choice(signed(random_, limit)), day) for day in days]
            parts["BYDAY"] = days
        if self.kind != "day":
            if few(0.2):
                parts["BYHOUR"] = some(random_, range(24), 4)
            if few(0.2):
                parts["BYMINUTE"] = some(random_, range(60), 4)
            if few(0.1):
                parts["BYSECOND"] = some(random_, range(60), 3)
        if any(name.startswith("BY") for name in parts) and few(0.3):
            parts["BYSETPOS"] = some(random_, [1, 2, 3, 5, -1, -2, -3], 3)
        self.parts = {
            name: value if isinstance(value, str) else ",".join(map(str, value))
            for name, value in parts.items()}

    def text(self, parts):
        return ";".join(
            ["FREQ=" + self.frequency] + ["%s=%s" % part for part in parts.items()])

    def naive_starts(self):
        """The times on the clock that the rule gives, without end, by dateutil."""
        parts, start = dict(self.parts), self.start
        if self.frequency == "WEEKLY" and "BYSETPOS" in parts:
            # dateutil counts from DTSTART in the first week.
            parts.setdefault("BYDAY", NAMES[start.isoweekday() % 7])
            first = NAMES.index(parts.get("WKST", "MO"))
            start -= ((start.isoweekday() - first) % 7) * DAY
            self.reasons.add("position")
        if "BYWEEKNO" in parts and not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & set(parts):
            parts["BYDAY"] = NAMES[start.isoweekday() % 7]
            self.reasons.add("week")
        rule = rrulestr(self.text(parts), dtstart=start)
        return (time for time in rule if time >= self.start)

    # The length

    def make_length(self):
        random_ = self.random
        self.days, self.seconds, self.end = 0, 0, None
        if self.kind == "day":
            self.days = random_.choice([1, 1, 2, 5])
            self.end = self.start + self.days * DAY if random_.random() < 0.6 else None
            return
        self.seconds = random_.choice([0, 900, 3_600, 7_200, 30_000])
        if random_.random() < 0.5:
            self.end = self.start + datetime.timedelta(seconds=self.seconds)
            self.seconds = second(self.end, self.zone)[0] - second(self.start, self.zone)[0]
            if self.seconds < 0:
                self.end, self.seconds = None, 0
        elif random_.random() < 0.3:
            self.days = random_.choice([1, 2, 7])

    def length(self):
        days = "%dD" % self.days if self.days else ""
        time = "T%dS" % self.seconds if self.seconds or not days else ""
        return "P" + days + time

    def moments(self, start):
        """The seconds of UTC of the start and the end of an occurrence."""
        if self.kind == "day":
            zone = zoneinfo.ZoneInfo(self.user)
            return second(start, zone)[0], second(start + self.days * DAY, zone)[0]
        begin = second(start, self.zone)[0]
        return begin, max(begin, second(start + self.days * DAY, self.zone)[0] + self.seconds)

    # The occurrences

    def make_starts(self):
        random_ = self.random
        limit = self.start + random_.choice([40, 400, 4_000]) * DAY
        found = [self.start]
        for time in itertools.takewhile(lambda time: time < limit, self.naive_starts()):
            if time != self.start:
                if self.kind != "day" and second(time, self.zone)[1]:
                    self.reasons.add("gap")
                    continue
                found.append(time)
            if len(found) > 400:
                limit = time
                break
        # dateutil's first time is the start only if the rule gives it.
        if next(iter(self.naive_starts()), None) != self.start:
            self.reasons.add("count")
        if random_.random() < 0.3:
            self.parts["COUNT"] = str(random_.randint(1, max(1, len(found))))
            found = found[:int(self.parts["COUNT"])]
        elif random_.random() < 0.4:
            until = random_.choice(found)
            moment, _ = self.moments(until)
            form = "%Y%m%d" if self.kind == "day" else "%Y%m%dT%H%M%S"
            self.parts["UNTIL"] = until.strftime(form)
            if self.kind in ("zone", "own", "utc"):
                utc = datetime.datetime.fromtimestamp(moment, UTC)
                self.parts["UNTIL"] = utc.strftime("%Y%m%dT%H%M%SZ")
            found = [time for time in found if self.moments(time)[0] <= moment]
        self.excluded = random_.sample(found, min(len(found), random_.choice([0, 0, 0, 1, 2])))
        self.added = [
            self.start + random_.randint(1, 300) * DAY
            for _ in range(random_.choice([0, 0, 0, 1, 2]))]
        # An occurrence that is moved by two hours or a day.
        self.moved = None
        rest = [time for time in found if time not in self.excluded]
        if rest and random_.random() < 0.25:
            self.moved = random_.choice(rest)
            self.moved_to = self.moved + (DAY if self.kind == "day" else DAY / 12)
        starts = sorted(set(rest) | set(self.added) - set(self.excluded))
        starts = [time for time in starts if time != self.moved]
        moments = [self.moments(time) for time in starts]
        if self.moved:
            moments.append(self.moments(self.moved_to))
        if self.kind in ("zone", "own") and self.has_twin(found):
            self.reasons.add("twin")
        self.range = self.make_range(sorted(moments), second(limit, self.zone)[0])
        first, last = self.range
        self.expected = sorted(
            (begin, end) for begin, end in moments
            if begin < last and (end > first or begin == end and begin >= first))

    def has_twin(self, starts):
        """Whether an occurrence shows in UTC what another one, which is changed, shows locally."""
        def in_utc(times):
            return {datetime.datetime.fromtimestamp(second(time, self.zone)[0], UTC).replace(
                tzinfo=None) for time in times}

        other = self.excluded + ([self.moved] if self.moved else [])
        return bool(in_utc(other) & set(starts) or in_utc(starts) & set(other))

    def make_range(self, moments, limit):
        """A range with at most thirty occurrences, often at the edge of one."""
        first = self.random.choice(moments)[0] if moments else stamp(self.start.replace(tzinfo=UTC))
        # After the limit, the occurrences of the rule are unknown.
        first = min(first + self.random.choice([0, 1, -1, 1_800, -86_400]), limit - 1)
        after = [begin for begin, _ in moments if begin >= first]
        last = after[30] if len(after) > 30 else first + 400 * 86_400
        return first, max(first + 1, min(last, limit))

    # The calendar

    def lines(self):
        def property_(name, *times):
            if self.kind == "day":
                text = ",".join(time.strftime("%Y%m%d") for time in times)
                return "%s;VALUE=DATE:%s" % (name, text)
            zone = "" if self.kind in ("floating", "utc") else ";TZID=" + self.zone_id()
            form = "%Y%m%dT%H%M%S" + ("Z" if self.kind == "utc" else "")
            return "%s%s:%s" % (name, zone, ",".join(time.strftime(form) for time in times))

        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN"]
        if self.kind == "own":
            lines += self.zone_lines()
        event = ["BEGIN:VEVENT", "UID:case-%d" % self.number, "DTSTAMP:20260101T000000Z"]
        lines += event + [property_("DTSTART", self.start)]
        if self.end:
            lines.append(property_("DTEND", self.end))
        elif self.kind != "day" or self.days > 1:
            lines.append("DURATION:" + self.length())
        lines.append("RRULE:" + self.text(self.parts))
        if self.excluded:
            lines.append(property_("EXDATE", *self.excluded))
        if self.added:
            lines.append(property_("RDATE", *self.added))
        lines.append("END:VEVENT")
        if self.moved:
            lines += event + [
                property_("RECURRENCE-ID", self.moved), property_("DTSTART", self.moved_to),
                "DURATION:" + self.length(), "END:VEVENT"]
        return lines + ["END:VCALENDAR"]

    def zone_id(self):
        return "Office %s" % self.zone_name.split("/")[1] if self.kind == "own" else self.zone_name

    def zone_lines(self):
        lines = ["BEGIN:VTIMEZONE", "TZID:" + self.zone_id()]
        for name, rule, before, after in OBSERVANCES[self.zone_name]:
            hour = "03" if rule == LAST_OCTOBER else "02"
            lines += [
                "BEGIN:" + name, "DTSTART:19700101T%s0000" % hour, "TZOFFSETFROM:" + before,
                "TZOFFSETTO:" + after]
            lines += ["RRULE:FREQ=YEARLY;" + rule] if rule else []
            lines.append("END:" + name)
        return lines + ["END:VTIMEZONE"]

    def differences(self):
        before, length = self.range[0], None
        for begin, end in self.expected:
            yield "%d" % (begin - before) + ("+%d" % (end - begin) if end - begin != length else "")
            before, length = begin, end - begin

    def again(self):
        """The occurrences by recurring-ical-events."""
        calendar = icalendar.Calendar.from_ical("\r\n".join(self.lines()) + "\r\n")
        first, last = [datetime.datetime.fromtimestamp(n, UTC) for n in self.range]
        found = []
        # Its queries have another meaning for times without a zone, so the range is larger.
        for event in recurring_ical_events.of(calendar).between(first - 3 * DAY, last + 3 * DAY):
            pair = []
            for time in (event.start, event.end):
                if not isinstance(time, datetime.datetime):
                    time = datetime.datetime.combine(time, datetime.time())
                    pair.append(second(time, zoneinfo.ZoneInfo(self.user))[0])
                elif time.tzinfo is None:
                    pair.append(second(time, self.zone)[0])
                else:
                    pair.append(stamp(time))
            found.append(tuple(pair))
        first, last = self.range
        return sorted(
            (begin, end) for begin, end in found
            if begin < last and (end > first or begin == end and begin >= first))


def cases(seed, count):
    made = 0
    for number in itertools.count():
        if made == count:
            return
        signal.alarm(5)
        try:
            case = Case(number, random.Random("%d %d" % (seed, number)))
        except (TimeoutError, ValueError):
            # dateutil takes too long for some rules, and refuses some without occurrences.
            continue
        finally:
            signal.alarm(0)
        made += 1
        yield case


def interrupt(*_):
    raise TimeoutError


def main():
    signal.signal(signal.SIGALRM, interrupt)
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print("# calendars.py %d %d" % (seed, count))
    equal, other, occurrences = 0, {}, 0
    for case in cases(seed, count):
        occurrences += len(case.expected)
        print("case %d %s %d %d" % (case.number, case.user, *case.range))
        print("\n".join(case.lines()))
        print("=", *case.differences())
        signal.alarm(20)
        try:
            again = case.again()
        except TimeoutError:
            again = []
            case.reasons.add("slow")
        signal.alarm(0)
        if again == case.expected:
            equal += 1
            continue
        if [begin for begin, _ in again] == [begin for begin, _ in case.expected]:
            case.reasons.add("length")
        why = " ".join(sorted(case.reasons)) or "unknown"
        other[why] = other.get(why, 0) + 1
        if why == "unknown":
            print(case.number, "\n".join(case.lines()), file=sys.stderr)
            print(set(case.expected) ^ set(again), case.range, file=sys.stderr)
    print("%d cases, %d occurrences; recurring-ical-events agrees in %d, differs: %s" % (
        count, occurrences, equal, other), file=sys.stderr)
    sys.exit(1 if "unknown" in other else 0)


if __name__ == "__main__":
    main()
