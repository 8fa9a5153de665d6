/// The error of a file that is not in the part of TOML that is read.
///
/// Parts of the file are quoted as they are, so a program escapes them before printing.
public struct TOMLError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The file has more bytes than ``TOMLDocument/bytesMax``.
    case tooLong(bytes: Int)
    /// The bytes are not UTF-8.
    case notUTF8
    /// A control character that TOML does not allow; its code.
    case controlCharacter(UInt32)
    /// A key is missing, or has a character that needs quotes.
    case keyExpected
    /// No `=` follows a key.
    case equalsExpected
    /// No value follows `=`.
    case valueExpected
    /// The value is none of TOML, such as a text without quotes.
    case notAValue(String)
    /// A text does not end on its line.
    case unclosedText
    /// A backslash is followed by a letter that means nothing; the letter.
    case unknownEscape(String)
    /// The number of a character is none of Unicode.
    case notAScalar
    /// A whole number is outside of 64 bits.
    case numberTooLarge(String)
    /// An array does not end.
    case unclosedArray
    /// No comma or closing bracket follows a value of an array.
    case commaExpected
    /// The brackets of a table do not end on the line.
    case unclosedTable
    /// Something other than a comment follows a value or a table on its line.
    case endOfLineExpected
    /// There are too many arrays inside each other, or too many names in a path.
    case tooDeep
    /// A key or a table occurs twice; its path.
    case twice(String)
    /// A key is that of a table, or the other way round; its path.
    case notATable(String)
    /// A dotted key would add to a table that is written elsewhere; the path of the table.
    case closedTable(String)
    /// Something of TOML that is not read, such as a date.
    case unsupported(Unsupported)
  }

  /// What TOML has and a file of settings does not need.
  public enum Unsupported: String, Hashable, Sendable {
    /// A number with a point or an exponent.
    case float = "A number with a point or an exponent"
    /// A date or a time.
    case date = "A date or a time without quotes"
    /// A text in three quotes.
    case multilineText = "A text in three quotes"
    /// A table in braces.
    case inlineTable = "A table in braces"
    /// A table in two brackets.
    case tableArray = "A table in two brackets"
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
    case .valueExpected: "The value after the = is missing."
    case .notAValue(let text): "`\(text)` is no value. A text needs quotes."
    case .unclosedText: "The closing quote is missing on this line."
    case .unknownEscape(let letter):
      "A backslash before `\(letter)` means nothing. Write two for a backslash, or put the text in "
        + "single quotes."
    case .notAScalar: "The number after the backslash is that of no character."
    case .numberTooLarge(let text): "The number \(text) is too large."
    case .unclosedArray: "The closing bracket of the list is missing."
    case .commaExpected: "A comma or the closing bracket of the list is missing."
    case .unclosedTable: "The closing bracket of the table is missing."
    case .endOfLineExpected: "Something follows that is no comment."
    case .tooDeep: "There are too many levels."
    case .twice(let path): "`\(path)` occurs twice."
    case .notATable(let path): "`\(path)` has a value, so it cannot be a table."
    case .closedTable(let path): "The table `\(path)` is written elsewhere."
    case .unsupported(let what): "\(what.rawValue) is not supported in this file."
    }
  }
}
