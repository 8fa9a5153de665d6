import Glibc

/// The wall clock, which can be set forward and back.
package enum WallClock {
  /// Returns the microseconds since 1970 in UTC, without leap seconds.
  ///
  /// The C function is `clock_gettime` with `CLOCK_REALTIME`.
  package static func now() -> Int64 {
    let time = reading(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// Returns the seconds by which local time is ahead of UTC at a second since 1970, in the zone of
  /// the environment variable `TZ` or else of the system; 0 if the zone is unknown.
  ///
  /// The C function is `localtime_r`.
  package static func localOffset(at second: Int64) -> Int {
    var time = time_t(second)
    // Unsafe: C reads and writes local variables. The name of the zone, a pointer, is not read.
    var parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return 0 }
    return unsafe parts.tm_gmtoff
  }
}

/// A clock that never goes back, for measuring.
package enum MonotonicClock {
  /// Returns the nanoseconds since some moment before the process started.
  ///
  /// The C function is `clock_gettime` with `CLOCK_MONOTONIC`.
  package static func nanoseconds() -> Int64 {
    let time = reading(CLOCK_MONOTONIC)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Returns the clock's reading some milliseconds from now.
  ///
  /// On overflow, returns `Int64.max`, which the clock never reaches, or 0 if the number of
  /// milliseconds is negative.
  package static func deadline(inMilliseconds milliseconds: Int) -> Int64 {
    let wait = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
    let end = nanoseconds().addingReportingOverflow(wait.partialValue)
    return wait.overflow || end.overflow ? (milliseconds < 0 ? 0 : .max) : end.partialValue
  }

  /// Suspends the thread for at least this long.
  package static func sleep(milliseconds: Int64) {
    sleep(until: deadline(inMilliseconds: Int(milliseconds)))
  }

  /// Suspends the thread for at least this long.
  package static func sleep(nanoseconds time: Int64) {
    let end = nanoseconds().addingReportingOverflow(time)
    sleep(until: end.overflow ? .max : end.partialValue)
  }

  private static func sleep(until end: Int64) {
    while true {
      let rest = end - nanoseconds()
      if rest <= 0 { return }
      var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      // Unsafe: C reads a local variable.
      _ = unsafe nanosleep(&time, nil)
    }
  }
}

/// The time for which the machine was suspended.
package enum MachineSleep {
  /// Returns for how many milliseconds the machine has been suspended since it was started.
  ///
  /// The C function is `clock_gettime`: `CLOCK_BOOTTIME` counts this time, and `CLOCK_MONOTONIC`
  /// does not.
  package static func milliseconds() -> Int64 {
    // The thread may be interrupted between two readings, which then lie too far apart.
    let differences = (0..<8).map { _ in
      let (monotonic, boot) = (reading(CLOCK_MONOTONIC), reading(CLOCK_BOOTTIME))
      return Int64(boot.tv_sec - monotonic.tv_sec) * 1_000_000_000
        + Int64(boot.tv_nsec - monotonic.tv_nsec)
    }
    return (differences.reduce(.max, min) + 500_000) / 1_000_000
  }

  /// Returns the microseconds since 1970, by the present wall clock, at which the machine was
  /// started.
  ///
  /// The C function is `clock_gettime` with `CLOCK_REALTIME` and `CLOCK_BOOTTIME`.
  package static func machineStart() -> Int64 {
    let boot = reading(CLOCK_BOOTTIME)
    return WallClock.now() - Int64(boot.tv_sec) * 1_000_000 - Int64(boot.tv_nsec) / 1_000
  }
}

/// The processor time of this thread, for measuring work while other threads run.
package enum ThreadClock {
  /// Returns the nanoseconds of processor time of this thread, including system calls.
  ///
  /// The C function is `clock_gettime` with `CLOCK_THREAD_CPUTIME_ID`.
  ///
  /// - Complexity: One system call.
  package static func nanoseconds() -> Int64 {
    let time = reading(CLOCK_THREAD_CPUTIME_ID)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

private func reading(_ clock: clockid_t) -> timespec {
  var time = timespec()
  // Unsafe: C writes to a local variable; with these clocks the call cannot fail.
  _ = unsafe clock_gettime(clock, &time)
  return time
}
