import Glibc

/// The standard streams of the process.
package enum Console {
  package enum Output: Hashable, Sendable {
    case standardOutput
    case standardError

    var descriptor: Int32 {
      switch self {
      case .standardOutput: 1
      case .standardError: 2
      }
    }
  }

  // A write without a reader then fails instead of raising SIGPIPE; done once.
  private static let prepared: Void = ThisProcess.ignoreBrokenPipes()

  private static let input = Lock(LineReader(descriptor: 0))

  /// Writes all bytes, unbuffered.
  ///
  /// - Throws: `SystemError`, `.brokenPipe` if the stream has no reader.
  package static func write(
    _ bytes: Span<UInt8>, to output: Output = .standardOutput
  ) throws(SystemError) {
    _ = prepared
    try writeAll(bytes, to: output.descriptor, nil)
  }

  /// Writes all bytes, unbuffered.
  ///
  /// - Throws: `SystemError`, `.brokenPipe` if the stream has no reader.
  package static func write(
    _ bytes: [UInt8], to output: Output = .standardOutput
  ) throws(SystemError) {
    try write(bytes.span, to: output)
  }

  /// Writes a text in UTF-8, unbuffered and without adding a line end.
  ///
  /// - Throws: `SystemError`, `.brokenPipe` if the stream has no reader.
  package static func write(
    _ text: String, to output: Output = .standardOutput
  ) throws(SystemError) {
    try write(Array(text.utf8), to: output)
  }

  /// Reads a line from the standard input.
  ///
  /// - Parameter limitBytes: The largest size of a line.
  /// - Returns: The line without its end, or `nil` at the end of the input. The last line may lack
  ///   an end.
  /// - Throws: `SystemError`, `.aboveLimit` for a longer line.
  package static func readLine(limitBytes: Int = 1 << 20) throws(SystemError) -> [UInt8]? {
    try input.withLock { reader throws(SystemError) in try reader.next(limitBytes: limitBytes) }
  }

  /// Skips the rest of the current line, such as one that was too long.
  ///
  /// - Complexity: O(bytes of the line), without storing it.
  package static func skipLine() throws(SystemError) {
    try input.withLock { reader throws(SystemError) in try reader.skipLine() }
  }
}
