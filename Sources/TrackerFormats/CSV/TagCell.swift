import RetraceAvro

/// The tags of an entry in a cell of CSV.
///
/// Tags are separated by commas. One that contains a comma is in quotes, in which a quote is
/// doubled: `"x, y", z`.
public enum TagCell {
  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")

  /// Returns the text of a cell, from which ``names(in:)`` returns the tags.
  ///
  /// - Precondition: No tag is empty or has blanks around it.
  public static func text(of names: [String]) -> String {
    names.map { name in
      let isPlain =
        !name.utf8.contains(comma) && !"\"[".utf8.contains(name.utf8.first ?? comma)
      return isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\""
    }.joined(separator: ", ")
  }

  /// Returns the tags in the text of a cell, some of which may be empty.
  ///
  /// The text can also be a JSON array of texts, such as `["a","b"]`.
  ///
  /// - Complexity: O(bytes).
  public static func names(in text: String) -> [String] {
    if text.utf8.first == UInt8(ascii: "["), let names = json(text) { return names }
    guard text.utf8.contains(quote) else { return text.split(separator: ",").map(String.init) }
    let bytes = Array(text.utf8)
    var (names, index) = ([String](), 0)
    while index < bytes.count {
      if bytes[index] == 0x20 {
        index += 1
      } else if let (name, next) = quoted(bytes, from: index) {
        names.append(name)
        index = next
      } else {
        let end = bytes[index...].firstIndex(of: comma) ?? bytes.count
        names.append(String(decoding: bytes[index..<end], as: UTF8.self))
        index = end + 1
      }
    }
    return names
  }

  /// Returns the tag in quotes at a position, and the position after its comma; `nil` if there is
  /// no such tag, and the quotes are part of it.
  private static func quoted(_ bytes: [UInt8], from start: Int) -> (String, Int)? {
    guard bytes[start] == quote else { return nil }
    var (name, index) = ([UInt8](), start + 1)
    while index < bytes.count {
      let isQuote = bytes[index] == quote
      let isDoubled = isQuote && index + 1 < bytes.count && bytes[index + 1] == quote
      if isQuote, !isDoubled {
        let next = bytes[(index + 1)...].firstIndex { $0 != 0x20 } ?? bytes.count
        guard next == bytes.count || bytes[next] == comma else { return nil }
        return (String(decoding: name, as: UTF8.self), next + 1)
      }
      name.append(bytes[index])
      index += isDoubled ? 2 : 1
    }
    return nil
  }

  private static func json(_ text: String) -> [String]? {
    guard let list = (try? JSONValue(parsing: text))?.arrayValue else { return nil }
    let names = list.compactMap(\.stringValue)
    return names.count == list.count ? names : nil
  }
}
