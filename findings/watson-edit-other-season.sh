#!/bin/bash
# Watson 2.1.0 moves an entry by an hour when its tags are edited in the other half of the year.
#
# With arrow 1.4.0, "local" is a fixed offset, the one of now: in winter an entry of July at 11:00
# is listed at 10:00, and in summer one of January an hour late. `watson edit` writes such times
# into the file that the user edits, and reads them back as local times of the entry's own day. An
# edit that adds a tag and leaves the times alone moves the entry by an hour. With arrow 1.3.0,
# which Watson accepts as well, the entry stays where it was.
#
# Installs both into a temporary folder, adds a tag to an entry of each half of the year, prints
# how far each entry moved, and fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TZ=Europe/Berlin WATSON_DIR=$folder/data EDITOR=$folder/add-tag
python3 -m venv venv
mkdir data
cat >add-tag <<'EDITOR'
#!/bin/sh
sed -i 's/"tags": \[\]/"tags": ["reviewed"]/' "$1"
EDITOR
chmod +x add-tag

# Adds a tag to an entry that begins at the given time, and prints by how many minutes it moved.
moved() { # start
  local start
  start=$(date -d "$1" +%s)
  echo "[[$start, $((start + 3600)), \"thesis\", \"$(printf 'a%.0s' {1..32})\", [], $start]]" \
    >data/frames
  venv/bin/watson edit -1 >/dev/null
  venv/bin/python -c "import json
frame = json.load(open('data/frames'))[0]
assert frame[4] == ['reviewed'], frame
print((frame[0] - $start) // 60)"
}

# Prints the hours of the zone's offset on a day.
offset() { # day
  date -d "$1" +%:::z | tr -d +
}

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
for arrow in 1.4.0 1.3.0; do
  venv/bin/pip install --quiet --disable-pip-version-check td-watson==2.1.0 arrow==$arrow
  for day in 2026-01-19 2026-07-06; do
    # The half of the year that runs now is listed right, and stays.
    wanted=0
    [ $arrow = 1.3.0 ] || wanted=$((60 * (10#$(offset now) - 10#$(offset $day))))
    expect "arrow $arrow, entry of $day, minutes moved" "$(moved "$day 11:00")" "$wanted"
  done
done
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
