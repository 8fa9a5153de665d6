"""Checks that values follow the definitions of a JSON Schema that their verbs name.

Reads one object from standard input: the schema, and the cases. Prints how many values it checked,
or the first value that does not follow the schema, and why.
"""
import json
import sys

from jsonschema import Draft202012Validator

given = json.load(sys.stdin)
schema = given["schema"]
Draft202012Validator.check_schema(schema)
for case in given["cases"]:
    part = dict(schema, **{"$ref": f"#/$defs/{case['verb']}"})
    for error in Draft202012Validator(part).iter_errors(case["value"]):
        place = "/".join(map(str, error.absolute_path))
        print(f"{case['line']}: {place}: {error.message[:2000]}", file=sys.stderr)
        sys.exit(1)
print(len(given["cases"]), "values")
