import RetraceHashing

/// The sequence that puts a text on the clipboard of a terminal: `OSC 52 ; c`, in Base64.
///
/// It is the clipboard of the computer with the terminal, even if the program runs elsewhere. No
/// program reads it.
enum ClipboardCode {
  /// The most bytes of a text: some terminals drop sequences from 100,000 bytes on.
  static var bytesMax: Int { 74_994 }

  /// Returns the sequence; `nil` for a text that is too long.
  ///
  /// - Complexity: O(bytes).
  static func bytes(of text: String) -> [UInt8]? {
    guard text.utf8.count <= bytesMax else { return nil }
    return Array("\u{1B}]52;c;".utf8) + Base64.text(of: Array(text.utf8)[...])
      + Array("\u{1B}\\".utf8)
  }
}
