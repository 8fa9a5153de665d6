"""Checks that values follow the definitions of a JSON Schema that their verbs name.

Reads one object from standard input: the schema, and the cases. Prints how many values it checked,
or the first value that does not follow the schema, and why. A member that the schema does not
declare is an error, although programs skip it.
"""
import json
import sys

from jsonschema import Draft202012Validator


def closed(part, is_extended=False):
    """Returns a schema in which objects have no undeclared members.

    What `allOf` takes in stays open, because other members stand beside it.
    """
    if isinstance(part, list):
        return [closed(item, is_extended) for item in part]
    if not isinstance(part, dict):
        return part
    result = {
        name: {key: closed(value) for key, value in item.items()}
        if name == "properties" else closed(item, name == "allOf")
        for name, item in part.items()
    }
    if not is_extended and ("properties" in part or "$ref" in part):
        result["unevaluatedProperties"] = False
    return result


given = json.load(sys.stdin)
schema = given["schema"]
Draft202012Validator.check_schema(schema)
schema["$defs"] = {name: closed(part, True) for name, part in schema["$defs"].items()}
for case in given["cases"]:
    part = dict(schema, **{"$ref": f"#/$defs/{case['verb']}", "unevaluatedProperties": False})
    for error in Draft202012Validator(part).iter_errors(case["value"]):
        place = "/".join(map(str, error.absolute_path))
        print(f"{case['line']}: {place}: {error.message[:2000]}", file=sys.stderr)
        sys.exit(1)
print(len(given["cases"]), "values")
