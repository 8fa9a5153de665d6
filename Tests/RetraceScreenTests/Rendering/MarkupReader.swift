/// Reads XML as strictly as its rules on elements, attributes and text ask for.
struct MarkupReader {
  /// An element: where it begins or ends, or the text between.
  enum Piece: Hashable {
    case start(String, [String: String])
    case end(String)
    case text(String)
  }

  struct Malformed: Error {
    var rest: String
  }

  private var rest: Substring
  private var open: [String] = []

  private init(_ text: String) { rest = text[...] }

  /// Returns the pieces of a text that has one outermost element.
  static func pieces(of text: String) throws -> [Piece] {
    var reader = MarkupReader(text)
    var pieces: [Piece] = []
    if reader.rest.hasPrefix("<!DOCTYPE html>") { reader.rest.removeFirst(15) }
    while !reader.rest.isEmpty { pieces += try reader.next() }
    guard reader.open.isEmpty else { throw Malformed(rest: "no end of \(reader.open)") }
    return pieces
  }

  private mutating func next() throws -> [Piece] {
    guard rest.first == "<" else {
      let text = rest.prefix { $0 != "<" }
      rest = rest.dropFirst(text.count)
      let plain = try MarkupReader.plain(text)
      guard !open.isEmpty || plain.allSatisfy(\.isWhitespace) else { throw Malformed(rest: plain) }
      return [.text(plain)]
    }
    guard let end = rest.firstIndex(of: ">") else { throw Malformed(rest: String(rest)) }
    var tag = rest[rest.index(after: rest.startIndex)..<end]
    rest = rest[rest.index(after: end)...]
    if tag.first == "/" {
      guard open.popLast() == String(tag.dropFirst()) else { throw Malformed(rest: String(tag)) }
      return [.end(String(tag.dropFirst()))]
    }
    let isEmpty = tag.last == "/"
    if isEmpty { tag.removeLast() }
    let name = String(tag.prefix { $0.isLetter })
    guard !name.isEmpty else { throw Malformed(rest: String(tag)) }
    let attributes = try MarkupReader.attributes(tag.dropFirst(name.count))
    if !isEmpty { open.append(name) }
    return [.start(name, attributes)] + (isEmpty ? [.end(name)] : [])
  }

  private static func attributes(_ text: Substring) throws -> [String: String] {
    var result: [String: String] = [:]
    var rest = text
    while !rest.isEmpty {
      guard rest.first == " " else { throw Malformed(rest: String(rest)) }
      rest.removeFirst()
      let name = rest.prefix { $0 != "=" }
      rest = rest.dropFirst(name.count)
      guard !name.isEmpty, rest.hasPrefix("=\"") else { throw Malformed(rest: String(rest)) }
      rest = rest.dropFirst(2)
      let value = rest.prefix { $0 != "\"" }
      rest = rest.dropFirst(value.count)
      guard rest.popFirst() == "\"", result[String(name)] == nil else {
        throw Malformed(rest: String(text))
      }
      result[String(name)] = try plain(value)
    }
    return result
  }

  private static func plain(_ text: Substring) throws -> String {
    let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"]
    var result = ""
    var rest = text
    while let character = rest.popFirst() {
      guard character == "&" else {
        for scalar in character.unicodeScalars {
          let isAllowed = scalar == "\n" || scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value)
          guard isAllowed, scalar.value & 0xFFFE != 0xFFFE else {
            throw Malformed(rest: String(text))
          }
        }
        result.append(character)
        continue
      }
      let name = rest.prefix { $0 != ";" }
      rest = rest.dropFirst(name.count + 1)
      guard let plain = names[String(name)] else { throw Malformed(rest: String(text)) }
      result += plain
    }
    return result
  }
}
