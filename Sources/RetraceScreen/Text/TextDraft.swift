public import RetraceAvro

/// A line of text that is being edited, as a state holds it.
///
/// Positions are offsets in the text's UTF-8 encoding, so a fold needs no Unicode tables, which
/// depend on the toolchain. The edge of the app converts an edit, which counts characters, into a
/// ``TextReplacement``; see ``replacement(for:)``.
public struct TextDraft: Sendable {
  /// The text.
  public private(set) var text: String
  /// The number of bytes before the cursor, which is never inside a Unicode scalar.
  public private(set) var cursor: Int64

  /// Creates a draft with the cursor at the end of the text.
  public init(_ text: String = "") {
    self.text = text
    cursor = Int64(text.utf8.count)
  }

  /// Creates a draft; a cursor outside the text or inside a scalar is moved to the nearest place
  /// before it.
  ///
  /// - Complexity: O(bytes of the text).
  public init(_ text: String, cursor: Int64) {
    self.text = text
    self.cursor = Int64(Array(text.utf8).scalarBoundary(at: cursor))
  }

  /// Applies an edit.
  ///
  /// An edit that was made for another text is applied as far as it makes sense: places outside the
  /// text or inside a scalar are moved to the nearest place before them.
  ///
  /// - Complexity: O(bytes of the text and of the inserted text).
  public mutating func apply(_ edit: TextReplacement) {
    var bytes = Array(text.utf8)
    let start = bytes.scalarBoundary(at: edit.start)
    let end = max(start, bytes.scalarBoundary(at: edit.end))
    bytes.replaceSubrange(start..<end, with: edit.text.utf8)
    text = String(decoding: bytes, as: UTF8.self)
    cursor = Int64(bytes.scalarBoundary(at: edit.cursor))
  }

  // lint:allow it is called at the edge, as its documentation says
  /// Returns the replacement that an edit of the user means in this draft.
  ///
  /// Call it at the edge of the app and record the replacement: the edit counts characters as the
  /// toolchain's Unicode tables define them.
  ///
  /// - Complexity: O(bytes of the text).
  public func replacement(for edit: TextEdit) -> TextReplacement {
    let place = text.utf8.index(text.startIndex, offsetBy: Int(cursor))
    let (head, tail) = (text[..<place], text[place...])
    func bytes(_ part: Substring) -> Int64 { Int64(part.utf8.count) }
    func count(_ count: Int64) -> Int { max(0, Int(clamping: count)) }
    func moving(to cursor: Int64) -> TextReplacement {
      TextReplacement(start: self.cursor, end: self.cursor, text: "", cursor: cursor)
    }
    switch edit {
    case .insert(let text):
      return TextReplacement(
        start: cursor, end: cursor, text: text, cursor: cursor + Int64(text.utf8.count))
    case .deleteBackward(let characters):
      let start = bytes(head.dropLast(count(characters)))
      return TextReplacement(start: start, end: cursor, text: "", cursor: start)
    case .deleteForward(let characters):
      let end = cursor + bytes(tail.prefix(count(characters)))
      return TextReplacement(start: cursor, end: end, text: "", cursor: cursor)
    case .deleteWordBackward:
      let start = bytes(head.withoutLastWord)
      return TextReplacement(start: start, end: cursor, text: "", cursor: start)
    case .deleteWordForward:
      let end = Int64(text.utf8.count) - bytes(tail.withoutFirstWord)
      return TextReplacement(start: cursor, end: end, text: "", cursor: cursor)
    case .moveWordLeft: return moving(to: bytes(head.withoutLastWord))
    case .moveWordRight:
      return moving(to: Int64(text.utf8.count) - bytes(tail.withoutFirstWord))
    case .moveLeft: return moving(to: bytes(head.dropLast()))
    case .moveRight: return moving(to: cursor + bytes(tail.prefix(1)))
    case .moveToStart: return moving(to: 0)
    case .moveToEnd: return moving(to: Int64(text.utf8.count))
    }
  }
}

extension Substring {
  /// The text without its last word and the blanks after it.
  fileprivate var withoutLastWord: Substring {
    var rest = self
    while rest.last == " " { rest.removeLast() }
    var end = rest.endIndex
    while let place = rest[..<end].utf8.lastIndex(of: UInt8(ascii: " ")) {
      if rest.isBlank(at: place) { return rest[...place] }
      end = place
    }
    return rest.prefix(0)
  }

  /// The text without its first word and the blanks before it.
  fileprivate var withoutFirstWord: Substring {
    let rest = drop { $0 == " " }
    var start = rest.startIndex
    while let place = rest[start...].utf8.firstIndex(of: UInt8(ascii: " ")) {
      if rest.isBlank(at: place) { return rest[place...] }
      start = rest.utf8.index(after: place)
    }
    return rest.suffix(0)
  }

  /// Returns whether the space at a place is a character, rather than part of one with a mark.
  ///
  /// - Complexity: O(bytes of the character).
  private func isBlank(at place: Index) -> Bool { self[place...].first == " " }
}

extension TextDraft: Hashable {
  /// Returns whether the texts have the same bytes and the cursors are equal.
  public static func == (left: TextDraft, right: TextDraft) -> Bool {
    left.cursor == right.cursor && left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes of the text and the cursor.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(cursor)
  }
}

extension TextDraft: Recordable {
  /// The name of the record.
  public static var recordedName: String { "TextDraft" }

  /// Returns a record of a string, `text`, and a long, `cursor`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { _ in
      .record(
        name: recordedName,
        fields: [Schema.Field("text", .string), Schema.Field("cursor", .long)])
    }
  }

  /// Writes the text and the cursor.
  public func encode(into writer: inout AvroWriter) {
    writer.string(text)
    writer.long(cursor)
  }

  /// Reads the text and the cursor; throws if the cursor is outside the text or inside a scalar.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let text = try reader.string()
    let offset = reader.offset
    let cursor = try reader.long()
    self.init(text, cursor: cursor)
    if self.cursor != cursor { throw AvroError(.outOfRange, at: offset, "cursor") }
  }
}

extension [UInt8] {
  /// Returns the nearest offset at or before `offset` that is in the UTF-8 text and not inside a
  /// scalar.
  fileprivate func scalarBoundary(at offset: Int64) -> Int {
    var offset = Int(clamping: Swift.min(Swift.max(0, offset), Int64(count)))
    while offset > 0, offset < count, self[offset] & 0xc0 == 0x80 { offset -= 1 }
    return offset
  }
}
