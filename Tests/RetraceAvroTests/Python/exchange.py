"""The other side of the exchange tests: fastavro and Apache avro.

    exchange.py check FOLDER            values written by Swift: bytes, meaning, canonical form
    exchange.py make FOLDER COUNT SEED  random values for Swift, encoded by fastavro
    exchange.py check-files FOLDER      container files written by Swift, read by both libraries
    exchange.py make-files FOLDER       container files for Swift, written by both libraries

Every type NAME has NAME.avsc (schema) and NAME.values (encoded values, each behind its length in
four bytes, little end first), and what Swift wrote has NAME.json (a line of JSON for each value).
Exit code 1 and a line for each difference if there is any.
"""

import datetime
import io
import json
import math
import os
import random
import struct
import sys

import avro.datafile
import avro.errors
import avro.io
import avro.schema
import fastavro
from fastavro.schema import fingerprint, parse_schema, to_parsing_canonical_form

PRIMITIVES = {"null", "boolean", "int", "long", "float", "double", "bytes", "string"}
failures = []


def fail(name, message):
    failures.append(f"{name}: {message}")


# Schemas


def without_logical_types(node):
    """The schema with plain numbers: Python's dates do not hold every instant."""
    if isinstance(node, dict):
        bare = {k: without_logical_types(v) for k, v in node.items() if k != "logicalType"}
        return bare["type"] if set(bare) == {"type"} else bare
    return [without_logical_types(n) for n in node] if isinstance(node, list) else node


class Type:
    """A schema that Swift wrote, and all the names in it."""

    def __init__(self, folder, name):
        with open(os.path.join(folder, name + ".avsc"), encoding="utf-8") as file:
            self.text = file.read()
        self.name = name
        self.schema = without_logical_types(json.loads(self.text))
        self.parsed = parse_schema(self.schema, named_schemas={})
        self.named = {}
        self.collect(self.schema)

    def collect(self, node):
        if isinstance(node, list):
            for branch in node:
                self.collect(branch)
        elif isinstance(node, dict):
            if "name" in node and "type" in node:
                self.named[node["name"]] = node
            for key in ("type", "items", "values"):
                if isinstance(node.get(key), (dict, list)):
                    self.collect(node[key])
            for field in node.get("fields", []):
                self.collect(field["type"])

    def resolve(self, node):
        return self.named.get(node, node) if isinstance(node, str) else node

    def has_union_of_records(self):
        """Whether a union has branches that a dictionary does not tell apart."""
        def records(node):
            return [b for b in node if kind(self.resolve(b)) == "record"]
        unions = []
        def walk(node):
            if isinstance(node, list):
                unions.append(node)
                for branch in node:
                    walk(branch)
            elif isinstance(node, dict):
                for key in ("type", "items", "values"):
                    walk(node.get(key))
                for field in node.get("fields", []):
                    walk(field["type"])
        walk(self.schema)
        return any(len(records(u)) > 1 for u in unions)


def kind(node):
    if isinstance(node, list):
        return "union"
    return node if isinstance(node, str) else node["type"]


def types(folder):
    names = sorted(f[:-5] for f in os.listdir(folder) if f.endswith(".avsc"))
    if not names:
        sys.exit("no schemas in " + folder)
    return [Type(folder, name) for name in names]


# Values


def frames(path):
    with open(path, "rb") as file:
        data = file.read()
    offset, result = 0, []
    while offset < len(data):
        (length,) = struct.unpack_from("<I", data, offset)
        result.append(data[offset + 4 : offset + 4 + length])
        offset += 4 + length
    return result


def decode(type, data):
    source = io.BytesIO(data)
    value = fastavro.schemaless_reader(source, type.parsed, return_record_name=True)
    if source.read():
        raise ValueError("bytes are left")
    return value


def encode(type, value):
    target = io.BytesIO()
    fastavro.schemaless_writer(target, type.parsed, value)
    return target.getvalue()


def same_number(value, written, form):
    if isinstance(written, str):
        return written == ("NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity")
    return struct.pack(form, value) == struct.pack(form, written)


