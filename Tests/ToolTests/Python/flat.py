"""Compares the flat export of a log, as JSON Lines and as CSV, with what `audit list` printed.

    flat.py LIST FLAT CSV

Prints one JSON object; `differences` is empty if all agree.
"""

import csv
import json
import sys


def main(listed, flat, table):
    with open(listed, encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    with open(flat, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    with open(table, encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    differences = []
    if not len(records) == len(rows) == len(cells):
        differences.append(f"{len(records)}, {len(rows)} and {len(cells)} records")
    for record, row, cell in zip(records, rows, cells):
        for name in ("sequence", "kind", "session", "moment"):
            if record[name] != row[name]:
                differences.append(f"{row['sequence']} {name}")
        if record["payload"] != json.loads(row["payload"]):
            differences.append(f"{row['sequence']} payload of audit list")
        for name, value in row.items():
            if value is None or cell[name] != str(value):
                differences.append(f"{row['sequence']} {name}")
    kinds = {}
    for row in rows:
        kinds[row["kind"]] = kinds.get(row["kind"], 0) + 1
    print(
        json.dumps(
            {
                "columns": list(cells[0]) if list(cells[0]) == list(rows[0]) else [],
                "rows": len(rows),
                "kinds": kinds,
                "differences": differences,
                "commands": [
                    [row["action"], row["entity"], row["id"]]
                    for row in rows
                    if row["kind"] == "command"
                ],
                "who": [row["who"] for row in rows],
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
