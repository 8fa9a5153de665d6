#!/usr/bin/env python3
"""Checks a store without any of the project's code, from what the format page says.

Only Python's standard library is used. `data.mdb` is read directly: LMDB 0.9's meta pages, branch,
leaf and overflow pages, named databases. The store may be open elsewhere; copy it first if it is
being written.

    verify.py STORE                      check every block, the chain, the head
    verify.py STORE --at N [--at M ...]  also print chain(N)
    verify.py STORE --state FILE         also recompute the hash of a state that
                                         `replay state --at N --json` printed into FILE
    verify.py STORE --export FILE        also check that each record of the store is in FILE, which
                                         `audit export` wrote: commands, refusals and crashed
                                         actions are values of the file's own schema
    verify.py STORE --json               print one JSON object

Exit codes: 0 sound, 2 another state hash, 3 damaged, 4 of another version, 6 no such store,
64 usage.
"""

import argparse
import hashlib
import json
import os
import struct
import sys

PAGE_BRANCH, PAGE_LEAF, PAGE_OVERFLOW, PAGE_META = 1, 2, 4, 8
NODE_BIG, NODE_DATABASE, NODE_DUPLICATES = 1, 2, 4
NO_PAGE = 0xFFFFFFFFFFFFFFFF
MASK = 0xFFFFFFFFFFFFFFFF
# The kinds of records by number; a version of the format has the first so many of them.
KINDS = ["action", "sessionOpened", "sessionClosed", "effectFinished", "crashed", "clockJumped",
         "command"]
KINDS_IN_VERSION = {1: 6, 2: 7, 3: 7}
# The flags of a record in each version.
FLAGS_IN_VERSION = {1: 0x17F, 2: 0x17F, 3: 0x77F}
# Schema N of commands and refusals has this number more.
COMMAND_SCHEMAS = 1 << 31


class Damaged(Exception):
    """Bytes that are not what the format page says."""


class OtherVersion(Exception):
    """Bytes of a version of the format that this script does not know."""


class NoStore(Exception):
    """No store, or a part of one is missing."""


# XXH64, seed 0 ------------------------------------------------------------------------------------

P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def _rotate(x, n):
    return ((x << n) | (x >> (64 - n))) & MASK


def _round(lane, value):
    lane = (lane + value * P2) & MASK
    return (((lane << 31) | (lane >> 33)) * P1) & MASK


def xxh64(data):
    """The XXH64 checksum of bytes, with seed 0."""
    size, at = len(data), 0
    if size >= 32:
        a, b, c, d = (P1 + P2) & MASK, P2, 0, -P1 & MASK
        whole = size - size % 32
        for w, x, y, z in struct.iter_unpack("<4Q", data[:whole]):
            a, b, c, d = _round(a, w), _round(b, x), _round(c, y), _round(d, z)
        hash_ = (_rotate(a, 1) + _rotate(b, 7) + _rotate(c, 12) + _rotate(d, 18)) & MASK
        for lane in (a, b, c, d):
            hash_ = ((hash_ ^ _round(0, lane)) * P1 + P4) & MASK
        at = whole
    else:
        hash_ = P5
    hash_ = (hash_ + size) & MASK
    while at + 8 <= size:
        value = int.from_bytes(data[at:at + 8], "little")
        hash_ = (_rotate(hash_ ^ _round(0, value), 27) * P1 + P4) & MASK
        at += 8
    if at + 4 <= size:
        value = int.from_bytes(data[at:at + 4], "little")
        hash_ = (_rotate(hash_ ^ (value * P1 & MASK), 23) * P2 + P3) & MASK
        at += 4
    while at < size:
        hash_ = (_rotate(hash_ ^ (data[at] * P5 & MASK), 11) * P1) & MASK
        at += 1
    hash_ = ((hash_ ^ (hash_ >> 33)) * P2) & MASK
    hash_ = ((hash_ ^ (hash_ >> 29)) * P3) & MASK
    return hash_ ^ (hash_ >> 32)


# LMDB 0.9 -----------------------------------------------------------------------------------------


class Database:
    """One database of a data file: where its tree begins."""

    def __init__(self, raw):
        (self.pad, self.flags, self.depth, self.branches, self.leaves, self.overflows,
         self.entries, self.root) = struct.unpack("<IHH5Q", raw)


