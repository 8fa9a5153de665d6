import Glibc

extension ChildProcess {
  /// Writes the program's input and reads both outputs to their ends.
  ///
  /// It does all of this on one thread with `poll`, so that a full pipe cannot deadlock the two
  /// processes.
  ///
  /// - Parameters:
  ///   - input: The bytes to write to the program's input, which is then closed; `nil` to leave it
  ///     open.
  ///   - limitBytes: The largest size of each output.
  package func exchange(
    _ input: [UInt8]?, limitBytes: Int
  ) throws(SystemError) -> (output: [UInt8], error: [UInt8]) {
    var exchange = Exchange(input: input ?? [])
    if input != nil { try begin(&exchange) }
    exchange.isReadingOutput = outputDescriptor != nil
    exchange.isReadingError = errorDescriptor != nil
    while !exchange.isOver { try step(&exchange, limitBytes: limitBytes) }
    return (
      try outputReader.withLock { (reader) throws(SystemError) in
        outputDescriptor == nil ? [] : try reader.readToEnd(limitBytes: limitBytes)
      },
      try errorReader.withLock { (reader) throws(SystemError) in
        errorDescriptor == nil ? [] : try reader.readToEnd(limitBytes: limitBytes)
      }
    )
  }

  /// Writes the program's input, closes it, and waits until the program ends, or until a timeout.
  ///
  /// A program that does not read its input cannot delay this process beyond the timeout. This call
  /// does not read the outputs, so do not make them pipes.
  ///
  /// - Parameters:
  ///   - input: The bytes to write.
  ///   - timeoutMilliseconds: The longest wait.
  /// - Returns: How the program ended; `nil` if it is still running.
  package func finish(
    _ input: [UInt8], timeoutMilliseconds: Int
  ) throws(SystemError) -> Exit? {
    let deadline = MonotonicClock.deadline(inMilliseconds: timeoutMilliseconds)
    func rest() -> Int {
      Int(max(0, deadline - MonotonicClock.nanoseconds()) + 999_999) / 1_000_000
    }
    var exchange = Exchange(input: input)
    try begin(&exchange)
    while exchange.isWriting {
      guard rest() > 0 else { return nil }
      try step(&exchange, limitBytes: 0, milliseconds: Int32(clamping: rest()))
    }
    return try wait(timeoutMilliseconds: rest())
  }

  private func begin(_ exchange: inout Exchange) throws(SystemError) {
    ThisProcess.ignoreBrokenPipes()
    guard let input = inputDescriptor else {
      throw SystemError(.badFileDescriptor, during: .write)
    }
    // The program's end is a separate open file and stays blocking.
    _ = try System.call(.fcntl, nil) { fcntl(input, F_SETFL, O_NONBLOCK) }
    exchange.isWriting = true
  }

  private struct Exchange {
    var input: [UInt8]
    var written = 0
    var isWriting = false
    var isReadingOutput = false
    var isReadingError = false

    init(input: [UInt8]) { self.input = input }

    var isOver: Bool { !isWriting && !isReadingOutput && !isReadingError }
  }

  /// Waits until a descriptor is ready or a time has passed, and reads or writes.
  private func step(
    _ exchange: inout Exchange, limitBytes: Int, milliseconds: Int32 = -1
  ) throws(SystemError) {
    // `poll` ignores negative descriptors.
    var files = [
      pollfd(
        fd: exchange.isWriting ? inputDescriptor ?? -1 : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(
        fd: exchange.isReadingOutput ? outputDescriptor ?? -1 : -1, events: Int16(POLLIN),
        revents: 0),
      pollfd(
        fd: exchange.isReadingError ? errorDescriptor ?? -1 : -1, events: Int16(POLLIN),
        revents: 0),
    ]
    guard try System.poll(&files, milliseconds: milliseconds) == true else { return }
    if files[0].revents != 0 { try writeSome(&exchange) }
    if files[1].revents != 0 {
      exchange.isReadingOutput = try outputReader.withLock { (reader) throws(SystemError) in
        try reader.readAhead(limitBytes: limitBytes)
      }
    }
    if files[2].revents != 0 {
      exchange.isReadingError = try errorReader.withLock { (reader) throws(SystemError) in
        try reader.readAhead(limitBytes: limitBytes)
      }
    }
  }

  /// Writes as much of the input as fits, and closes it after the last byte.
  private func writeSome(_ exchange: inout Exchange) throws(SystemError) {
    exchange.written += try writeSome(exchange.input.span.extracting(exchange.written...))
    guard exchange.written == exchange.input.count else { return }
    closeInput()
    exchange.isWriting = false
  }

  /// Writes as much as fits, and returns the number of bytes that were written or dropped.
  private func writeSome(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    guard let input = inputDescriptor, !bytes.isEmpty else { return bytes.count }
    do throws(SystemError) {
      // Unsafe: C reads the borrowed bytes during the closure, at most their count.
      return try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
        try unsafe System.write(input, bytes, nil)
      }
    } catch {
      if error.code == .tryAgain { return 0 }
      // A program may stop reading its input; the rest is dropped.
      guard error.code == .brokenPipe else { throw error }
      return bytes.count
    }
  }
}
