import Glibc
public import RetraceSystem
import Synchronization

/// The standard input and outputs.
public enum Console {
  /// Where to write.
  public enum Output: Hashable, Sendable {
    /// What the program is for.
    case standardOutput
    /// What is said beside it.
    case standardError

    var descriptor: Int32 {
      switch self {
      case .standardOutput: 1
      case .standardError: 2
      }
    }
  }

  // A reader that went away is an error to answer, not a reason to be killed; done once.
  private static let prepared: Void = ThisProcess.ignoreBrokenPipes()

  private static let input = Mutex(LineReader(descriptor: 0))

  /// Writes all bytes, without a buffer.
  ///
  /// - Throws: ``SystemError``, `.brokenPipe` if nobody reads any more.
  public static func write(
    _ bytes: Span<UInt8>, to output: Output = .standardOutput
  ) throws(SystemError) {
    _ = prepared
    try writeAll(bytes, to: output.descriptor, nil)
  }

  /// Writes all bytes, without a buffer.
  ///
  /// - Throws: ``SystemError``, `.brokenPipe` if nobody reads any more.
  public static func write(
    _ bytes: [UInt8], to output: Output = .standardOutput
  ) throws(SystemError) {
    try write(bytes.span, to: output)
  }

  /// Writes a text in UTF-8, without a buffer; no line end is added.
  ///
  /// - Throws: ``SystemError``, `.brokenPipe` if nobody reads any more.
  public static func write(
    _ text: String, to output: Output = .standardOutput
  ) throws(SystemError) {
    try write(Array(text.utf8), to: output)
  }

  /// Reads a line of the standard input.
  ///
  /// - Parameter limitBytes: The highest number of bytes of a line.
  /// - Returns: The line without its end, or `nil` at the end of the input. The last line need not
  ///   have an end.
  /// - Throws: ``SystemError``, `.aboveLimit` for a longer line.
  public static func readLine(limitBytes: Int = 1 << 20) throws(SystemError) -> [UInt8]? {
    try input.withLock { reader throws(SystemError) in try reader.next(limitBytes: limitBytes) }
  }

  /// Passes over the rest of the line that is read, such as one that was too long.
  ///
  /// - Complexity: O(bytes of the line), not kept.
  public static func skipLine() throws(SystemError) {
    try input.withLock { reader throws(SystemError) in try reader.skipLine() }
  }

  /// Reads the standard input to its end.
  ///
  /// - Parameter limitBytes: The highest number of bytes.
  /// - Throws: ``SystemError``, `.aboveLimit` for more.
  public static func readAll(limitBytes: Int) throws(SystemError) -> [UInt8] {
    try input.withLock { reader throws(SystemError) in try reader.rest(limitBytes: limitBytes) }
  }
}
