#!/bin/bash
# avrocat 1.11.1 ends binary values at their first zero byte and leaves out records with a NaN.
#
# A fixed value of four bytes, 01 00 02 03, becomes one character in the JSON, and ids that differ
# behind a zero byte become equal. Values of bytes end there as well. There is no message. A record
# whose double is NaN is missing from the output; a line on standard error says so. The exit status
# is 0. avropipe of the same package prints all values whole, and so do the Python packages
# fastavro 1.13.1 and avro 1.12.2.
#
# Installs the packages into a temporary folder, prints what avrocat says of three records, and
# fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download avro-bin=1.11.1-1 libavro23=1.11.1-1 2>/dev/null
# Their libraries, of any version.
apt-get -qq download libjansson4 libsnappy1v5 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(echo "$PWD/root/usr/lib/"*-linux-gnu)
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check fastavro==1.13.1 avro==1.12.2

cat >write.py <<'PYTHON'
import fastavro

schema = fastavro.parse_schema({
    "type": "record",
    "name": "Entry",
    "fields": [
        {"name": "id", "type": {"type": "fixed", "name": "ID", "size": 4}},
        {"name": "key", "type": "bytes"},
        {"name": "hours", "type": "double"},
    ],
})
ids = [b"\1\0\2\3", b"abcd", b"\1\0\2\4"]
entries = [{"id": id, "key": id, "hours": hours} for id, hours in zip(ids, [1.5, float("nan"), 2])]
with open("entries.avro", "wb") as file:
    fastavro.writer(file, schema, entries)
with open("entries.avro", "rb") as file:
    print(*(entry["id"].hex() for entry in fastavro.reader(file)))
PYTHON
cat >read.py <<'PYTHON'
from avro.datafile import DataFileReader
from avro.io import DatumReader

with DataFileReader(open("entries.avro", "rb"), DatumReader()) as entries:
    print(*(entry["id"].hex() for entry in entries))
PYTHON

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
ids="01000203 61626364 01000204"
expect "fastavro" "$(venv/bin/python write.py)" "$ids"
expect "avro" "$(venv/bin/python read.py)" "$ids"
expect "avropipe" \
  "$(LD_LIBRARY_PATH=$libraries root/usr/bin/avropipe entries.avro | awk '/id\t/ { print $2 }' |
    tr '\n' ' ')" \
  '"\u0001\u0000\u0002\u0003" "abcd" "\u0001\u0000\u0002\u0004" '
LD_LIBRARY_PATH=$libraries root/usr/bin/avrocat entries.avro >entries.json 2>messages
expect "avrocat" "$(tr '\n' ' ' <entries.json)" \
  '{"id": "\u0001", "key": "\u0001", "hours": 1.5} {"id": "\u0001", "key": "\u0001", "hours": 2.0} '
expect "avrocat's messages" "$(wc -l <messages)" 1
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
