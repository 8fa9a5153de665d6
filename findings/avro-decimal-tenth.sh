#!/bin/bash
# avro 1.12.2 writes 7.5 as 0.75 into a decimal field of two places.
#
# Avro stores a decimal as a whole number; the schema's scale says how many of its digits are
# decimal places. One would expect Decimal("7.5") to be stored as 750 with a scale of 2. Apache's
# Python package stores its digits as they are, 75, without a message, and every reader finds 0.75.
# 12 becomes 0.12, and 1E+3 becomes 0.01. Only a value with as many places as the schema comes
# back, so "7.50" is right, and the same amount computed as 22.5 / 3 is not. A value with more
# digits than the schema's precision is written as well, and both readers round it. Decimals of the
# types bytes and fixed behave alike. fastavro 1.13.1 scales what it writes, and refuses a value
# with too many digits.
#
# AVRO-3146 corrected the check of a scale that is too small. No issue about these values was
# found.
#
# Installs both into a temporary folder, prints what comes back, and fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check avro==1.12.2 fastavro==1.13.1
cat >"$folder/finding.py" <<'PYTHON'
import io, json, sys
from decimal import Decimal
import avro.datafile, avro.io, avro.schema, fastavro

failed = False

def expect(what, found, wanted):
    global failed
    print(f"{what}: {found}")
    if found != wanted:
        print(f"  was {wanted} before")
        failed = True

def record(field):
    return {"type": "record", "name": "Entry", "fields": [{"name": "hours", "type": field}]}

decimal = {"logicalType": "decimal", "precision": 6, "scale": 2}
schemas = {
    "bytes": record({"type": "bytes", **decimal}),
    "fixed": record({"type": "fixed", "name": "Hours", "size": 4, **decimal}),
}

def write_avro(schema, value):
    file = io.BytesIO()
    schema = avro.schema.parse(json.dumps(schema))
    writer = avro.datafile.DataFileWriter(file, avro.io.DatumWriter(), schema)
    writer.append({"hours": value})
    writer.flush()
    return file.getvalue()

def write_fastavro(schema, value):
    file = io.BytesIO()
    fastavro.writer(file, schema, [{"hours": value}])
    return file.getvalue()

def read(data):
    [by_avro] = avro.datafile.DataFileReader(io.BytesIO(data), avro.io.DatumReader())
    [by_fastavro] = fastavro.reader(io.BytesIO(data))
    values = [str(by_avro["hours"]), str(by_fastavro["hours"])]
    return values[0] if values[0] == values[1] else f"avro {values[0]}, fastavro {values[1]}"

for kind, schema in schemas.items():
    for value, wanted in [
        ("7.50", "7.50"), ("7.5", "0.75"), ("-7.5", "-0.75"), ("12", "0.12"), ("1E+3", "0.01"),
        (str(Decimal("22.50") / 3), "7.50"), (str(Decimal("22.5") / 3), "0.75"),
    ]:
        expect(f"{kind}, {value} by avro", read(write_avro(schema, Decimal(value))), wanted)
    for value, wanted in [("7.50", "7.50"), ("7.5", "7.50"), ("12", "12.00"), ("1E+3", "1000.00")]:
        expect(f"{kind}, {value} by fastavro", read(write_fastavro(schema, Decimal(value))), wanted)

expect(
    "12345.67, precision 6, by avro", read(write_avro(schemas["bytes"], Decimal("12345.67"))),
    "12345.7")
try:
    write_fastavro(schemas["bytes"], Decimal("12345.67"))
    refused = "written"
except ValueError:
    refused = "refused"
expect("12345.67, precision 6, by fastavro", refused, "refused")
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
"$folder/venv/bin/python" "$folder/finding.py"