def same(type, node, value, written):
    """Whether the JSON that Swift wrote means the value that fastavro read."""
    node = type.resolve(node)
    k = kind(node)
    if k == "union":
        if value is None:
            return written is None
        if len(node) == 2 and "null" in node:
            branch = node[1 - node.index("null")]
            if isinstance(value, tuple):
                value = value[1]
            return same(type, branch, value, written)
        name, value = value
        return list(written) == [name] and same(type, name, value, written[name])
    if k == "record":
        fields = node["fields"]
        if len(fields) == 1 and fields[0]["name"] == "value" and fields[0]["type"] == "long":
            return written == value["value"]
        if len(fields) == 1 and fields[0]["name"] == "case" and isinstance(fields[0]["type"], list):
            name, payload = value["case"]
            label = name[len(node["name"]) + 1 :]
            return list(written) == [label] and same(type, name, payload, written[label])
        return list(written) == [f["name"] for f in fields] and all(
            same(type, f["type"], value[f["name"]], written[f["name"]]) for f in fields
        )
    if k == "array":
        return len(value) == len(written) and all(
            same(type, node["items"], v, w) for v, w in zip(value, written)
        )
    if k == "map":
        return list(value) == list(written) and all(
            same(type, node["values"], value[key], written[key]) for key in value
        )
    if k in ("bytes", "fixed"):
        return value.hex() == written
    if k == "float":
        return same_number(value, written, "<f")
    if k == "double":
        return same_number(value, written, "<d")
    if k == "boolean":
        return value is written
    if isinstance(value, datetime.datetime):
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        value = (value - epoch) // datetime.timedelta(microseconds=1)
    return value == written and not isinstance(written, (bool, float))


# Random values


class Maker:
    """Random values in the order that Swift's canonical encoding asks for."""

    def __init__(self, type, seed):
        self.type = type
        self.random = random.Random(seed)

    def integer(self, bits):
        choice = self.random.randrange(4)
        if choice == 0:
            edge = 2 ** (bits - 1)
            return self.random.choice([0, 1, -1, 63, 64, -64, -65, edge - 1, -edge])
        value = self.random.getrandbits(bits) - 2 ** (bits - 1)
        return value >> self.random.randrange(bits)

    def text(self, key=False):
        count = self.random.randrange(9) if self.random.randrange(10) else 80
        if key:
            return "".join(self.random.choice("abz_09日本") for _ in range(count))
        def scalar():
            code = self.random.randrange(0x110000 if self.random.randrange(3) == 0 else 0x250)
            return "x" if 0xD800 <= code < 0xE000 else chr(code)
        return "".join(scalar() for _ in range(count))

    def real(self, form, size):
        if self.random.randrange(4) == 0:
            value = self.random.choice([0.0, -0.0, math.inf, -math.inf, math.nan, 1.5])
        else:
            (value,) = struct.unpack(form, self.random.randbytes(size))
        return math.nan if math.isnan(value) else value

    def count(self, depth):
        return 0 if self.random.randrange(4) == 0 else self.random.randrange(2 if depth > 4 else 4)

    def sorted_distinct(self, node, values):
        encoded = {}
        for value in values:
            target = io.BytesIO()
            fastavro.schemaless_writer(target, self.named(node), value)
            encoded[target.getvalue()] = value
        return [encoded[key] for key in sorted(encoded)]

    def named(self, node):
        node = self.type.resolve(node)
        return parse_schema(node, named_schemas={}) if isinstance(node, dict) else node

    def array(self, node, depth, is_set):
        items = node["items"]
        entry = self.type.resolve(items)
        if kind(entry) == "record" and entry["name"].endswith("_entry"):
            key, value = (f["type"] for f in entry["fields"])
            keys = [self.make(key, depth + 1, key=True) for _ in range(self.count(depth))]
            keys = self.sorted_distinct(key, keys)
            return [{"key": k, "value": self.make(value, depth + 1)} for k in keys]
        values = [self.make(items, depth + 1, key=is_set) for _ in range(self.count(depth))]
        return self.sorted_distinct(items, values) if is_set else values

    def make(self, node, depth=0, key=False, field=""):
        node = self.type.resolve(node)
        k = kind(node)
        if k == "null":
            return None
        if k == "boolean":
            return self.random.randrange(2) == 1
        if k == "int":
            return self.random.randrange(256) if self.type.name == "byte" else self.integer(32)
        if k == "long":
            return self.integer(64)
        if k == "float":
            return self.real("<f", 4)
        if k == "double":
            return self.real("<d", 8)
        if k == "bytes":
            return self.random.randbytes(self.random.randrange(9))
        if k == "string":
            return self.text(key)
        if k == "fixed":
            return self.random.randbytes(node["size"])
        if k == "enum":
            return self.random.choice(node["symbols"])
        if k == "array":
            is_set = field in ("set", "tags") or (depth == 0 and self.type.name.startswith("Set__"))
            return self.array(node, depth, is_set)
        if k == "map":
            keys = {self.text(key=True) for _ in range(self.count(depth))}
            ordered = self.sorted_distinct("string", keys)
            return {name: self.make(node["values"], depth + 1) for name in ordered}
        if k == "record":
            return {
                f["name"]: self.make(f["type"], depth + 1, field=f["name"]) for f in node["fields"]
            }
        branch = node[0] if depth > 8 else self.random.choice(node)
        value = self.make(branch, depth + 1)
        resolved = self.type.resolve(branch)
        return (resolved["name"], value) if kind(resolved) == "record" else value


