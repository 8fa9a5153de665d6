#!/bin/bash
# Copies of an Avro file by fastavro 1.13.1 turn stops into starts, by avro 1.12.2 the reverse.
#
# An event log often has a union of records as its payload. Both Python packages return a record of
# a union as a dict without its name. If two records of the union have the same fields, the writer
# cannot tell them apart: fastavro takes the first, avro the last one that fits, both without a
# message. Read and written again with the same schema, Started and Stopped become Started and
# Started with fastavro, Stopped and Stopped with avro. fastavro's json_writer has the same fault.
# With `return_record_name=True`, fastavro's reader returns pairs that its writer writes back
# right.
#
# Installs both into a temporary folder, prints the copies, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check fastavro==1.13.1 avro==1.12.2
cat >"$folder/finding.py" <<'PYTHON'
import io, json, sys
import avro.schema, fastavro
from avro.datafile import DataFileReader, DataFileWriter
from avro.io import DatumReader, DatumWriter

def record(name, *fields):
    return {"type": "record", "name": name,
            "fields": [{"name": field, "type": "long"} for field in fields]}

cases = [record("Started", "entry"), record("Stopped", "entry"), record("Moved", "entry", "hours")]
schema = {"type": "record", "name": "Event", "fields": [{"name": "payload", "type": cases}]}
payloads = [("Started", {"entry": 1}), ("Stopped", {"entry": 1}),
            ("Moved", {"entry": 1, "hours": 2})]
failed = False

def expect(what, found, wanted):
    global failed
    print(f"{what}: {found}")
    if found != wanted:
        print(f"  was {wanted} before")
        failed = True

def fast_written(events):
    file = io.BytesIO()
    fastavro.writer(file, fastavro.parse_schema(schema), events)
    return file.getvalue()

def fast_read(file, **options):
    return list(fastavro.reader(io.BytesIO(file), **options))

def slow_copied(file):
    copy = io.BytesIO()
    writer = DataFileWriter(copy, DatumWriter(), avro.schema.parse(json.dumps(schema)))
    for event in DataFileReader(io.BytesIO(file), DatumReader()):
        writer.append(event)
    writer.flush()
    return copy.getvalue()

def names(file):
    return " ".join(event["payload"][0] for event in fast_read(file, return_record_name=True))

original = fast_written([{"payload": payload} for payload in payloads])
expect("original", names(original), "Started Stopped Moved")
expect("copied by fastavro", names(fast_written(fast_read(original))), "Started Started Moved")
expect("copied by avro", names(slow_copied(original)), "Stopped Stopped Moved")
text = io.StringIO()
fastavro.json_writer(text, fastavro.parse_schema(schema), fast_read(original))
lines = [json.loads(line) for line in text.getvalue().splitlines()]
expect("JSON by fastavro", " ".join(next(iter(line["payload"])) for line in lines),
       "Started Started Moved")
named = fast_read(original, return_record_name=True)
expect("copied by fastavro with names", names(fast_written(named)), "Started Stopped Moved")
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
"$folder/venv/bin/python" "$folder/finding.py"
