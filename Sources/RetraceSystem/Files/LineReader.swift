import Glibc

/// A reader of lines from a descriptor that its owner keeps open.
package struct LineReader: Sendable {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var isAtEnd = false

  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Returns the next line without its end, or `nil` at the end.
  ///
  /// - Parameters:
  ///   - limitBytes: The largest size of a line.
  ///   - deadline: The time limit, in nanoseconds of the monotonic clock; `nil` for none.
  /// - Throws: `.aboveLimit`; `.tryAgain` at the deadline. The bytes read so far stay buffered.
  package mutating func next(
    limitBytes: Int, deadline: Int64? = nil
  ) throws(SystemError) -> [UInt8]? {
    while true {
      if let end = bytes[(start + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        guard end - start <= limitBytes else { throw tooLong }
        return take(to: end, skipping: 1)
      }
      searched = bytes.count - start
      if searched > limitBytes { throw tooLong }
      if isAtEnd { return searched == 0 ? nil : take(to: bytes.count, skipping: 0) }
      try fill(deadline)
    }
  }

  /// Skips the rest of the current line, including its end.
  ///
  /// - Complexity: O(bytes of the line); keeps at most one chunk of it in memory.
  package mutating func skipLine() throws(SystemError) {
    while true {
      if let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        _ = take(to: end, skipping: 1)
        return
      }
      _ = take(to: bytes.count, skipping: 0)
      if isAtEnd { return }
      try fill(nil)
    }
  }

  /// Reads the available bytes, or waits for some; returns whether more may come.
  ///
  /// - Throws: `.aboveLimit` if more than `limitBytes` are buffered.
  package mutating func readAhead(limitBytes: Int) throws(SystemError) -> Bool {
    if !isAtEnd { try fill(nil) }
    if bytes.count - start > limitBytes { throw tooLong }
    return !isAtEnd
  }

  /// Reads the rest of the input, and returns all bytes not yet returned.
  package mutating func readToEnd(limitBytes: Int) throws(SystemError) -> [UInt8] {
    while !isAtEnd {
      if bytes.count - start > limitBytes { throw tooLong }
      try fill(nil)
    }
    guard bytes.count - start <= limitBytes else { throw tooLong }
    return take(to: bytes.count, skipping: 0)
  }

  private var tooLong: SystemError { SystemError(.aboveLimit, during: .read) }

  private mutating func take(to end: Int, skipping: Int) -> [UInt8] {
    let line = Array(bytes[start..<end])
    start = end + skipping
    searched = 0
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    } else if start > 1 << 16 {
      bytes.removeSubrange(..<start)
      start = 0
    }
    return line
  }

  private mutating func fill(_ deadline: Int64?) throws(SystemError) {
    if let deadline { try waitForInput(descriptor, until: deadline) }
    let more = try readSome(1 << 16, from: descriptor, nil)
    if more.isEmpty { isAtEnd = true }
    bytes += more
  }
}

/// Waits until a descriptor is readable or at its end.
///
/// - Throws: `.tryAgain` at the deadline, by the monotonic clock in nanoseconds.
package func waitForInput(_ descriptor: Int32, until deadline: Int64) throws(SystemError) {
  while true {
    let left = (deadline - MonotonicClock.nanoseconds() + 999_999) / 1_000_000
    var files = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    let ready = try System.poll(&files, milliseconds: Int32(clamping: max(0, left)))
    if ready == true { return }
    if left <= 0 { throw SystemError(.tryAgain, during: .poll) }
  }
}
