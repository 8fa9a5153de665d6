/// One cell of a canvas: what it shows and how it looks.
///
/// A character of two cells is in the first of them; the second one continues it.
///
/// ```swift
/// var canvas = Canvas(Screen.Size(columns: 10, rows: 1))
/// canvas.draw("Zeit", row: 0, column: 0, style: .strong, in: canvas.bounds)
/// let cell: Cell = canvas[row: 0, column: 0]
/// print(canvas.text(of: cell), cell.style == .strong)
/// ```
public struct Cell: Hashable, Sendable {
  /// What the cell shows.
  ///
  /// The highest bit tells that the lowest 28 bits are an offset in the clusters of the canvas;
  /// they are a scalar otherwise. The next bit tells that terminals disagree on the cells. Then two
  /// bits count the cells: 1, 2, or 0 for a cell that continues the one before it.
  let content: UInt32
  /// How the cell looks.
  public let style: Style

  @inline(__always) init(content: UInt32, style: Style) {
    self.content = content
    self.style = style
  }

  /// Creates a cell of a scalar.
  @inline(__always) init(_ scalar: UInt32, cells: Int, isDisputed: Bool = false, style: Style) {
    self.init(
      content: scalar | UInt32(truncatingIfNeeded: cells) << 28 | (isDisputed ? 1 << 30 : 0),
      style: style)
  }

  /// Creates a blank cell.
  @inline(__always) init(blank style: Style) { self.init(0x20, cells: 1, style: style) }

  /// Creates the second cell of a character.
  @inline(__always) init(continuing style: Style) { self.init(0, cells: 0, style: style) }

  /// Creates a cell of several scalars.
  init(clusterAt offset: Int, cells: Int, isDisputed: Bool, style: Style) {
    self.init(
      UInt32(truncatingIfNeeded: offset) | 1 << 31, cells: cells, isDisputed: isDisputed,
      style: style)
  }

  /// The cells that the character of this cell takes; 0 if the cell continues the one before it.
  public var cells: Int { Int(content >> 28 & 3) }

  /// Whether the cell continues the character of the cell before it.
  public var isContinued: Bool { cells == 0 }

  /// Whether terminals disagree on the cells of the character.
  public var isDisputed: Bool { content & 1 << 30 != 0 }

  /// Whether the cell shows nothing but its background.
  public var isBlank: Bool { content == 0x20 | 1 << 28 }

  /// Whether the cell is as a terminal shows it after it was cleared.
  var isPlainBlank: Bool { Cell.bits(self, Cell(blank: .plain)) == 0 }

  /// Whether the cell shows a character of ASCII.
  package var isASCII: Bool { content & ~0x7F == 1 << 28 }

  /// Whether the character of the cell has several scalars.
  package var hasSeveralScalars: Bool { content >> 31 != 0 }

  /// The offset of the scalars in the clusters of the canvas; `nil` for a single scalar.
  @inline(__always) var clusterOffset: Int? {
    content & 1 << 31 != 0 ? Int(content & 0xFFF_FFFF) : nil
  }

  /// The scalar, if the cell has a single one.
  @inline(__always) var scalar: UInt32 { content & 0x1F_FFFF }

  /// Whether the cell means the same in every canvas.
  @inline(__always) var isPlain: Bool { content >> 31 == 0 && style.rest >> 16 == 0 }

  /// Returns the bits in which two cells differ.
  @inline(__always) static func bits(_ one: Cell, _ two: Cell) -> UInt32 {
    (one.content ^ two.content) | (one.style.foreground.bits ^ two.style.foreground.bits)
      | (one.style.background.bits ^ two.style.background.bits) | (one.style.rest ^ two.style.rest)
  }
}