class DataFile:
    """A data.mdb file, at its last commit."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        if not self.data:
            raise NoStore("the data file is empty")
        metas = [meta for meta in (self._meta(0), self._meta(4096)) if meta]
        if not metas:
            raise Damaged("no valid meta page")
        transaction, self.page_size, self.last_page, self.main = max(metas, key=lambda m: m[0])

    def _meta(self, at):
        page = self.data[at:at + 4096]
        if len(page) < 152 or not struct.unpack_from("<H", page, 10)[0] & PAGE_META:
            return None
        magic, version = struct.unpack_from("<II", page, 16)
        # LMDB 1.0 has page headers of 24 bytes.
        later_magic, later_version = struct.unpack_from("<II", page, 24)
        if later_magic == 0xBEEFC0DE:
            raise OtherVersion(f"data file of LMDB version {later_version}")
        if magic != 0xBEEFC0DE:
            return None
        if version != 1:
            raise OtherVersion(f"data file of LMDB version {version}")
        free = Database(page[40:88])
        main = Database(page[88:136])
        last_page, transaction = struct.unpack_from("<QQ", page, 136)
        return transaction, free.pad, last_page, main

    def _page(self, number):
        if number > self.last_page:
            raise Damaged(f"page {number} is behind the last one, {self.last_page}")
        start = number * self.page_size
        page = self.data[start:start + self.page_size]
        if len(page) != self.page_size:
            raise Damaged(f"page {number} is cut off")
        said, _, flags, lower, upper = struct.unpack_from("<QHHHH", page)
        if said != number:
            raise Damaged(f"page {number} says that it is {said}")
        return page, flags, lower

    def _overflow(self, number, size):
        _, flags, _ = self._page(number)
        if not flags & PAGE_OVERFLOW:
            raise Damaged(f"page {number} is no overflow page")
        start = number * self.page_size + 16
        data = self.data[start:start + size]
        if len(data) != size:
            raise Damaged(f"the value at page {number} is cut off")
        return data

    def _nodes(self, number, depth):
        """The keys and values below a page, in order; named databases as ``Database``."""
        if depth <= 0:
            raise Damaged("a tree is deeper than it says")
        page, flags, lower = self._page(number)
        if not flags & (PAGE_BRANCH | PAGE_LEAF) or lower > self.page_size:
            raise Damaged(f"page {number} is no page of a tree")
        for slot in range(16, lower, 2):
            at = struct.unpack_from("<H", page, slot)[0]
            low, high, node_flags, key_size = struct.unpack_from("<HHHH", page, at)
            key = page[at + 8:at + 8 + key_size]
            if flags & PAGE_BRANCH:
                yield from self._nodes(low | high << 16 | node_flags << 32, depth - 1)
                continue
            size, value = low | high << 16, at + 8 + key_size
            if node_flags & NODE_DUPLICATES:
                raise Damaged("a key with several values")
            if node_flags & NODE_BIG:
                yield key, self._overflow(struct.unpack_from("<Q", page, value)[0], size)
            elif node_flags & NODE_DATABASE:
                yield key, Database(page[value:value + 48])
            else:
                yield key, page[value:value + size]

    def items(self, database):
        """The keys and values of a database, in order."""
        if database.root == NO_PAGE:
            return
        yield from self._nodes(database.root, database.depth)

    def named(self, name):
        """A named database."""
        for key, value in self.items(self.main):
            if key == name.encode() and isinstance(value, Database):
                return value
        raise Damaged(f"there is no database {name}")


# The log ------------------------------------------------------------------------------------------


def varint(data, at, end):
    """An unsigned variable-length integer in its shortest form, and where it ends."""
    value = shift = 0
    while True:
        if at >= end:
            raise Damaged("a record is cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            if byte == 0 and shift > 7 or value > MASK:
                raise Damaged("a number is not in its shortest form")
            return value, at


def zigzag(value):
    return value >> 1 ^ -(value & 1)


def wrapped(value):
    """A number as 64 signed bits hold it."""
    value &= MASK
    return value - (1 << 64) if value >> 63 else value


class Block:
    """The header of a block, and its records on demand."""

    def __init__(self, key, data):
        self.data = data
        if len(data) < 80:
            raise Damaged(f"block {key} has only {len(data)} bytes")
        if struct.unpack_from("<Q", data)[0] != xxh64(data[8:]):
            raise Damaged(f"block {key}: the checksum is wrong")
        self.version = data[8]
        if self.version not in KINDS_IN_VERSION:
            raise OtherVersion(f"block {key} is of version {self.version}")
        if data[9:12] != b"\0\0\0":
            raise OtherVersion(f"block {key} has unknown flags")
        (self.count, self.length, self.schema, self.first, self.session, self.moment) = (
            struct.unpack_from("<IIIQQq", data, 12))
        self.before = data[48:80]
        if self.first != key or len(data) != 80 + self.length or self.count < 1:
            raise Damaged(f"block {key}: the header is wrong")

    @property
    def last(self):
        return self.first + self.count - 1

    def prefix(self, store):
        """What the chain covers before the records."""
        return (self.before + store + bytes([self.version])
                + struct.pack("<QQqI", self.first, self.session, self.moment, self.schema))

    def records(self):
        """Each record: sequence, kind, session, moment, where it ends, payload, state hash."""
        at, moment = 80, self.moment
        for index in range(self.count):
            sequence = self.first + index
            length, start = varint(self.data, at, len(self.data))
            end = start + length
            if end > len(self.data):
                raise Damaged(f"record {sequence} is cut off")
            flags, at = varint(self.data, start, end)
            if flags & ~FLAGS_IN_VERSION[self.version]:
                raise OtherVersion(f"record {sequence} has flags {flags}")
            delta, at = varint(self.data, at, end)
            moment = wrapped(moment + zigzag(delta))
            kind, session, schema = 0, self.session, self.schema
            cause = key = state = real_time = None
            if flags & 2:
                kind, at = varint(self.data, at, end)
                if kind >= KINDS_IN_VERSION[self.version]:
                    raise OtherVersion(f"record {sequence} is of kind {kind}")
            if flags & 4:
                distance, at = varint(self.data, at, end)
                session = sequence - distance
            if flags & 8:
                schema, at = varint(self.data, at, end)
            if flags & 16:
                distance, at = varint(self.data, at, end)
                cause = sequence - distance
            if flags & 32:
                size, at = varint(self.data, at, end)
                key, at = self.data[at:at + size], at + size
            if flags & 64:
                state, at = self.data[at:at + 32], at + 32
            if flags & 512:
                delta, at = varint(self.data, at, end)
                real_time = wrapped(moment + zigzag(delta))
            if flags & 1024:
                if state is not None:
                    raise Damaged(f"record {sequence} has two state hashes")
                state, at = self.data[at:at + 4], at + 4
            if at > end:
                raise Damaged(f"record {sequence} is cut off")
            yield dict(sequence=sequence, kind=KINDS[kind], session=session, moment=moment,
                       realTime=real_time, schema=schema, cause=cause, key=key,
                       startsBatch=bool(flags & 1), hasEffect=bool(flags & 256),
                       stateHash=state, payload=self.data[at:end], end=end)
            at = end
        if at != len(self.data):
            raise Damaged(f"block {self.first}: bytes are left after the last record")

    def chain(self, store, sequence):
        """chain(N) for a record of the block."""
        end = next(record["end"] for record in self.records() if record["sequence"] == sequence)
        return hashlib.sha256(self.prefix(store) + self.data[80:end]).digest()


# The state ----------------------------------------------------------------------------------------

NO_ZONE = (0x7FFFFFFFFFFFFFFF, -0x8000000000000000)
EMPTY = (bytes(32),) + NO_ZONE


class Encoder:
    """Turns plain JSON back into canonical Avro binary, by a schema."""

    def __init__(self, schema):
        self.names = {}
        self.learn(schema)

    def learn(self, schema):
        """Remembers the named types of a schema."""
        if isinstance(schema, list):
            for branch in schema:
                self.learn(branch)
        elif isinstance(schema, dict):
            if "name" in schema:
                self.names[schema["name"]] = schema
            for field in schema.get("fields", []):
                self.learn(field["type"])
            for inner in ("items", "values", "type"):
                if isinstance(schema.get(inner), (dict, list)):
                    self.learn(schema[inner])

    def resolve(self, schema):
        """The definition behind a name or a logical type."""
        while True:
            if isinstance(schema, str) and schema in self.names:
                schema = self.names[schema]
            elif isinstance(schema, dict) and isinstance(schema["type"], (dict, list)):
                schema = schema["type"]
            elif isinstance(schema, dict) and schema["type"] in self.names:
                schema = self.names[schema["type"]]
            else:
                return schema

    @staticmethod
    def kind(schema):
        if isinstance(schema, list):
            return "union"
        return schema["type"] if isinstance(schema, dict) else schema

    @staticmethod
    def unsigned(value):
        out = bytearray()
        while value >= 0x80:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        out.append(value)
        return bytes(out)

    def long(self, value):
        return self.unsigned((value << 1 ^ value >> 63) & MASK)

    def block(self, items):
        """One block with a positive count, or none, and the end."""
        return (self.long(len(items)) + b"".join(items) if items else b"") + b"\0"

    def encode(self, value, schema):
        schema = self.resolve(schema)
        kind = self.kind(schema)
        if kind == "null":
            return b""
        if kind == "boolean":
            return b"\1" if value else b"\0"
        if kind in ("int", "long"):
            return self.long(value)
        if kind in ("float", "double"):
            value = float(value)
            if value != value:
                return bytes.fromhex("0000c07f" if kind == "float" else "000000000000f87f")
            return struct.pack("<f" if kind == "float" else "<d", value)
        if kind == "string":
            data = value.encode()
            return self.long(len(data)) + data
        if kind == "bytes":
            return self.long(len(value) // 2) + bytes.fromhex(value)
        if kind == "fixed":
            return bytes.fromhex(value)
        if kind == "enum":
            return self.long(schema["symbols"].index(value))
        if kind == "array":
            return self.block([self.encode(item, schema["items"]) for item in value])
        if kind == "map":
            return self.block([self.encode(key, "string") + self.encode(item, schema["values"])
                               for key, item in value.items()])
        if kind == "union":
            return self.union(value, schema)
        if kind == "record":
            return self.record(value, schema)
        raise Damaged(f"a schema of type {kind}")

    def union(self, value, branches):
        if value is None and "null" in branches:
            return self.long(branches.index("null"))
        others = [branch for branch in branches if branch != "null"]
        if len(others) == 1 and len(branches) == 2:
            return self.long(branches.index(others[0])) + self.encode(value, others[0])
        (name, inner), = value.items()
        for index, branch in enumerate(branches):
            found = self.resolve(branch)
            if name == (found.get("name") if isinstance(found, dict) else None) or name == branch:
                return self.long(index) + self.encode(inner, branch)
        raise Damaged(f"a union has no branch {name}")

    def record(self, value, schema):
        fields = schema["fields"]
        if len(fields) == 1 and fields[0]["name"] == "value" and fields[0]["type"] == "long":
            return self.long(value)
        if len(fields) == 1 and fields[0]["name"] == "case":
            branches = self.resolve(fields[0]["type"])
            if isinstance(branches, list):
                (label, inner), = value.items()
                for index, branch in enumerate(branches):
                    name = self.resolve(branch)["name"]
                    if name in (schema["name"] + "_" + label, label):
                        return self.long(index) + self.encode(inner, branch)
                raise Damaged(f"{schema['name']} has no case {label}")
        return b"".join(self.encode(value[field["name"]], field["type"]) for field in fields)

    def table(self, schema):
        """The record of a table's row, if a field of a state is a table."""
        schema = self.resolve(schema)
        if self.kind(schema) != "array":
            return None
        row = self.resolve(schema["items"])
        if self.kind(row) != "record" or not row["name"].endswith("Row"):
            return None
        return row if [field["name"] for field in row["fields"]] == ["id", "value"] else None

    def split(self, value, schema):
        """The Avro bytes of the scalars of a state, and its tables as (rows, row record)."""
        scalars, tables = b"", []
        for field in self.resolve(schema)["fields"]:
            inner, type_ = value[field["name"]], field["type"]
            row = self.table(type_)
            part = self.resolve(type_)
            if row:
                tables.append((inner, row))
            elif self.kind(part) == "record" and self.has_tables(part):
                inner_scalars, inner_tables = self.split(inner, part)
                scalars += inner_scalars
                tables += inner_tables
            else:
                scalars += self.encode(inner, type_)
        return scalars, tables

    def has_tables(self, schema):
        fields = [field["type"] for field in schema["fields"]]
        return any(self.table(type_) for type_ in fields) or any(
            self.kind(self.resolve(type_)) == "record" and self.has_tables(self.resolve(type_))
            for type_ in fields)


