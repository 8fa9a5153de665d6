import Glibc

/// The clock on the wall, which may be set back and forth.
public enum WallClock {
  /// Microseconds since 1970 began in UTC, without leap seconds.
  ///
  /// The C function is `clock_gettime` with `CLOCK_REALTIME`.
  public static func now() -> Int64 {
    let time = reading(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}

/// A clock that only goes forward, for measuring.
public enum MonotonicClock {
  /// Nanoseconds since some moment before the process began.
  ///
  /// The C function is `clock_gettime` with `CLOCK_MONOTONIC`.
  public static func nanoseconds() -> Int64 {
    let time = reading(CLOCK_MONOTONIC)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The reading of the clock some milliseconds from now; `Int64.max`, which never comes, for too
  /// many.
  package static func deadline(inMilliseconds milliseconds: Int) -> Int64 {
    let wait = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
    let end = nanoseconds().addingReportingOverflow(wait.partialValue)
    return wait.overflow || end.overflow ? (milliseconds < 0 ? 0 : .max) : end.partialValue
  }

  /// Lets the thread sleep, at least this long.
  public static func sleep(milliseconds: Int64) {
    sleep(until: deadline(inMilliseconds: Int(milliseconds)))
  }

  /// Lets the thread sleep, at least this long.
  public static func sleep(nanoseconds time: Int64) {
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

/// The time that the processor gave to this thread, for measuring work where others work, too.
public enum ThreadClock {
  /// Nanoseconds that this thread was run, those in the system included.
  ///
  /// The C function is `clock_gettime` with `CLOCK_THREAD_CPUTIME_ID`.
  ///
  /// - Complexity: One call of the system.
  public static func nanoseconds() -> Int64 {
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
