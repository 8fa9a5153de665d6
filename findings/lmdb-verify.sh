#!/bin/bash
# lmdb 3.0.0's `verify` calls a file that LMDB wrote damaged.
#
# If one transaction replaces a long value by a shorter one, LMDB leaves the shorter value all pages
# of the longer one, and counts them. The verifier expects as many pages as the value needs, and
# reports three or four problems. Both engines that the package contains, LMDB 0.9.36 and 1.0.2, write such
# files, read them, and free the pages when the value is deleted.
#
# Installs the package into a temporary folder, prints what happens, and fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check lmdb==3.0.0
cat >"$folder/finding.py" <<'END'
import sys
import lmdb
import lmdb.verify

surprises = 0
for engine in (0, 1):
    path = f"{sys.argv[1]}/{engine}"
    with lmdb.open(path, map_size=1 << 24, lib_version=engine) as environment:
        version = ".".join(map(str, environment.lib_version()))
        with environment.begin(write=True) as transaction:
            transaction.put(b"key", b"a" * 20_000)
            transaction.put(b"key", b"b" * 9_000)
        with environment.begin() as transaction:
            assert transaction.get(b"key") == b"b" * 9_000
        problems = lmdb.verify.verify(path)
        print(f"lmdb {lmdb.__version__}, LMDB {version}: the value is read back;",
              f"verify reports {len(problems)} problems:")
        for problem in problems:
            print("  " + problem)
        surprises += bool(problems)
        with environment.begin(write=True) as transaction:
            transaction.delete(b"key")
    print("  after the value is deleted:", lmdb.verify.verify(path) or "no problem")
sys.exit(0 if surprises == 2 else "the behaviour has changed")
END
"$folder/venv/bin/python" "$folder/finding.py" "$folder"
