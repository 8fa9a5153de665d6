extension TOMLDocument {
  /// Returns a file with another value of a setting; all other bytes stay as they are.
  ///
  /// A setting that the file does not have is added after the last one of its table, and its table
  /// at the end of the file.
  ///
  /// - Parameters:
  ///   - path: The names of the tables and of the key.
  ///   - text: The value, which becomes a text in quotes.
  ///   - bytes: The file.
  /// - Complexity: O(bytes).
  /// - Throws: ``TOMLError`` if the file cannot be read, or if the path is that of a table.
  public static func setting(
    _ path: [String], to text: String, in bytes: [UInt8]
  ) throws(TOMLError) -> [UInt8] {
    let document = try TOMLDocument(bytes)
    let value = Array(TOMLText.quoted(text).utf8)
    var result = bytes
    if let found = document.setting(at: path) {
      result.replaceSubrange(found.valueBytes, with: value)
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
  ///   - path: The names of the tables and of the key.
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
  private func add(_ path: [String], _ value: [UInt8], to bytes: inout [UInt8]) {
    let table = Array(path.dropLast())
    var line = Array("\(TOMLText.key(path.last ?? "")) = ".utf8) + value + [TOMLText.lineFeed]
    let header = tables.last { Self.same($0.path, table) }
    let siblings = settings.filter { setting in
      guard let header else { return table.isEmpty && !isInTable(setting) }
      return setting.lineBytes.lowerBound >= header.lineBytes.upperBound
        && !tables.contains {
          $0.lineBytes.lowerBound >= header.lineBytes.upperBound
            && $0.lineBytes.upperBound <= setting.lineBytes.lowerBound
        }
    }
    let place: Int
    if let last = siblings.last {
      place = last.lineBytes.upperBound
    } else if let header {
      place = header.lineBytes.upperBound
    } else if table.isEmpty {
      place = tables.first.map { Self.startOfComment(before: $0, in: bytes) } ?? bytes.count
      if !tables.isEmpty { line.append(TOMLText.lineFeed) }
    } else {
      Self.endLine(&bytes)
      let name = table.map(TOMLText.key).joined(separator: ".")
      let gap = bytes.isEmpty ? "" : "\n"
      bytes += Array("\(gap)[\(name)]\n".utf8) + line
      return
    }
    if place == bytes.count {
      Self.endLine(&bytes)
      bytes += line
    } else {
      bytes.insert(contentsOf: line, at: place)
    }
  }

  /// Returns where the comment begins that is on the lines before a table, or the table itself.
  private static func startOfComment(before table: Table, in bytes: [UInt8]) -> Int {
    var start = table.lineBytes.lowerBound
    while start > 0 {
      let before = bytes[..<(start - 1)].lastIndex(of: TOMLText.lineFeed).map { $0 + 1 } ?? 0
      guard bytes[before] == TOMLText.hash else { break }
      start = before
    }
    return start
  }

  private func isInTable(_ setting: Setting) -> Bool {
    tables.contains { $0.lineBytes.upperBound <= setting.lineBytes.lowerBound }
  }

  private static func endLine(_ bytes: inout [UInt8]) {
    if let last = bytes.last, last != TOMLText.lineFeed { bytes.append(TOMLText.lineFeed) }
  }

  private static func same(_ one: [String], _ other: [String]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}
