#!/bin/bash
# DuckDB 2.0.1 truncates a time to an hour that begins after it, once a year.
#
# Where clocks go back, date_trunc('hour') of a time with a zone takes the wall clock's hour and
# then its second occurrence. In Europe/Berlin, the hour of 2026-10-25 00:30Z begins at 01:00Z, so
# a report by hour puts two hours into one group and leaves the hour before it out.
# date_trunc('minute') keeps the two apart, and so does time_bucket of an hour. polars 2.1.0
# truncates to the right hour.
#
# Installs both into a temporary folder, prints the hours, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==2.0.1 polars==2.1.0
cat >finding.py <<'PYTHON'
import sys
from datetime import datetime, timezone
import duckdb, polars

database = duckdb.connect()
database.execute("SET TimeZone = 'Europe/Berlin'")
failed = False

def expect(what, found, wanted):
    global failed
    print(f"{what}: {found}")
    if found != wanted:
        print(f"  was {wanted} before")
        failed = True

def duck(expression):
    query = f"SELECT strftime(({expression}) AT TIME ZONE 'UTC', '%H:%MZ')"
    return database.execute(query).fetchone()[0]

def polar(hour):
    series = polars.Series([datetime(2026, 10, 25, hour, 30, tzinfo=timezone.utc)])
    local = series.dt.convert_time_zone("Europe/Berlin").dt.truncate("1h")
    return local.dt.convert_time_zone("UTC").dt.to_string("%H:%MZ")[0]

for hour, wanted in (0, "01:00Z"), (1, "01:00Z"), (2, "02:00Z"):
    time = f"TIMESTAMPTZ '2026-10-25 0{hour}:30:00+00'"
    found = duck(f"date_trunc('hour', {time})")
    expect(f"DuckDB, hour of 0{hour}:30Z", found, wanted)
    expect(f"DuckDB, minute of 0{hour}:30Z", duck(f"date_trunc('minute', {time})"), f"0{hour}:30Z")
    expect(f"DuckDB, bucket of 0{hour}:30Z", duck(f"time_bucket(INTERVAL 1 HOUR, {time})"),
           f"0{hour}:00Z")
    expect(f"polars, hour of 0{hour}:30Z", polar(hour), f"0{hour}:00Z")
sessions = "VALUES (TIMESTAMPTZ '2026-10-25 00:15:00+00'), (TIMESTAMPTZ '2026-10-25 01:15:00+00')"
groups = f"SELECT date_trunc('hour', t), count(*) FROM ({sessions}) s(t) GROUP BY 1"
expect("DuckDB, groups of two times an hour apart", len(database.execute(groups).fetchall()), 1)
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
venv/bin/python finding.py
