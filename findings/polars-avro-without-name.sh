#!/bin/bash
# An Avro file of polars 2.1.0 cannot be opened by Apache's avro 1.12.2, nor by avrocat 1.11.1.
#
# write_avro calls the record "" unless it is given a name, and an Avro name has at least one
# letter. avro raises SchemaParseException, avrocat says "Invalid Avro identifier". polars itself
# and fastavro 1.13.1 read the file. With `name="entry"` all four do.
#
# Installs the packages into a temporary folder, prints who reads the file, and fails if that
# changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download avro-bin=1.11.1-1 libavro23=1.11.1-1 2>/dev/null
# Their libraries, of any version.
apt-get -qq download libjansson4 libsnappy1v5 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(echo "$PWD"/root/usr/lib/*-linux-gnu)
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
  polars==2.1.0 fastavro==1.13.1 avro==1.12.2

cat >finding.py <<'PYTHON'
import sys
import fastavro, polars
from avro.datafile import DataFileReader
from avro.io import DatumReader

reader, *name = sys.argv[1:]
frame = polars.DataFrame({"project": ["thesis"], "minutes": [90]})
frame.write_avro("entries.avro", **({"name": name[0]} if name else {}))
with open("entries.avro", "rb") as file:
    if reader == "polars":
        rows = polars.read_avro(file).rows()
    elif reader == "fastavro":
        rows = list(fastavro.reader(file))
    elif reader == "avro":
        rows = list(DataFileReader(file, DatumReader()))
    else:
        rows = [1]
assert len(rows) == 1
PYTHON
# Prints whether a reader reads polars' file.
reads() { # reader name…
  venv/bin/python finding.py "$@" 2>messages || { tail -n 1 messages; return; }
  if [ "$1" = avrocat ]; then
    LD_LIBRARY_PATH=$libraries root/usr/bin/avrocat entries.avro 2>messages >/dev/null ||
      { tail -n 1 messages; return; }
  fi
  echo yes
}

failed=
expect() { # what found wanted
  echo "$1: $2"
  case $2 in *"$3"*) ;; *) echo "  was $3 before"; failed=1 ;; esac
}
for reader in polars fastavro avro avrocat; do
  expect "$reader, with a name" "$(reads $reader entry)" yes
done
expect "polars, without a name" "$(reads polars)" yes
expect "fastavro, without a name" "$(reads fastavro)" yes
expect "avro, without a name" "$(reads avro)" SchemaParseException
expect "avrocat, without a name" "$(reads avrocat)" "Invalid Avro identifier"
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
