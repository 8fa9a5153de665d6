public import RetraceScreen

/// Draws screens on a terminal with control sequences, writing only the cells that changed.
///
/// A value that remembers what the terminal shows and answers what to write next; it writes nothing
/// itself. ``TerminalModes`` are written before the first screen and after the last one. What a
/// screen asks of the terminal beside its cells is written when it changes.
///
/// Terminals disagree on the cells of some characters; see `TextWidth.isDisputed(_:)`. After such a
/// character the cursor is set by its column, so that the other cells are right.
///
/// ```swift
/// var renderer = AnsiRenderer(
///   palette: TerminalPalette(.direct, on: .dark), extensions: .assumed(term: "xterm-256color"))
/// let size = Screen.Size(columns: 80, rows: 24)
/// let screen = Screen(
///   Screen.Line("Timer", .title), size: Screen.Size(columns: 80, rows: 24))
/// let bytes = renderer.draw(screen, size: size)
/// ```
public struct AnsiRenderer: Sendable {
  /// The colors of the terminal; `nil` without colors, where styles are bold, faint, underlined and
  /// reversed.
  public var palette: TerminalPalette? {
    didSet {
      guard palette != oldValue else { return }
      codes = StyleCodes(palette)
      invalidate()
    }
  }
  /// What the terminal offers beside text and colors.
  public var extensions: TerminalExtensions {
    didSet {
      // A terminal that answers later is not drawn again for it.
      let changed = extensions.symmetricDifference(oldValue)
      if !changed.subtracting(.synchronizedOutput).isEmpty { restart() }
    }
  }
  private var codes: StyleCodes
  private var shown: Shown?
  /// The last screen, whose fields were written; `nil` if the terminal has none of them.
  private var asked: Screen?

  /// What the terminal shows.
  private struct Shown: Sendable {
    var canvas: Canvas
    /// The cursor, moved inside the size.
    var cursor: Screen.Cursor?
  }

  /// Creates a renderer that knows nothing of what the terminal shows.
  public init(palette: TerminalPalette?, extensions: TerminalExtensions) {
    self.palette = palette
    self.extensions = extensions
    codes = StyleCodes(palette)
  }

  /// Creates a renderer for a terminal of eight colors or none, without extensions.
  public init(usesColor: Bool) {
    self.init(palette: usesColor ? TerminalPalette(.basic, on: .unknown) : nil, extensions: [])
  }

  /// Returns whether colors are wanted, from the environment variables `NO_COLOR` and `TERM`.
  ///
  /// A `NO_COLOR` that is not empty turns them off, and so do no terminal type and the type `dumb`.
  public static func wantsColor(noColor: String?, term: String?) -> Bool {
    (noColor ?? "").isEmpty && !["", "dumb"].contains(term ?? "")
  }

  /// Forgets the cells that the terminal shows, so that the next screen is drawn whole.
  public mutating func invalidate() { shown = nil }

  /// Begins anew after ``TerminalModes`` were switched off, which undoes what a screen asked for
  /// beside its cells, and on again.
  public mutating func restart() { (shown, asked) = (nil, nil) }

  /// Returns what to write to turn what is shown into a screen; nothing if nothing changed.
  ///
  /// - Complexity: O(cells of the size).
  public mutating func draw(_ screen: Screen, size: Screen.Size) -> [UInt8] {
    let size = Screen.Size(columns: max(size.columns, 1), rows: max(size.rows, 1))
    let canvas = screen.canvas(fitting: size)
    let cursor = screen.cursor?.clamped(to: canvas.size)
    let cells = cellBytes(of: canvas)
    let fields = fieldCodes(from: asked, to: screen)
    let isMoved = !cells.isEmpty || cursor != shown?.cursor
    defer { (shown, asked) = (Shown(canvas: canvas, cursor: cursor), screen) }
    guard isMoved || !fields.isEmpty else { return [] }
    let isSynchronized = extensions.contains(.synchronizedOutput)
    var bytes = Array((isSynchronized ? "\u{1B}[?2026h" : "").utf8)
    bytes += fields.utf8
    if isMoved {
      // The cursor is hidden while cells change, or it would be seen jumping.
      let isHidden = shown != nil && shown?.cursor == nil
      if !isHidden, cursor == nil || !cells.isEmpty { bytes += "\u{1B}[?25l".utf8 }
      bytes += cells
      if let cursor { bytes += place(cursor, isHidden: isHidden || !cells.isEmpty).utf8 }
    }
    if isSynchronized { bytes += "\u{1B}[?2026l".utf8 }
    return bytes
  }

  /// Returns the bytes that change the cells of the terminal.
  private mutating func cellBytes(of canvas: Canvas) -> [UInt8] {
    var writer = FrameWriter(canvas, codes: codes, hasLinks: extensions.contains(.links))
    let old: Canvas
    if let shown, shown.canvas.size == canvas.size {
      old = shown.canvas
    } else {
      writer.clear()
      old = Canvas(canvas.size)
    }
    let difference = CanvasDifference(from: old, to: canvas)
    for row in 0..<canvas.size.rows where !difference.isSame(row: row) {
      writer.write(row: row, changed: difference)
    }
    let frame = writer.finish()
    codes = frame.codes
    return frame.bytes
  }

  /// Returns the sequences that show a cursor in its place and shape.
  private func place(_ cursor: Screen.Cursor, isHidden: Bool) -> String {
    var text = "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H"
    if extensions.contains(.cursorShape), cursor.shape != shown?.cursor?.shape {
      text += Self.code(of: cursor.shape)
    }
    return isHidden ? text + "\u{1B}[?25h" : text
  }
}
