/// A piece of text that a canvas places as one: a character, or a scalar that is shown as an
/// escape.
///
/// `TextWidth` adds the cells of these pieces, so what is measured is what is drawn.
struct Cluster {
  enum Kind {
    /// One scalar.
    case single
    /// Several scalars that are one character.
    case several
    /// A scalar that is shown as an escape such as `\u{1B}`.
    case escape
  }

  let kind: Kind
  /// The first scalar.
  let scalar: UInt32
  /// The offset of the byte after the cluster.
  let end: Int
  /// The cells that the cluster takes.
  let cells: Int
  /// Whether terminals disagree on the cells.
  let isDisputed: Bool
}

extension Cluster {
  /// Reads the cluster at an offset in the bytes of a text.
  ///
  /// Only where the scalar or the next one may join others, Swift's breaking of characters is
  /// asked.
  ///
  /// - Parameters:
  ///   - offset: The offset of a cluster; the end of another, or 0.
  ///   - bytes: The UTF-8 of `text`.
  ///   - text: The text.
  /// - Complexity: O(bytes of the cluster).
  @inline(__always) init(at offset: Int, in bytes: Span<UInt8>, of text: Substring) {
    let (scalar, end) = Cluster.scalar(at: offset, in: bytes)
    let entry = WidthTable.entry(of: scalar)
    if entry.isSimple, Cluster.isBreak(at: end, in: bytes) {
      self.init(
        kind: .single, scalar: scalar, end: end, cells: entry.cells, isDisputed: false)
    } else {
      self = Cluster.complex(scalar, from: offset, to: end, in: bytes, of: text)
    }
  }

  /// Returns whether a character ends at an offset, if it began with a simple scalar.
  @inline(__always) static func isBreak(at offset: Int, in bytes: Span<UInt8>) -> Bool {
    guard offset < bytes.count, bytes[offset] >= 0x80 else { return true }
    return WidthTable.entry(of: scalar(at: offset, in: bytes).scalar).isSimple
  }

  /// Returns the scalar at an offset in valid UTF-8, and the offset after it.
  @inline(__always) static func scalar(
    at offset: Int, in bytes: Span<UInt8>
  ) -> (scalar: UInt32, end: Int) {
    let first = UInt32(bytes[offset])
    if first < 0x80 { return (first, offset + 1) }
    func bits(_ place: Int) -> UInt32 { UInt32(bytes[offset + place] & 0x3F) }
    if first < 0xE0 { return ((first & 0x1F) << 6 | bits(1), offset + 2) }
    if first < 0xF0 { return ((first & 0x0F) << 12 | bits(1) << 6 | bits(2), offset + 3) }
    return ((first & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), offset + 4)
  }

  @inline(never) private static func complex(
    _ first: UInt32, from start: Int, to firstEnd: Int, in bytes: Span<UInt8>, of text: Substring
  ) -> Cluster {
    let entry = WidthTable.entry(of: first)
    if entry.isEscaped {
      return Cluster(
        kind: .escape, scalar: first, end: firstEnd, cells: escapeCells(of: first),
        isDisputed: false)
    }
    let rest = text[text.utf8.index(text.startIndex, offsetBy: start)...]
    let next = rest.index(after: rest.startIndex)
    let characterEnd = start + rest.utf8.distance(from: rest.startIndex, to: next)
    var (end, cells) = (firstEnd, entry.cells)
    // Marks above and below letters are the only joined scalars that all terminals can place.
    var isDisputed = !entry.isSimple
    while end < characterEnd {
      let (scalar, scalarEnd) = Cluster.scalar(at: end, in: bytes)
      let more = WidthTable.entry(of: scalar)
      // A reader sees the escape, so it is no part of the character.
      if more.isEscaped { break }
      if scalar == 0xFE0F, end == firstEnd, entry.widens { cells = 2 }
      cells += more.cells
      if entry.cells != 1 || !isMark(scalar) { isDisputed = true }
      end = scalarEnd
    }
    // Joined scalars, such as a family or a flag, are one picture.
    return Cluster(
      kind: end == firstEnd ? .single : .several, scalar: first, end: end, cells: min(cells, 2),
      isDisputed: isDisputed)
  }

  /// Returns whether a scalar is a mark above or below a letter; the joiner U+034F is not one.
  private static func isMark(_ scalar: UInt32) -> Bool {
    0x300...0x36F ~= scalar && scalar != 0x34F
  }

  /// Returns the cells of the escape of a scalar, such as 6 for `\u{1B}`.
  static func escapeCells(of scalar: UInt32) -> Int {
    var (digits, rest) = (1, scalar >> 4)
    while rest > 0 { (digits, rest) = (digits + 1, rest >> 4) }
    return digits + 4
  }
}
