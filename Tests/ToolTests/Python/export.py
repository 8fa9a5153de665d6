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
        with avro.datafile.DataFileReader(file, avro.io.DatumReader()) as reader:
            by_avro = list(reader)
    print(
        json.dumps(
            {
                "fastavro": summary(by_fastavro),
                "avro": summary(by_avro),
                "metadata": sorted(metadata),
                "texts": texts(by_fastavro),
                "sameTexts": texts(by_fastavro) == texts(by_avro),
            }
        )
    )


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
