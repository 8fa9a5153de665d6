/// Short messages in the lower right corner, the newest one at the bottom.
///
/// The messages that do not fit are counted. How long a message stays is for the feature to say.
///
/// ```swift
/// let toasts = Toasts([Toast("Deleted “report”.", kind: .success, hint: "u undo")])
/// print(Screen(toasts, size: Screen.Size(columns: 40, rows: 3)).canvas.lines)
/// ```
public struct Toasts: Widget, Hashable, Sendable {
  /// The messages, the newest one last.
  public var toasts: [Toast]
  /// The columns that a message takes at most.
  public var columnsMax: Int
  /// The rows of a message's text that are shown at most.
  public var rowsMax: Int

  /// Creates messages.
  public init(_ toasts: [Toast], columnsMax: Int = 48, rowsMax: Int = 3) {
    self.toasts = toasts
    self.columnsMax = columnsMax
    self.rowsMax = rowsMax
  }

  /// Draws the newest messages; what is around them stays as it is.
  ///
  /// - Complexity: O(cells of the rectangle + bytes of the messages that are seen).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let places = places(in: rect)
    for place in places {
      canvas.fill(place.rect, style: Style(background: .surface))
      draw(place, on: &canvas)
    }
    let hidden = toasts.count - places.count
    guard hidden > 0, let top = places.last?.rect, top.row > rect.row else { return }
    let note = "… \(hidden) more"
    let line = Rect(column: top.column, row: top.row - 1, columns: top.columns, rows: 1)
    canvas.drawLine(note, style: .faint, aligned: .right, in: line)
  }

  /// Returns the index of the message at a place.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    places(in: rect).first { $0.rect.contains(position) }?.index
  }
}

extension Toasts {
  private struct Place {
    var index: Int
    var rect: Rect
    var wrapped: WrappedText
    /// Whether the hint has a row of its own.
    var isHintBelow: Bool
  }

  /// The cells of the sign and the blank after it.
  private static var signColumns: Int { 2 }

  /// Returns where the messages are, from the newest on.
  private func places(in rect: Rect) -> [Place] {
    var (places, rest): ([Place], Rect) = ([], rect)
    for index in toasts.indices.reversed() {
      let toast = toasts[index]
      let most = min(rest.columns, max(columnsMax, 1))
      let margins = Toasts.signColumns + 2
      let wrapped = WrappedText(toast.text, columns: most - margins)
      let rows = min(wrapped.rows.count, max(rowsMax, 1))
      let widest = (0..<rows).reduce(0) { max($0, TextWidth.of(wrapped[$1])) }
      let hint = toast.hint.isEmpty ? 0 : TextWidth.of(toast.hint) + 2
      let isShort = rows == 1 && widest + hint + margins <= most
      let isHintBelow = hint > 0 && !isShort
      // A row is left for the count of the others.
      let free = rest.rows - (index > 0 && !places.isEmpty ? 1 : 0)
      let needed = rows + (isHintBelow ? 1 : 0)
      guard free > 0, places.isEmpty || needed <= free else { break }
      var area = rest.removeBottom(min(needed, free))
      let columns = isShort ? widest + hint : max(widest, hint)
      area = area.removeRight(min(columns + margins, most))
      places.append(Place(index: index, rect: area, wrapped: wrapped, isHintBelow: isHintBelow))
    }
    return places
  }

  private func draw(_ place: Place, on canvas: inout Canvas) {
    let toast = toasts[place.index]
    let (sign, color) = Toasts.sign(of: toast.kind)
    var area = place.rect
    let faint = Style(foreground: .faint, background: .surface)
    _ = area.removeRight(1)
    canvas.draw(
      sign, row: area.row, column: area.column + 1,
      style: Style(foreground: color, background: .surface, attributes: .bold), in: area)
    _ = area.removeLeft(Toasts.signColumns + 1)
    if place.isHintBelow, area.rows > 1 {
      canvas.drawLine(toast.hint, style: faint, in: area.removeBottom(1))
    } else if !place.isHintBelow, !toast.hint.isEmpty {
      canvas.drawLine(toast.hint, style: faint, aligned: .right, in: area)
      _ = area.removeRight(TextWidth.of(toast.hint) + 2)
    }
    canvas.draw(place.wrapped, style: Style(background: .surface), showsCut: true, in: area)
  }

  private static func sign(of kind: Toast.Kind) -> (String, Color) {
    switch kind {
    case .information: ("•", .accent)
    case .success: ("✓", .success)
    case .warning: ("!", .warning)
    }
  }
}