def node(children):
    """The reference of an inner node: hash, lowest and highest zone."""
    present = [index for index, child in enumerate(children) if child[1] <= child[2]]
    if not present:
        return EMPTY
    data = b"\1" + struct.pack("<I", sum(1 << index for index in present))
    for index in present:
        data += children[index][0] + struct.pack("<qq", *children[index][1:])
    return (hashlib.sha256(data).digest(), min(children[index][1] for index in present),
            max(children[index][2] for index in present))


def grouped(children):
    """One node for each 32 children."""
    return [node(children[start:start + 32]) for start in range(0, len(children), 32)]


def table_hash(rows, row, encoder, zone_field):
    """The hash of a table, from its rows of {id, value}."""
    id_type, entity = (field["type"] for field in row["fields"])
    leaves = {}
    for item in rows:
        zone = item["value"][zone_field] if zone_field else 0
        # Without a value, such as the end of a running entry, it comes last.
        zone = NO_ZONE[0] if zone is None else zone
        leaves.setdefault(item["id"] // 32, []).append(
            (item["id"] % 32, encoder.encode(item["value"], entity), zone))
    if not leaves:
        return bytes(32)
    level = []
    for index in range(max(leaves) + 1):
        slots = leaves.get(index)
        if not slots:
            level.append(EMPTY)
            continue
        page = struct.pack("<I", sum(1 << slot for slot, _, _ in slots))
        page += encoder.block([data for _, data, _ in slots])
        zones = [zone for _, _, zone in slots]
        level.append((hashlib.sha256(b"\0" + page).digest(), min(zones), max(zones)))
    # Leaves into branches, branches into trunks, and trunks at least once more.
    level = grouped(grouped(level))
    while True:
        level = grouped(level)
        if len(level) == 1:
            return level[0][0]


