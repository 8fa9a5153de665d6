#!/bin/bash
# mdb_load 0.9.24 does not read back what `mdb_dump -p` 0.9.24 writes of a backslash.
#
# In the printable form a backslash begins two hexadecimal digits, and mdb_dump writes a backslash
# of the data as it is. A value C:\data comes back with one byte for the three of \da, the text
# 10\00 with a zero byte, both without a message; \new ends the load with an error. Without -p all
# of them come back. With and without -p, `mdb_dump -a` leaves out the values that stand in the
# main database beside named ones, and the exit status is 0.
#
# Unpacks the package of Debian 12 into a temporary folder, installs lmdb 3.0.0 to write the store,
# prints what comes back, and fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download lmdb-utils=0.9.24-1 2>/dev/null
dpkg -x lmdb-utils_*.deb root
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check lmdb==3.0.0

cat >store.py <<'PYTHON'
import sys
import lmdb

verb, path, *value = sys.argv[1:]
with lmdb.open(path, max_dbs=1, lib_version=0) as environment:
    events = environment.open_db(b"events", create=verb == "write")
    with environment.begin(write=verb == "write") as transaction:
        if verb == "write":
            transaction.put(b"format", b"1")
            transaction.put(b"text", value[0].encode(), db=events)
        elif verb == "main":
            print(transaction.get(b"format"))
        else:
            print(transaction.get(b"text", db=events))
PYTHON

# Dumps and loads a store with one text, and prints what came back, or the error.
copied() { # what value options…
  local what=$1 value=$2
  shift 2
  rm -rf source copy
  mkdir source copy
  venv/bin/python store.py write source "$value"
  root/usr/bin/mdb_dump -a "$@" source >dump
  root/usr/bin/mdb_load -f dump copy 2>messages && venv/bin/python store.py "$what" copy ||
    sed -n 's/.*: \(unexpected.*\)/\1/p' messages
}

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
for value in 'C:\data' '10\00' '\new'; do
  expect "$value, without -p" "$(copied text "$value")" "b'${value/\\/\\\\}'"
done
expect 'C:\data, with -p' "$(copied text 'C:\data' -p)" "b'C:\\xdata'"
expect '10\00, with -p' "$(copied text '10\00' -p)" "b'10\\x00'"
expect '\new, with -p' "$(copied text '\new' -p)" "unexpected end of input"
expect "main database, without -p" "$(copied main text)" None
expect "main database, with -p" "$(copied main text -p)" None
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
