"""Reads an exported log with fastavro and with Apache avro, and prints both as one JSON object.

    export.py FILE
"""

import json
import sys

import avro.datafile
import avro.io
import fastavro


def summary(records):
    return [
        [record["sequence"], record["kind"], record["session"], record["startsBatch"]]
        for record in records
    ]


def main(path):
    with open(path, "rb") as file:
        reader = fastavro.reader(file)
        by_fastavro = list(reader)
        metadata = {key: str(value) for key, value in reader.metadata.items()}
    with open(path, "rb") as file:
        # Without the option, the value of a union does not tell its branch.
        named = list(fastavro.reader(file, return_record_name=True))
    with open(path, "rb") as file:
        with avro.datafile.DataFileReader(file, avro.io.DatumReader()) as reader:
            by_avro = list(reader)
    print(
        json.dumps(
            {
                "fastavro": summary(by_fastavro),
                "avro": summary(by_avro),
                "metadata": sorted(metadata),
                "values": [values(record) for record in named if values(record)],
                "marks": marks(by_fastavro),
                "texts": texts(by_fastavro),
                "sameTexts": texts(by_fastavro) == texts(by_avro),
            }
        )
    )


def values(record):
    """The names of the types of the values that a record of the log holds as bytes."""

    def name(value):
        value = value["value"]
        if not isinstance(value, tuple):
            return "bytes"
        name, fields = value
        case = fields.get("case")
        return case[0] if record["kind"] == "command" and isinstance(case, tuple) else name

    _, payload = record["payload"]
    if record["kind"] == "command":
        refusal = payload["refusal"]
        refusal = refusal[1] if isinstance(refusal, tuple) else refusal
        return [
            payload["origin"],
            name(payload["command"]),
            "" if refusal is None else refusal["value"][0],
        ]
    if record["kind"] == "crashed":
        return ["crashed"] + [name(value) for value in payload["actions"]]
    return None


def marks(records):
    """How many records have each mark of their moment."""
    names = ["isClockFixed", "realTime", "earlierThan"]
    return {name: sum(record[name] not in (None, False) for record in records) for name in names}


def texts(records):
    """Every description in the records, in order."""
    found = []

    def walk(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "description" and isinstance(inner, str):
                    found.append(inner)
                walk(inner)
        elif isinstance(value, (list, tuple)):
            for inner in value:
                walk(inner)

    for record in records:
        walk(record["payload"])
    return found


if __name__ == "__main__":
    main(sys.argv[1])
