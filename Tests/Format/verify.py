#!/usr/bin/env python3
"""Checks a store without any of the project's code, from what the format page says.

Only Python's standard library is used. `data.mdb` is read directly: LMDB 0.9's meta pages, branch,
leaf and overflow pages, named databases. The store may be open elsewhere; copy it first if it is
being written.

    verify.py STORE                      check every block, the chain, the head
    verify.py STORE --at N [--at M ...]  also print chain(N)
    verify.py STORE --json               print one JSON object

Exit codes: 0 sound, 3 damaged, 4 of another version, 6 no such store, 64 usage.
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
KINDS = ["action", "sessionOpened", "sessionClosed", "effectFinished", "crashed", "clockJumped"]


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
        if data[8] != 1:
            raise OtherVersion(f"block {key} is of version {data[8]}")
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
        return (self.before + store + bytes([self.data[8]])
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
            if flags & ~0x7F:
                raise OtherVersion(f"record {sequence} has flags {flags}")
            delta, at = varint(self.data, at, end)
            moment = wrapped(moment + zigzag(delta))
            kind, session, schema = 0, self.session, self.schema
            cause = key = state = None
            if flags & 2:
                kind, at = varint(self.data, at, end)
                if kind >= len(KINDS):
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
            if at > end:
                raise Damaged(f"record {sequence} is cut off")
            yield dict(sequence=sequence, kind=KINDS[kind], session=session, moment=moment,
                       schema=schema, cause=cause, key=key, startsBatch=bool(flags & 1),
                       stateHash=state, payload=self.data[at:end], end=end)
            at = end
        if at != len(self.data):
            raise Damaged(f"block {self.first}: bytes are left after the last record")

    def chain(self, store, sequence):
        """chain(N) for a record of the block."""
        end = next(record["end"] for record in self.records() if record["sequence"] == sequence)
        return hashlib.sha256(self.prefix(store) + self.data[80:end]).digest()


def read_format(directory):
    """The store's identity, from the file FORMAT."""
    path = os.path.join(directory, "FORMAT")
    if not os.path.isfile(path):
        raise NoStore(f"there is no file {path}")
    with open(path, "rb") as file:
        lines = file.read().decode("utf-8", "replace").split("\n")
    if lines[0] != "Retrace store":
        raise NoStore("the file FORMAT is not a store's")
    values = dict(line.split(" ", 1) for line in lines[1:] if " " in line)
    if values.get("format") != "1":
        raise OtherVersion(f"format {values.get('format')}")
    return bytes.fromhex(values["store"])


def verify(directory, wanted):
    """Checks a whole store; answers what was found as a dictionary."""
    store = read_format(directory)
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
    sequence, moment, tail = struct.unpack_from("<QqQ", head, 16)
    schemas = {struct.unpack(">I", key)[0]: json.loads(value)
               for key, value in data.items(data.named("schemas"))}
    chain, expected, counts, chains, hashes = bytes(32), 1, {}, {}, {}
    for key, value in data.items(data.named("log")):
        first = struct.unpack(">Q", key)[0]
        if first != expected:
            raise Damaged(f"the block after record {expected - 1} is that of record {first}")
        block = Block(first, value)
        if block.before != chain:
            raise Damaged(f"block {first} is not chained to the one before")
        for record in block.records():
            counts[record["kind"]] = counts.get(record["kind"], 0) + 1
            if record["schema"] not in schemas:
                raise Damaged(f"record {record['sequence']}: schema {record['schema']} is missing")
            if record["stateHash"]:
                hashes[record["sequence"]] = record["stateHash"].hex()
        for number in wanted:
            if block.first <= number <= block.last:
                chains[number] = block.chain(store, number).hex()
        chain = hashlib.sha256(block.prefix(store) + value[80:]).digest()
        expected = block.last + 1
    if sequence != expected - 1 or head[40:72] != chain:
        raise Damaged(f"the head is at record {sequence}, the log ends at {expected - 1}")
    missing = [number for number in wanted if number not in chains]
    if missing:
        raise Damaged(f"there is no record {missing[0]}")
    return dict(store=store.hex(), records=sequence, chain=chain.hex(), kinds=counts,
                schemas=sorted(schemas), stateHashes=len(hashes),
                chains={str(number): chains[number] for number in wanted})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("store", help="the directory of a store")
    parser.add_argument("--at", type=int, action="append", default=[], metavar="N",
                        help="also compute chain(N)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    try:
        options = parser.parse_args()
    except SystemExit as exit_:
        return 64 if exit_.code else 0
    try:
        found = verify(options.store, options.at)
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
        return 0
    print(f"{found['records']} records, chain {found['chain']}")
    for number, chain in found["chains"].items():
        print(f"chain({number}) {chain}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
