import Retrace

/// Finds a part of a value by a path, written as in differences, such as
/// `timeline.entries[3].start`.
enum DifferencePath {
  /// Returns the part at a path, if it exists, or the whole value for an empty path.
  static func value(_ path: String, in value: JSONValue) -> JSONValue? {
    var rest = Substring(path)
    var found: JSONValue? = value
    while !rest.isEmpty, let here = found {
      if rest.hasPrefix(".") { rest.removeFirst() }
      if rest.hasPrefix("[") {
        guard let end = closing(of: rest) else { return nil }
        found = item(String(rest[rest.index(after: rest.startIndex)..<end]), of: here)
        rest = rest[rest.index(after: end)...]
      } else {
        let name = rest.prefix { $0 != "." && $0 != "[" }
        found = here[String(name)]
        rest = rest[name.endIndex...]
      }
    }
    return found
  }

  /// Returns the bracket that closes the first one; brackets in quotes do not count.
  private static func closing(of text: Substring) -> Substring.Index? {
    var quotes = QuoteScanner()
    return text.indices.first { quotes.isOutside(text[$0]) && text[$0] == "]" }
  }

  /// Returns the row with a key, the member with a name, or the item at a position.
  private static func item(_ key: String, of value: JSONValue) -> JSONValue? {
    switch value {
    case .object(let members):
      return members.first { JSONValue.string($0.name).text() == key }?.value
    case .array(let items):
      if let first = items.first, first["value"] != nil, case .object(let members) = first,
        members.count == 2, members[0].name == "id" || members[0].name == "key"
      {
        return items.first { $0[members[0].name]?.text() == key }?["value"]
      }
      guard let index = Int(key), items.indices.contains(index) else { return nil }
      return items[index]
    default: return nil
    }
  }
}
