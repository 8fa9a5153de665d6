/// A line of a calendar file after unfolding: a property of a component (RFC 5545, section 3.1).
struct ContentLine: Sendable {
  /// The line of the file on which the property begins, counted from 1.
  let number: Int
  /// The name in capital letters.
  let name: String
  /// The value, with its escapes.
  private(set) var value = ""
  /// The parameter `TZID`, the name of a zone.
  private(set) var zone: String?
  /// The parameter `VALUE`, the type of the value, in capital letters.
  private(set) var type: String?
  /// Whether the parameter `RANGE` is `THISANDFUTURE`.
  private(set) var isThisAndFuture = false

  /// Parses a line whose name is known.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - name: The name in capital letters.
  /// - Complexity: O(bytes).
  /// - Throws: The rejection of a line that is not UTF-8, or whose parameters are malformed.
  init(_ line: UnfoldedLine, name: String) throws(RowRejection) {
    guard let text = line.text else {
      throw line.rejection(.notUTF8, of: name)
    }
    (number, self.name) = (line.number, name)
    var rest = text.utf8.dropFirst(name.utf8.count)
    func malformed() -> RowRejection {
      line.rejection(.other("a parameter is not NAME=VALUE, or a quote is never closed"), of: name)
    }
    while rest.first == UInt8(ascii: ";") {
      rest.removeFirst()
      guard let sign = rest.firstIndex(of: UInt8(ascii: "=")) else { throw malformed() }
      let parameter = ascii(rest[..<sign]).uppercased()
      rest = rest[sign...]
      var value: String?
      // A parameter may have several values. None of those that are read has.
      repeat {
        rest.removeFirst()
        let isQuoted = rest.first == UInt8(ascii: "\"")
        if isQuoted { rest.removeFirst() }
        let end = rest.firstIndex {
          isQuoted ? $0 == UInt8(ascii: "\"") : ",;:".utf8.contains($0)
        }
        guard let end else { throw malformed() }
        value = value ?? String(rest[..<end])
        rest = isQuoted ? rest[end...].dropFirst() : rest[end...]
      } while rest.first == UInt8(ascii: ",")
      guard rest.first == UInt8(ascii: ";") || rest.first == UInt8(ascii: ":") else {
        throw malformed()
      }
      set(parameter, to: value ?? "")
    }
    value = String(rest.dropFirst()) ?? ""
  }

  private mutating func set(_ parameter: String, to value: String) {
    switch parameter {
    case "TZID": zone = value
    case "VALUE": type = value.uppercased()
    case "RANGE": isThisAndFuture = value.uppercased() == "THISANDFUTURE"
    default: break
    }
  }

  /// Returns the rejection of the value.
  func rejection(_ reason: RowRejection.Reason) -> RowRejection {
    RowRejection(line: number, column: name, value: String(value.prefix(200)), reason: reason)
  }

  /// The value as a text: `\n` is a line end, and commas, semicolons and backslashes are escaped by
  /// a backslash (RFC 5545, section 3.3.11).
  ///
  /// A backslash before another character stays.
  var text: String {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return value }
    var result: [UInt8] = []
    var bytes = value.utf8.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      switch bytes.next() {
      case UInt8(ascii: "n"), UInt8(ascii: "N"): result.append(0x0a)
      case let escaped? where ",;\\".utf8.contains(escaped): result.append(escaped)
      case let other?: result += [byte, other]
      case nil: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// A line of a calendar file, to which the lines that continue it were joined.
struct UnfoldedLine: Sendable {
  /// The line of the file on which it begins, counted from 1.
  let number: Int
  let bytes: ArraySlice<UInt8>

  /// The name of the property in capital letters; `nil` if the line has no colon, or if what
  /// precedes it is no name.
  var name: String? {
    let name = bytes.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    guard (1...64).contains(name.count), name.endIndex < bytes.endIndex,
      name.allSatisfy({ byte in
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte)
        }
      })
    else { return nil }
    return String(decoding: name, as: UTF8.self).uppercased()
  }

  /// The text; `nil` if it is not UTF-8.
  ///
  /// A character may be torn by the end of a folded line, so only the whole text is checked.
  var text: String? {
    guard let span = try? UTF8Span(validating: bytes.span) else { return nil }
    return String(copying: span)
  }

  func rejection(_ reason: RowRejection.Reason, of name: String? = nil) -> RowRejection {
    RowRejection(
      line: number, column: name, value: String(decoding: bytes.prefix(200), as: UTF8.self),
      reason: reason)
  }
}

/// The lines of a calendar file.
///
/// A line end followed by a space or a tab is a fold, and left out with it. Lines end with CR LF or
/// LF alone. Empty lines are skipped.
struct UnfoldedLines: Sequence, IteratorProtocol {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var number = 0

  /// Prepares to read a file.
  init(_ bytes: ArraySlice<UInt8>) { (self.bytes, position) = (bytes, bytes.startIndex) }

  /// Returns the next line; `nil` at the end of the file.
  ///
  /// - Complexity: O(bytes of the line).
  mutating func next() -> UnfoldedLine? {
    while position < bytes.endIndex {
      let line = nextPhysical()
      let first = number
      guard isFold(position) else {
        if line.isEmpty { continue }
        return UnfoldedLine(number: first, bytes: line)
      }
      var joined = Array(line)
      while isFold(position) { joined += nextPhysical().dropFirst() }
      return UnfoldedLine(number: first, bytes: joined[...])
    }
    return nil
  }

  private func isFold(_ position: Int) -> Bool {
    position < bytes.endIndex && (bytes[position] == 0x20 || bytes[position] == 0x09)
  }

  /// Returns the next line of the file without its end.
  private mutating func nextPhysical() -> ArraySlice<UInt8> {
    number += 1
    let rest = bytes[position...]
    guard let end = rest.firstIndex(of: 0x0a) else {
      position = bytes.endIndex
      return rest.last == 0x0d ? rest.dropLast() : rest
    }
    position = end + 1
    let line = rest[..<end]
    return line.last == 0x0d ? line.dropLast() : line
  }
}

/// Returns bytes as text, for names and numbers, which are ASCII in a valid file.
func ascii(_ bytes: some Sequence<UInt8>) -> String {
  String(decoding: Array(bytes), as: UTF8.self)
}
