import RetraceAvro

/// A JSON array that a program wrote, to import its elements.
enum JSONList {
  /// Reads an array.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - what: What the elements are, in the plural.
  /// - Complexity: O(bytes).
  /// - Returns: The elements, each with the line on which it begins, counted from 1.
  /// - Throws: ``ImportFailure/notFile(_:)`` if the text is no array.
  static func read(
    _ bytes: [UInt8], of what: String
  ) throws(ImportFailure) -> [(line: Int, value: JSONValue)] {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes.span, sizeLimit: .max)
    } catch {
      throw .notFile("\(error)")
    }
    guard let list = json.arrayValue else { throw .notFile("it is no array of \(what)") }
    return zip(lines(in: bytes), list).map { (line: $0, value: $1) }
  }

  /// Returns the lines on which the elements of a valid array begin.
  private static func lines(in bytes: [UInt8]) -> [Int] {
    var lines: [Int] = []
    var (line, depth) = (1, 0)
    var (isInText, isEscaped, isBefore) = (false, false, false)
    for byte in bytes {
      if isInText {
        isInText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      if " \t\r\n".utf8.contains(byte) { continue }
      if isBefore, byte != UInt8(ascii: "]") { lines.append(line) }
      isBefore = false
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        isBefore = depth == 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ","): isBefore = depth == 1
      default: break
      }
    }
    return lines
  }
}
