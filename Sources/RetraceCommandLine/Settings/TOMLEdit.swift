extension TOMLDocument {
  /// Returns a file with another value of a setting; all other bytes stay as they are.
  ///
  /// A setting that the file does not have is added after the last one of its table, and its table
  /// at the end of the file.
  ///
  /// - Parameters:
  ///   - path: The name of the key, preceded by the name of its table, if any.
  ///   - text: The value.
  ///   - bytes: The file.
  /// - Complexity: O(bytes).
  /// - Throws: ``TOMLError`` if the file cannot be read, or if the path names a table.
  public static func setting(
    _ path: [String], to text: String, in bytes: [UInt8]
  ) throws(TOMLError) -> [UInt8] {
    let document = try TOMLDocument(bytes)
    let value = TOMLText.quoted(text)
    var result = bytes
    if let found = document.setting(at: path) {
      result.replaceSubrange(found.valueBytes, with: value.utf8)
    } else {
      document.add(path, value, to: &result)
    }
    // A path that is also a table is refused here.
    _ = try TOMLDocument(result)
    return result
  }

  /// Returns a file without a setting and the comment on its line; `nil` if it has none.
  ///
  /// - Parameters:
  ///   - path: The name of the key, preceded by the name of its table, if any.
  ///   - bytes: The file.
  /// - Complexity: O(bytes).
  /// - Throws: ``TOMLError`` if the file cannot be read.
  public static func removing(
    _ path: [String], from bytes: [UInt8]
  ) throws(TOMLError) -> [UInt8]? {
    guard let found = try TOMLDocument(bytes).setting(at: path) else { return nil }
    var result = bytes
    result.removeSubrange(found.lineBytes)
    return result
  }

  private func setting(at path: [String]) -> Setting? {
    settings.first { Self.same($0.path, path) }
  }

  /// Adds a setting that the file does not have.
  private func add(_ path: [String], _ value: String, to bytes: inout [UInt8]) {
    let table = Array(path.dropLast())
    let header = tables.first { Self.same([$0.name], table) }
    // Keys with dots are before all tables.
    let key = header == nil ? path : Array(path.suffix(1))
    var line = "\(TOMLText.key(key)) = \(value)\n"
    let place: Int
    if let last = settings.last(where: { isSibling($0, of: table) }) {
      place = last.lineBytes.upperBound
    } else if let header {
      place = header.lineBytes.upperBound
    } else if table.isEmpty {
      place = tables.first.map { Self.startOfComment(before: $0, in: bytes) } ?? bytes.count
      if !tables.isEmpty { line += "\n" }
    } else {
      line = "\(bytes.isEmpty ? "" : "\n")[\(TOMLText.key(table))]\n"
      line += "\(TOMLText.key(Array(path.suffix(1)))) = \(value)\n"
      place = bytes.count
    }
    if place == bytes.count, let last = bytes.last, last != TOMLText.lineFeed { line = "\n" + line }
    bytes.insert(contentsOf: line.utf8, at: place)
  }

  /// Returns whether a setting is in a table, or, without a name of a table, before all tables.
  private func isSibling(_ setting: Setting, of table: [String]) -> Bool {
    guard table.isEmpty else { return Self.same(Array(setting.path.dropLast()), table) }
    return tables.first.map { setting.position.line < $0.position.line } ?? true
  }

  /// Returns the start of the comment directly before a table, or of the table without a comment.
  private static func startOfComment(before table: Table, in bytes: [UInt8]) -> Int {
    var start = table.lineBytes.lowerBound
    while start > 0 {
      let before = bytes[..<(start - 1)].lastIndex(of: TOMLText.lineFeed).map { $0 + 1 } ?? 0
      guard bytes[before] == TOMLText.hash else { break }
      start = before
    }
    return start
  }

  private static func same(_ one: [String], _ other: [String]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}