def state_hash(printed, zones):
    """The hash of a state as `replay state --json` printed it."""
    encoder = Encoder(printed["schema"])
    scalars, tables = encoder.split(printed["state"], printed["schema"])
    if len(tables) != len(printed["tables"]):
        raise Damaged("the state has another number of tables than it says")
    data = b"\2" + scalars
    for number, ((rows, row), said) in enumerate(zip(tables, printed["tables"])):
        entity = encoder.resolve(row["fields"][1]["type"])["name"]
        data += struct.pack("<BQ", number, said["nextID"])
        data += table_hash(rows, row, encoder, zones.get(entity))
    return hashlib.sha256(data).digest()


def canonical(schema, logical=None):
    """The parsing canonical form of a schema, with logical types kept."""
    suffix = "}" if logical is None else f',"logicalType":{json.dumps(logical)}' + "}"
    if isinstance(schema, str):
        return f'"{schema}"' if logical is None else f'{{"type":"{schema}"{suffix}'
    if isinstance(schema, list):
        branches = "[" + ",".join(canonical(branch) for branch in schema) + "]"
        return branches if logical is None else f'{{"type":{branches}{suffix}'
    if logical is not None and "logicalType" in schema:
        return f'{{"type":{canonical(schema)}{suffix}'
    kind, logical = schema["type"], schema.get("logicalType", logical)
    if kind == "array":
        return f'{{"type":"array","items":{canonical(schema["items"])}{suffix}'
    if kind == "map":
        return f'{{"type":"map","values":{canonical(schema["values"])}{suffix}'
    if kind == "record":
        fields = ",".join(f'{{"name":"{field["name"]}","type":{canonical(field["type"])}}}'
                          for field in schema["fields"])
        return f'{{"name":"{schema["name"]}","type":"record","fields":[{fields}]{suffix}'
    if kind == "enum":
        symbols = ",".join(f'"{symbol}"' for symbol in schema["symbols"])
        return f'{{"name":"{schema["name"]}","type":"enum","symbols":[{symbols}]{suffix}'
    if kind == "fixed":
        return f'{{"name":"{schema["name"]}","type":"fixed","size":{schema["size"]}{suffix}'
    return canonical(kind, logical)


