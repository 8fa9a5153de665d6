import RetraceAvro

/// A reader of a JSON array of elements to import.
enum JSONList {
  /// Returns whether a file may be an array.
  static func recognizes(_ beginning: ArraySlice<UInt8>) -> FormatRecognition {
    beginning.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[") ? .possible : .other
  }

  /// Reads an array.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - what: The plural noun for the elements, for errors.
  /// - Complexity: O(bytes).
  /// - Returns: The elements, each with the line on which it begins, counted from 1.
  /// - Throws: ``ImportFailure/notFile(_:)`` if the text is not an array.
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

  /// Returns the failure of an element that is none of the format: of the whole file if it is the
  /// first one, or else of its row.
  ///
  /// - Parameters:
  ///   - element: The element, and its line.
  ///   - index: The number of elements before it.
  ///   - why: What is wrong, such as `element 1 is no frame`.
  static func failure(
    of element: (line: Int, value: JSONValue), _ index: Int, _ why: String
  ) -> ImportFailure {
    guard index > 0 else { return .notFile(why) }
    return .row(
      RowRejection(
        line: element.line, column: nil, value: String(element.value.text().prefix(200)),
        reason: .other(why)))
  }

  /// Returns the lines on which the elements of a valid array begin.
  private static func lines(in bytes: [UInt8]) -> [Int] {
    var lines: [Int] = []
    var (line, depth) = (1, 0)
    var (isInText, isEscaped, isBeforeElement) = (false, false, false)
    for byte in bytes {
      if isInText {
        isInText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      if " \t\r\n".utf8.contains(byte) { continue }
      if isBeforeElement, byte != UInt8(ascii: "]") { lines.append(line) }
      isBeforeElement = false
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        isBeforeElement = depth == 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ","): isBeforeElement = depth == 1
      default: break
      }
    }
    return lines
  }
}
