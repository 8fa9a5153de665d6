#!/bin/bash
# fastavro 1.13.1 and timewarrior 1.4.3 choose one of two instants by the time converted before it.
#
# In Europe/Berlin, 2026-10-25 has 02:30 twice. fastavro writes a datetime without a zone as local
# time: the same 02:30 becomes 00:30Z in a record that follows one of July, and 01:30Z in a record
# that follows one of January. `fold`, Python's mark of the second 02:30, changes nothing, though
# `datetime.timestamp()` follows it. `timew track START - 2026-10-25T02:30:00` stores 00:30Z or
# 01:30Z as well, depending on the season of START. Both call mktime(), which takes the offset that
# its last call found as the first guess of the next one (glibc 2.36).
#
# Installs both into a temporary folder, prints what they store, and fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TZ=Europe/Berlin TIMEWARRIORDB=$folder/data
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check fastavro==1.13.1
apt-get -qq download timewarrior=1.4.3+ds.1-2 2>/dev/null
dpkg -x timewarrior_*.deb root

cat >write.py <<'PYTHON'
import io, sys
from datetime import datetime
import fastavro

repeated = datetime(2026, 10, 25, 2, 30, fold=int(sys.argv[2]))
if sys.argv[1] == "timestamp":
    print(datetime.utcfromtimestamp(repeated.timestamp()).strftime("%H:%MZ"))
    sys.exit()
schema = fastavro.parse_schema({
    "type": "record",
    "name": "Entry",
    "fields": [{"name": "start", "type": {"type": "long", "logicalType": "timestamp-micros"}}],
})
file = io.BytesIO()
before = datetime.fromisoformat(sys.argv[1])
fastavro.writer(file, schema, [{"start": before}, {"start": repeated}])
file.seek(0)
print(list(fastavro.reader(file))[1]["start"].strftime("%H:%MZ"))
PYTHON

# Prints the end of an interval that begins at the given time and ends at 02:30.
tracked() { # start
  rm -rf data
  mkdir -p data/data
  : >data/timewarrior.cfg
  root/usr/bin/timew track "$1" - 2026-10-25T02:30:00 thesis >/dev/null
  sed -E 's/^inc .* - 20261025T(..)(..)00Z.*/\1:\2Z/' data/data/*-*.data
}

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
expect "datetime.timestamp(), fold 0" "$(venv/bin/python write.py timestamp 0)" 00:30Z
expect "datetime.timestamp(), fold 1" "$(venv/bin/python write.py timestamp 1)" 01:30Z
for fold in 0 1; do
  expect "fastavro, fold $fold, after a record of January" \
    "$(venv/bin/python write.py 2026-01-01 $fold)" 01:30Z
  expect "fastavro, fold $fold, after a record of July" \
    "$(venv/bin/python write.py 2026-07-01 $fold)" 00:30Z
done
expect "timewarrior, from January" "$(tracked 2026-01-01T12:00:00)" 01:30Z
expect "timewarrior, from July" "$(tracked 2026-07-01T12:00:00)" 00:30Z
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