class Payload:
    """Reads the payload of a system's record from its bytes."""

    def __init__(self, record):
        self.sequence, self.data, self.at = record["sequence"], record["payload"], 0

    def bytes(self, count):
        data = self.data[self.at:self.at + count]
        if len(data) != count:
            raise Damaged(f"record {self.sequence}: the payload is cut off")
        self.at += count
        return data

    def long(self):
        value, self.at = varint(self.data, self.at, len(self.data))
        return zigzag(value)

    def branch(self, count):
        branch = self.long()
        if not 0 <= branch < count:
            raise Damaged(f"record {self.sequence}: the payload has no branch {branch}")
        return branch

    def text(self):
        try:
            return self.bytes(max(0, self.long())).decode()
        except UnicodeDecodeError:
            raise Damaged(f"record {self.sequence}: a text is no UTF-8")

    def end(self):
        if self.at != len(self.data):
            raise Damaged(f"record {self.sequence}: bytes are left after the payload")


def session_opened(record, version):
    """What a session says of itself."""
    payload = Payload(record)
    found = dict(session=record["sequence"], app=payload.text(), build=payload.text(),
                 actions=payload.bytes(32).hex(), end=None, origin=None)
    payload.bytes(64)
    found["scene"] = payload.long() if payload.branch(2) else None
    found["zone"], _ = payload.text(), payload.text()
    if version > 1 and payload.branch(2):
        found["origin"] = dict(login=payload.text(), host=payload.text(), process=payload.long(),
                               isClockFixed=payload.bytes(1) == b"\1")
    found["schemas"] = {}
    if version > 1:
        count = payload.long()
        for _ in range(count):
            number = payload.long()
            found["schemas"][COMMAND_SCHEMAS + number] = payload.bytes(32).hex()
        if count and payload.long() != 0:
            raise Damaged(f"record {record['sequence']}: schemas in two blocks")
    found["sleptMilliseconds"] = payload.long() if version > 2 and payload.branch(2) else None
    payload.end()
    return found


