#!/bin/bash
# hledger 1.25 rounds each session of a timeclock file to hundredths of an hour, and adds those up.
#
# Six sessions of ten minutes are an hour; hledger's balance says 1.02h. A session under 18 seconds
# counts nothing. A request for more decimals shows more zeros. ledger 3.3.0 reads the same file,
# adds the seconds up, and rounds the sum only: 1.00h.
#
# Unpacks both packages of Debian 12 into a temporary folder, prints both balances, and fails if they
# change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download hledger=1.25-2+b5 ledger=3.3.0-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
# ledger's libraries, if the machine does not have them.
if ldd root/usr/bin/ledger | grep -q 'not found'; then
  ldd root/usr/bin/ledger | sed -n 's/^\s*\(\S*\) => not found/missing: \1/p'
  echo "install ledger's dependencies: apt-get install ledger=3.3.0-3"
  exit 69
fi

for minutes in 00:10 10:20 20:30 30:40 40:50 50:59; do
  echo "i 2026/03/02 09:${minutes%:*}:00 thesis"
  echo "o 2026/03/02 09:${minutes#*:}:00"
done | sed 's/^o .* 09:59:00/o 2026\/03\/02 10:00:00/' >sessions.timeclock
for minute in 10 20 30; do
  echo "i 2026/03/02 09:$minute:00 calls"
  echo "o 2026/03/02 09:$minute:17"
done >short.timeclock

# Prints the total, the last line of a balance.
balance() { # program file
  "root/usr/bin/$1" -f "$2" balance | tail -n 1 | awk '{ print $1 }'
}

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
expect "hledger, six sessions of 10 minutes" "$(balance hledger sessions.timeclock)" 1.02h
expect "ledger, six sessions of 10 minutes" "$(balance ledger sessions.timeclock)" 1.00h
expect "hledger, three sessions of 17 seconds" "$(balance hledger short.timeclock)" 0
expect "ledger, three sessions of 17 seconds" "$(balance ledger short.timeclock)" 51s
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
