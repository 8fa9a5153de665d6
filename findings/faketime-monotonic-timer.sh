#!/bin/bash
# libfaketime 0.9.10 shifts timers of the monotonic clock, also where it is told to leave that clock.
#
# With DONT_FAKE_MONOTONIC=1, clock_gettime(CLOCK_MONOTONIC) returns the real value. A timerfd of
# CLOCK_MONOTONIC with an absolute time (TFD_TIMER_ABSTIME) is shifted all the same: its time is
# taken for one of the faked wall clock. A timer for a tenth of a second from now does not end within
# a second, whether the wall clock is faked to a year ago or a year ahead. A relative timer does.
# Runtimes that wait for absolute monotonic times, such as Swift's, then wait for ever.
#
# Unpacks the package of Debian 12 into a temporary folder, prints after how long each timer ended,
# and fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download libfaketime=0.9.10-2.1 2>/dev/null
dpkg -x libfaketime_*.deb package
library=$(echo "$PWD"/package/usr/lib/*/faketime/libfaketime.so.1)

cat >timer.py <<'END'
import ctypes, os, select, sys, time

libc = ctypes.CDLL(None)
libc.timerfd_settime.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
CLOCK_MONOTONIC, TFD_TIMER_ABSTIME = 1, 1
absolute = sys.argv[1] == "absolute"
begin = time.clock_gettime(time.CLOCK_MONOTONIC)
end = (begin if absolute else 0) + 0.1
# The interval and the first expiration, each in seconds and nanoseconds.
value = (ctypes.c_long * 4)(0, 0, int(end), int(end % 1 * 1e9))
timer = libc.timerfd_create(CLOCK_MONOTONIC, 0)
libc.timerfd_settime(timer, TFD_TIMER_ABSTIME if absolute else 0, value, None)
ready = select.select([timer], [], [], 1)[0]
took = time.clock_gettime(time.CLOCK_MONOTONIC) - begin
print(("early" if took < 0.05 else "in time") if ready else "not within a second")
END

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
shifted() { # when kind
  LD_PRELOAD=$library DONT_FAKE_MONOTONIC=1 FAKETIME="$1" python3 timer.py "$2"
}
for shift in +0d -365d +365d; do
  expect "relative timer, wall clock $shift" "$(shifted $shift relative)" "in time"
done
expect "absolute timer, without libfaketime" "$(python3 timer.py absolute)" "in time"
expect "absolute timer, wall clock -365d" "$(shifted -365d absolute)" "not within a second"
expect "absolute timer, wall clock +365d" "$(shifted +365d absolute)" "not within a second"
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
