/// Texts in files that spreadsheets read.
///
/// A spreadsheet computes a text that begins like a formula. An apostrophe before it prevents that.
/// A text that begins with an apostrophe gets one as well, so that taking one off gives the text
/// again.
package enum SpreadsheetText {
  /// A spreadsheet may drop a tab or a carriage return at the beginning and read the rest.
  private static let beginnings = "=+-@\t\r'".utf8

  /// Returns a text with an apostrophe before it, if it needs one.
  package static func marked(_ text: String) -> String {
    guard needsMark(text.utf8.first) else { return text }
    return "'" + text
  }

  /// Returns whether a text needs an apostrophe before it.
  ///
  /// - Parameter first: The first byte of the text; `nil` if it is empty.
  package static func needsMark(_ first: UInt8?) -> Bool {
    first.map { beginnings.contains($0) } ?? false
  }

  /// Returns the text that ``marked(_:)`` was given.
  ///
  /// Another text, such as `'tis`, stays as it is.
  package static func unmarked(_ text: String) -> String {
    guard text.utf8.first == UInt8(ascii: "'"), needsMark(text.utf8.dropFirst().first) else {
      return text
    }
    return String(text.dropFirst())
  }
}