def session_closed(record, version):
    """How a session ended."""
    payload = Payload(record)
    reasons = ["closed", "foundDead", "signalled"][:2 if version == 1 else 3]
    reason = reasons[payload.branch(len(reasons))]
    signal = payload.long() if version > 1 and payload.branch(2) else None
    if (reason == "signalled") != (signal is not None):
        raise Damaged(f"record {record['sequence']}: a signal and another end")
    payload.end()
    return reason if signal is None else f"{reason} {signal}"


def command(record):
    """The schema numbers that a request refers to, and whether it was refused."""
    payload = Payload(record)
    origins = ["commandLine", "scene", "import", "undo", "effect", "program"]
    found = dict(sequence=record["sequence"], origin=origins[payload.branch(len(origins))])
    found["schemas"] = [COMMAND_SCHEMAS + payload.long()]
    payload.bytes(max(0, payload.long()))
    found["isRefused"] = bool(payload.branch(2))
    if found["isRefused"]:
        found["schemas"].append(COMMAND_SCHEMAS + payload.long())
        payload.bytes(max(0, payload.long()))
    payload.end()
    return found


def read_format(directory):
    """The store's identity and the version of its format, from the file FORMAT."""
    path = os.path.join(directory, "FORMAT")
    if not os.path.isfile(path):
        raise NoStore(f"there is no file {path}")
    with open(path, "rb") as file:
        lines = file.read().decode("utf-8", "replace").split("\n")
    if lines[0] != "Retrace store":
        raise NoStore("the file FORMAT is not that of a Retrace store")
    values = dict(line.split(" ", 1) for line in lines[1:] if " " in line)
    if values.get("format") not in [str(version) for version in KINDS_IN_VERSION]:
        raise OtherVersion(f"format {values.get('format')}")
    return bytes.fromhex(values["store"]), int(values["format"])


def verify(directory, wanted):
    """Checks a whole store; answers what was found as a dictionary."""
    store, version = read_format(directory)
    path = os.path.join(directory, "data.mdb")
    if not os.path.isfile(path):
        raise NoStore(f"there is no file {path}")
    data = DataFile(path)
    meta = dict(data.items(data.named("meta")))
    if meta.get(b"store") != store:
        raise Damaged("FORMAT and the data file name different stores")
    head = meta.get(b"head", b"")
    if len(head) != 72 or struct.unpack_from("<Q", head)[0] != xxh64(head[8:]):
        raise Damaged("the head's checksum is wrong")
    if head[8] != version:
        raise OtherVersion(f"the head is of version {head[8]}, the store of version {version}")
    sequence, moment, tail = struct.unpack_from("<QqQ", head, 16)
    schemas = {struct.unpack(">I", key)[0]: json.loads(value)
               for key, value in data.items(data.named("schemas"))}
    fingerprints = {number: hashlib.sha256(canonical(schema).encode()).hexdigest()
                    for number, schema in schemas.items()}
    chain, expected, counts, chains, hashes = bytes(32), 1, {}, {}, {}
    sessions, commands, named, real_times = {}, [], set(), {}
    is_refused = False  # the command of the current batch
    for key, value in data.items(data.named("log")):
        first = struct.unpack(">Q", key)[0]
        if first != expected:
            raise Damaged(f"the block after record {expected - 1} is that of record {first}")
        block = Block(first, value)
        if block.before != chain:
            raise Damaged(f"the chain digest of block {first} does not match the block before it")
        if block.version != version:
            raise OtherVersion(f"block {first} is of version {block.version}")
        for record in block.records():
            counts[record["kind"]] = counts.get(record["kind"], 0) + 1
            is_refused = is_refused and not record["startsBatch"]
            if is_refused and record["kind"] == "action":
                raise Damaged(f"record {record['sequence']}: an action of a refused command")
            if record["schema"] not in schemas:
                raise Damaged(f"record {record['sequence']}: schema {record['schema']} is missing")
            if record["kind"] == "sessionOpened":
                opened = session_opened(record, version)
                for number, fingerprint in [(record["schema"], opened.pop("actions")),
                                            *opened["schemas"].items()]:
                    if fingerprint != fingerprints.get(number):
                        raise Damaged(f"session {record['sequence']} names another schema")
                    named.add(number)
                sessions[record["sequence"]] = opened
            elif record["kind"] == "sessionClosed":
                if record["session"] not in sessions:
                    raise Damaged(f"record {record['sequence']} ends no session")
                sessions[record["session"]]["end"] = session_closed(record, version)
            elif record["kind"] == "command":
                found = command(record)
                if not record["startsBatch"]:
                    raise Damaged(f"record {record['sequence']}: a command within a batch")
                commands.append(found)
                is_refused = found["isRefused"]
            if record["stateHash"]:
                hashes[record["sequence"]] = record["stateHash"].hex()
            if record["realTime"] is not None:
                real_times[str(record["sequence"])] = record["realTime"]
        for number in wanted:
            if block.first <= number <= block.last:
                chains[number] = block.chain(store, number).hex()
        chain = hashlib.sha256(block.prefix(store) + value[80:]).digest()
        expected = block.last + 1
    if sequence != expected - 1 or head[40:72] != chain:
        raise Damaged(
            f"the head names record {sequence} as the last one, but the log ends with record "
            f"{expected - 1}")
    if moment != (record["moment"] if sequence else 0) or tail != (block.first if sequence else 0):
        raise Damaged("the head contradicts the last block")
    for found in commands:
        if not named.issuperset(found["schemas"]):
            raise Damaged(f"record {found['sequence']}: no session names a schema of the command")
    missing = [number for number in wanted if number not in chains]
    if missing:
        raise Damaged(f"there is no record {missing[0]}")
    return dict(store=store.hex(), version=version, records=sequence, chain=chain.hex(),
                kinds=counts, sessions=list(sessions.values()), commands=commands,
                schemas=sorted(schemas), stateHashes=len(hashes), realTimes=real_times,
                shortStateHashes=sum(len(hash_) == 8 for hash_ in hashes.values()),
                chains={str(number): chains[number] for number in wanted}, hashes=hashes)


