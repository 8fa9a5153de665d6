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

  /// A line of the standard input that is to be text.
  package enum TextLine: Hashable, Sendable {
    /// The text, without the end of the line, which is LF or CR LF.
    case text(String)
    case notUTF8
    /// It has more bytes than the limit; all of it was skipped.
    case tooLong

    /// The largest size of a line that is one key, or one text that is typed.
    package static var keyBytesMax: Int { 1 << 16 }

    /// What is wrong with a line that was to be at most ``keyBytesMax`` bytes of text, as the rest
    /// of a sentence that begins with "the"; `nil` for a text.
    package var problem: String? {
      switch self {
      case .text: nil
      case .notUTF8: "line is not UTF-8"
      case .tooLong: "line is longer than \(Self.keyBytesMax) bytes"
      }
    }
  }

  /// Reads a line of text from the standard input.
  ///
  /// - Parameter limitBytes: The largest size of a line.
  /// - Returns: The line; `nil` at the end of the input, or if it cannot be read any more.
  package static func readText(limitBytes: Int) -> TextLine? {
    do throws(SystemError) {
      guard var bytes = try readLine(limitBytes: limitBytes) else { return nil }
      if bytes.last == 0x0D { bytes.removeLast() }
      guard let text = try? UTF8Span(validating: bytes.span) else { return .notUTF8 }
      return .text(String(copying: text))
    } catch {
      guard error.code == .aboveLimit, (try? skipLine()) != nil else { return nil }
      return .tooLong
    }
  }

  /// Skips the rest of the current line, such as one that was too long.
  ///
  /// - Complexity: O(bytes of the line), without storing it.
  package static func skipLine() throws(SystemError) {
    try input.withLock { reader throws(SystemError) in try reader.skipLine() }
  }
}