# Commands


def check(folder):
    for type in types(folder):
        values = frames(os.path.join(folder, type.name + ".values"))
        with open(os.path.join(folder, type.name + ".json"), encoding="utf-8") as file:
            lines = file.read().split("\n")[:-1]
        if len(lines) != len(values):
            fail(type.name, f"{len(values)} values and {len(lines)} lines of JSON")
        for number, (data, line) in enumerate(zip(values, lines)):
            try:
                value = decode(type, data)
                if encode(type, value) != data:
                    fail(type.name, f"value {number}: not the bytes {data.hex()}")
                if not same(type, type.schema, value, json.loads(line)):
                    fail(type.name, f"value {number}: {line} is not {value}")
            except Exception as error:
                fail(type.name, f"value {number}: {error!r} for {data.hex()}")
        check_form(folder, type)
        print(f"{type.name}: {len(values)} values")


def check_form(folder, type):
    with open(os.path.join(folder, type.name + ".form"), encoding="utf-8") as file:
        form, rabin, sha = file.read().split("\n")[:3]
    schema = json.loads(type.text)
    ours = to_parsing_canonical_form(parse_schema(schema, named_schemas={}))
    if ours != form:
        fail(type.name, f"canonical form {form} is not {ours}")
    if fingerprint(form, "CRC-64-AVRO") != rabin:
        fail(type.name, f"fingerprint {rabin} is not {fingerprint(form, 'CRC-64-AVRO')}")
    if fingerprint(form, "sha256") != sha:
        fail(type.name, f"fingerprint {sha} is not {fingerprint(form, 'sha256')}")


def make(folder, count, seed):
    for type in types(folder):
        maker = Maker(type, f"{seed} {type.name}")
        with open(os.path.join(folder, type.name + ".values"), "wb") as file:
            for _ in range(int(count)):
                data = encode(type, maker.make(type.schema))
                file.write(struct.pack("<I", len(data)) + data)