# The exported file --------------------------------------------------------------------------------


class Container:
    """An Avro container file as `audit export` writes it: no codec, names with their namespace."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:4] != b"Obj\1":
            raise Damaged(f"{path} is no Avro container file")
        self.at, self.metadata = 4, {}
        for _ in self.items():
            key = self.bytes().decode()
            self.metadata[key] = self.bytes()
        self.marker = self.raw(16)
        self.names = {}
        self.schema = self.named(json.loads(self.metadata["avro.schema"]), "")

    def raw(self, count):
        if count < 0 or self.at + count > len(self.data):
            raise Damaged("the exported file is cut off")
        self.at += count
        return self.data[self.at - count:self.at]

    def long(self):
        value, self.at = varint(self.data, self.at, len(self.data))
        return zigzag(value)

    def bytes(self):
        return self.raw(self.long())

    def items(self):
        """Counts the items of an array or a map."""
        while count := self.long():
            if count < 0:
                count, _ = -count, self.long()
            yield from range(count)

    def named(self, schema, space):
        """A schema whose named types, and references to them, have their full names."""
        if isinstance(schema, str):
            full = f"{space}.{schema}" if space and "." not in schema else schema
            return full if full in self.names else schema
        if isinstance(schema, list):
            return [self.named(branch, space) for branch in schema]
        kind = schema["type"]
        if kind in ("record", "enum", "fixed"):
            name, space = schema["name"], schema.get("namespace", space)
            name = f"{space}.{name}" if space and "." not in name else name
            space = name.rpartition(".")[0]
            schema = dict(schema, name=name)
            self.names[name] = schema
            if kind == "record":
                schema["fields"] = [dict(field, type=self.named(field["type"], space))
                                    for field in schema["fields"]]
        elif kind in ("array", "map"):
            key = "items" if kind == "array" else "values"
            schema = dict(schema, **{key: self.named(schema[key], space)})
        else:
            schema = self.named(kind, space)
        return schema

    def read(self, schema):
        """A value. An enum is its symbol. A union is a pair of the branch's name, and the value and
        its bytes, so that a caller can compare these."""
        schema = self.names.get(schema, schema) if isinstance(schema, str) else schema
        if isinstance(schema, list):
            branch = schema[self.long()]
            start = self.at
            value = self.read(branch)
            name = branch if isinstance(branch, str) else branch.get("name", branch["type"])
            return name, value, self.data[start:self.at]
        kind = schema["type"] if isinstance(schema, dict) else schema
        if kind == "record":
            return {field["name"]: self.read(field["type"]) for field in schema["fields"]}
        if kind == "enum":
            return schema["symbols"][self.long()]
        if kind == "fixed":
            return self.raw(schema["size"])
        if kind == "array":
            return [self.read(schema["items"]) for _ in self.items()]
        if kind == "map":
            return {self.bytes().decode(): self.read(schema["values"]) for _ in self.items()}
        if kind in ("int", "long"):
            return self.long()
        if kind == "boolean":
            return self.raw(1) == b"\1"
        if kind in ("float", "double"):
            return self.raw(4 if kind == "float" else 8)
        return None if kind == "null" else self.bytes()

    def records(self):
        while self.at < len(self.data):
            count, size = self.long(), self.long()
            end = self.at + size
            for _ in range(count):
                yield self.read(self.schema)
            if self.at != end or self.raw(16) != self.marker:
                raise Damaged("a block of the exported file does not end where it says")


def encoded_values(record):
    """The number of the schema, and the bytes, of each value that a record holds as bytes."""
    payload = Payload(record)
    if record["kind"] == "command":
        payload.long()
        found = [(payload.long(), payload.bytes(payload.long()))]
        if payload.branch(2):
            found.append((payload.long(), payload.bytes(payload.long())))
        return [(COMMAND_SCHEMAS + number, data) for number, data in found]
    payload.long(), payload.long()
    schema, _ = payload.long(), payload.long()
    return [(schema, payload.bytes(payload.long())) for _ in range(payload.long())]


def compare(exported, record, schemas):
    """Checks an exported record against that of the store."""
    for name in ("sequence", "kind", "session", "moment", "startsBatch", "hasEffect"):
        if exported[name] != record[name]:
            raise Damaged(f"record {record['sequence']} is exported with another {name}")
    for name in ("cause", "key", "realTime"):
        if exported[name][1] != record[name]:
            raise Damaged(f"record {record['sequence']} is exported with another {name}")
    name, value, data = exported["payload"]
    if record["kind"] == "command":
        refusal = value["refusal"][1]
        values = [value["command"]] + ([] if refusal is None else [refusal])
    elif record["kind"] == "crashed":
        values = value["actions"]
    else:
        if data != record["payload"]:
            raise Damaged(f"record {record['sequence']} is exported with another payload")
        if record["kind"] == "action" and name.split(".")[0] != f"schema{record['schema']}":
            raise Damaged(f"record {record['sequence']} is exported by another schema")
        return 0
    wanted = encoded_values(record)
    for found, (number, data) in zip(values, wanted, strict=True):
        space = (f"commands{number - COMMAND_SCHEMAS}" if number > COMMAND_SCHEMAS
                 else f"schema{number}")
        name, value, encoded = found["value"]
        if number in schemas and (name.split(".")[0] != space or encoded != data):
            raise Damaged(f"a value of record {record['sequence']} is exported as another one")
        if number not in schemas and (name != "bytes" or value != data):
            raise Damaged(f"a value of record {record['sequence']} is exported without its bytes")
    return len(wanted)


def check_export(directory, path):
    """Checks that a file has every record of a store; answers how many values were bytes."""
    data = DataFile(os.path.join(directory, "data.mdb"))
    schemas = {struct.unpack(">I", key)[0] for key, _ in data.items(data.named("schemas"))}
    exported, values = Container(path).records(), 0
    for key, value in data.items(data.named("log")):
        for record in Block(struct.unpack(">Q", key)[0], value).records():
            found = next(exported, None)
            if found is None:
                raise Damaged(f"record {record['sequence']} is not exported")
            values += compare(found, record, schemas)
    if next(exported, None) is not None:
        raise Damaged("the exported file has more records than the store")
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("store", help="the directory of a store")
    parser.add_argument("--at", type=int, action="append", default=[], metavar="N",
                        help="also compute chain(N)")
    parser.add_argument("--state", action="append", default=[], metavar="FILE",
                        help="also recompute the hash of the state printed into FILE")
    parser.add_argument("--zone", action="append", default=["TimeEntry=end"],
                        metavar="ENTITY=FIELD", help="the field that is an entity's zone")
    parser.add_argument("--export", metavar="FILE",
                        help="also check the file that `audit export` wrote")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    try:
        options = parser.parse_args()
    except SystemExit as exit_:
        return 64 if exit_.code else 0
    try:
        found = verify(options.store, options.at)
        if options.export:
            found["exportedValues"] = check_export(options.store, options.export)
        hashes = found.pop("hashes")
        agrees = True
        zones = dict(zone.split("=", 1) for zone in options.zone)
        found["states"] = []
        for name in options.state:
            with open(name, "rb") as file:
                printed = json.load(file)
            state = state_hash(printed, zones).hex()
            found["states"].append(state)
            said = [printed["stateHash"], hashes.get(printed["sequence"])]
            # A record may have only the first bytes of the hash.
            agrees = agrees and all(hash_ is None or state.startswith(hash_) for hash_ in said)
    except (Damaged, struct.error, RecursionError) as error:
        print(f"damaged: {error}", file=sys.stderr)
        return 3
    except OtherVersion as error:
        print(f"of another version: {error}", file=sys.stderr)
        return 4
    except (NoStore, OSError) as error:
        print(f"no store: {error}", file=sys.stderr)
        return 6
    if options.json:
        print(json.dumps(found))
        return 0 if agrees else 2
    print(f"{found['records']} records, chain {found['chain']}")
    for number, chain in found["chains"].items():
        print(f"chain({number}) {chain}")
    for state in found["states"]:
        print(f"state {state}")
    if not agrees:
        print("a state is not the one that was said")
    return 0 if agrees else 2


if __name__ == "__main__":
    sys.exit(main())
