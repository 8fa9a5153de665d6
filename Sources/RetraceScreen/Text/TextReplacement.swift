public import RetraceAvro

/// An edit of a ``TextDraft`` as an action records it: the range that was replaced, the new text
/// and the cursor after it, all as offsets in UTF-8.
public struct TextReplacement: Recordable, Sendable {
  /// The offset of the first byte that was replaced.
  public var start: Int64
  /// The offset after the last byte that was replaced; `start` for an insertion.
  public var end: Int64
  /// The text in its place.
  public var text: String
  /// The offset of the cursor in the text after the edit.
  public var cursor: Int64

  /// Creates an edit.
  public init(start: Int64, end: Int64, text: String, cursor: Int64) {
    self.start = start
    self.end = end
    self.text = text
    self.cursor = cursor
  }
}

extension TextReplacement: Hashable {
  /// Returns whether the texts have the same bytes and the offsets are equal.
  public static func == (left: TextReplacement, right: TextReplacement) -> Bool {
    left.start == right.start && left.end == right.end && left.cursor == right.cursor
      && left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the offsets and the bytes of the text.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(end)
    hasher.combine(cursor)
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