def equal(left, right):
    if isinstance(left, float) and isinstance(right, float):
        return struct.pack("<d", left) == struct.pack("<d", right)
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(equal(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    return left == right


def check_files(folder):
    for type in types(folder):
        path = os.path.join(folder, type.name + ".avro")
        with open(os.path.join(folder, type.name + ".json"), encoding="utf-8") as file:
            lines = file.read().split("\n")[:-1]
        with open(path, "rb") as file:
            reader = fastavro.reader(file, return_record_name=True)
            note = reader.metadata.get("retrace.note")
            named = list(reader)
        with open(path, "rb") as file:
            plain = list(fastavro.reader(file))
        with avro.datafile.DataFileReader(open(path, "rb"), avro.io.DatumReader()) as file:
            apache = list(file)
        if note != "exchange":
            fail(type.name, f"the metadata is {note!r}")
        if not len(lines) == len(named) == len(apache):
            fail(type.name, f"{len(lines)} written, read {len(named)} and {len(apache)}")
        for number, (value, line) in enumerate(zip(named, lines)):
            if not same(type, type.schema, value, json.loads(line)):
                fail(type.name, f"value {number}: fastavro reads {value} for {line}")
        for number, (left, right) in enumerate(zip(plain, apache)):
            if not equal(left, right):
                fail(type.name, f"value {number}: avro reads {right}, fastavro {left}")
        print(f"{type.name}: {len(apache)} values")


def make_files(folder):
    for type in types(folder):
        values = [decode(type, d) for d in frames(os.path.join(folder, type.name + ".values"))]
        with open(os.path.join(folder, type.name + ".fastavro.avro"), "wb") as file:
            fastavro.writer(file, type.parsed, values, sync_interval=300)
        if type.has_union_of_records():
            continue
        def plain(value):
            if isinstance(value, tuple):
                return plain(value[1])
            if isinstance(value, dict):
                return {key: plain(v) for key, v in value.items()}
            return [plain(v) for v in value] if isinstance(value, list) else value
        schema = avro.schema.parse(json.dumps(type.schema))
        path = os.path.join(folder, type.name + ".apache.avro")
        with avro.datafile.DataFileWriter(open(path, "wb"), avro.io.DatumWriter(), schema) as file:
            for value in values:
                file.append(plain(value))


def same_resolved(left, right):
    """Equal, whatever the order of fields.

    Apache avro leaves an integer that becomes a float the integer it is.
    fastavro leaves a default of bytes the text it is, and an integer that becomes a float exact.
    """
    if equal(left, right):
        return True
    if isinstance(left, float) and isinstance(right, float):
        if math.isnan(left) or abs(left) > 3.5e38:
            return False
        (rounded,) = struct.unpack("<f", struct.pack("<f", left))
        return right == rounded
    if isinstance(left, int) and isinstance(right, float) and not isinstance(left, bool):
        return same_resolved(float(left), right)
    if isinstance(left, str) and isinstance(right, bytes):
        return left.encode("latin-1") == right
    if isinstance(left, dict) and isinstance(right, dict):
        return set(left) == set(right) and all(same_resolved(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_resolved, left, right))
    return equal(left, right)


def resolve(folder):
    count, values = 0, 0
    for name in sorted(f[:-7] for f in os.listdir(folder) if f.endswith(".writer")):
        path = os.path.join(folder, name)
        with open(path + ".writer", encoding="utf-8") as file:
            written = file.read()
        with open(path + ".reader", encoding="utf-8") as file:
            read = file.read()
        writer = parse_schema(json.loads(written), named_schemas={})
        reader = parse_schema(json.loads(read), named_schemas={})
        pairs = list(zip(frames(path + ".values"), frames(path + ".resolved")))
        for data, resolved in pairs:
            try:
                value = fastavro.schemaless_reader(io.BytesIO(data), writer, reader)
                ours = fastavro.schemaless_reader(io.BytesIO(resolved), reader)
                if not same_resolved(value, ours):
                    fail(name, f"{value} is not {ours}: {written} {read}")
            except Exception as error:
                fail(name, f"{error!r} for {data.hex()}: {written} {read}")
        count, values = count + 1, values + len(pairs)
    print(f"{count} pairs of schemas, {values} values")


def plain_union(value):
    """A value as Apache avro reads it: records of unions without their names."""
    if isinstance(value, tuple):
        return plain_union(value[1])
    if isinstance(value, dict):
        return {key: plain_union(v) for key, v in value.items()}
    return [plain_union(v) for v in value] if isinstance(value, list) else value


def resolve_both(folder):
    """Resolution by fastavro, and by Apache avro as far as it goes.

    Apache avro does not widen the numbers in arrays and maps.
    """
    resolve(folder)
    values, refused = 0, 0
    for name in sorted(f[:-7] for f in os.listdir(folder) if f.endswith(".writer")):
        path = os.path.join(folder, name)
        with open(path + ".writer", encoding="utf-8") as file:
            written = file.read()
        with open(path + ".reader", encoding="utf-8") as file:
            read = file.read()
        writer = avro.schema.parse(written)
        reader = avro.schema.parse(read)
        for data, resolved in zip(frames(path + ".values"), frames(path + ".resolved")):
            try:
                decoder = avro.io.BinaryDecoder(io.BytesIO(data))
                value = avro.io.DatumReader(writer, reader).read(decoder)
                decoder = avro.io.BinaryDecoder(io.BytesIO(resolved))
                ours = avro.io.DatumReader(reader, reader).read(decoder)
                if not same_resolved(plain_union(value), plain_union(ours)):
                    fail(name, f"avro reads {value}, not {ours}: {written} {read}")
            except avro.errors.SchemaResolutionException:
                refused += 1
            except Exception as error:
                fail(name, f"avro: {error!r} for {data.hex()}: {written} {read}")
            values += 1
    print(f"{values} values by Apache avro, {refused} of them refused")
    if refused * 5 > values:
        fail("avro", f"it refused {refused} of {values} values")


def main():
    commands = {
        "resolve": resolve, "resolve-both": resolve_both,
        "check": check, "make": make, "check-files": check_files, "make-files": make_files,
    }
    commands[sys.argv[1]](*sys.argv[2:])
    for line in failures[:20]:
        print(line[:2000])
    if failures:
        sys.exit(f"{len(failures)} differences")


main()
