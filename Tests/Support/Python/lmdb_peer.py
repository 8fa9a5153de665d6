"""Writes and verifies data files with lmdb 3.0.0, which contains LMDB 0.9.36 and 1.0.2.

    lmdb_peer.py write DIRECTORY VERSION    writes an environment; VERSION is 0 for LMDB 0.9, or 1
    lmdb_peer.py convert DIRECTORY NEW      copies all databases into an environment of LMDB 1.0
    lmdb_peer.py verify                     reads a path of a data file per line, and prints a line
                                            for each: "OK", or its problems
"""

import os
import sys

import lmdb
import lmdb.verify


def write(directory, version):
    os.makedirs(directory)
    environment = lmdb.open(
        directory, map_size=1 << 24, max_dbs=4, lib_version=version)
    for name in (b"log", b"meta"):
        with environment.begin(write=True) as transaction:
            database = environment.open_db(name, txn=transaction)
            for number in range(2000):
                transaction.put(b"%06d" % number, b"value" * (number % 40), db=database)
            transaction.put(b"long", b"x" * 50_000, db=database)
    print(".".join(str(part) for part in environment.lib_version()))
    environment.close()


def convert(directory, new):
    os.makedirs(new)
    old = lmdb.open(directory, map_size=1 << 30, max_dbs=16, readonly=True, lock=False)
    environment = lmdb.open(new, map_size=1 << 30, max_dbs=16, lib_version=1)
    with old.begin() as reading, environment.begin(write=True) as transaction:
        for name, _ in reading.cursor():
            source = old.open_db(name, txn=reading, create=False)
            target = environment.open_db(name, txn=transaction)
            for key, value in reading.cursor(source):
                transaction.put(key, value, db=target)
    environment.close()


def verify():
    for line in sys.stdin:
        try:
            problems = lmdb.verify.verify(line.rstrip("\n"), subdir=False)
        except lmdb.verify.VerifyError as error:
            problems = [str(error)]
        print("; ".join(problems) or "OK")


if sys.argv[1] == "write":
    write(sys.argv[2], int(sys.argv[3]))
elif sys.argv[1] == "convert":
    convert(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "verify":
    verify()
else:
    sys.exit(f"unknown command {sys.argv[1]}")
