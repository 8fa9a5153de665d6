/// The error of a file of settings.
///
/// Parts of the file are quoted as they are, so a program escapes them before printing.
public struct TOMLError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The file has more bytes than ``TOMLDocument/bytesMax``.
    case tooLong(bytes: Int)
    /// The bytes are not UTF-8.
    case notUTF8
    /// A control character that TOML does not allow. The payload is its code.
    case controlCharacter(UInt32)
    /// A key is missing, or has a character that needs quotes.
    case keyExpected
    /// No `=` follows a key.
    case equalsExpected
    /// A text does not end on its line.
    case unclosedText
    /// No escape has this letter after the backslash.
    case unknownEscape(String)
    /// The number is not a Unicode scalar.
    case notAScalar
    /// The bracket of a table does not end on the line.
    case unclosedTable
    /// Something other than a comment follows a value or a table on its line.
    case endOfLineExpected
    /// A key or a table occurs twice. The payload is its path.
    case twice(String)
    /// A key with a value is also used as a table. The payload is its name.
    case notATable(String)
    /// A value that is not a text on one line, or a table inside another one.
    case unsupported
  }

  /// What is wrong.
  public var reason: Reason
  /// Where it is wrong.
  public var position: TOMLPosition

  init(_ reason: Reason, at position: TOMLPosition) {
    self.reason = reason
    self.position = position
  }
}

extension TOMLError: CustomStringConvertible {
  /// What is wrong as a sentence, without the position.
  public var description: String {
    switch reason {
    case .tooLong(let bytes):
      "The file has \(bytes) bytes, and may have \(TOMLDocument.bytesMax)."
    case .notUTF8: "The file is not UTF-8."
    case .controlCharacter(let code):
      "The control character \(String(code, radix: 16)) is not allowed here."
    case .keyExpected:
      "A key is missing here. A key with other characters than letters, digits, "
        + "- and _ needs quotes."
    case .equalsExpected: "The = after the key is missing."
    case .unclosedText: "The closing quote is missing on this line."
    case .unknownEscape(let letter):
      "A backslash before `\(letter)` means nothing. Write two for a backslash, or put the text in "
        + "single quotes."
    case .notAScalar: "No character has the number after the backslash."
    case .unclosedTable: "The closing bracket of the table is missing."
    case .endOfLineExpected: "Only a comment may follow on this line."
    case .twice(let path): "`\(path)` occurs twice."
    case .notATable(let name): "`\(name)` has a value, so it cannot be a table."
    case .unsupported:
      "A setting is a text in quotes on one line, as in key = \"text\", alone or in a table such "
        + "as [table]. The rest of TOML is not read."
    }
  }
}
