import Retrace

/// Where the player shows what, for a state and a size.
struct PlayerLayout: Hashable, Sendable {
  /// The smallest size in which all panes are shown at once.
  static let wholeSize = Screen.Size(columns: 66, rows: 16)

  /// Whether it is the layout of a rail.
  private let isRail: Bool
  /// The first row.
  var head: Rect
  /// The last row.
  var foot: Rect
  /// What is between them.
  var body: Rect
  /// What the splits divide: into the timeline and what is beside it, and into the screen and what
  /// is below it.
  var columnsArea = Rect(columns: 0, rows: 0)
  var rowsArea = Rect(columns: 0, rows: 0)
  /// The panes; an empty rectangle for one that is not shown.
  var timeline = Rect(columns: 0, rows: 0)
  var screen = Rect(columns: 0, rows: 0)
  var difference = Rect(columns: 0, rows: 0)
  /// The splits; `nil` if they do not fit.
  var columns: Split?
  var rows: Split?

  init(_ state: PlayerState, size: Screen.Size) {
    isRail = state.rail != nil
    body = Rect(size)
    head = body.removeTop(size.rows > 3 ? 1 : 0)
    foot = body.removeBottom(size.rows > 2 ? 1 : 0)
    if state.rail != nil, body.rows >= Self.railRows {
      placeRail(state)
      return
    }
    guard state.rail == nil, size.columns >= Self.wholeSize.columns,
      size.rows >= Self.wholeSize.rows
    else {
      switch state.focus {
      case .timeline: timeline = body
      case .screen: screen = body
      case .difference: difference = body
      }
      return
    }
    let columns = Split(.columns, minimums: [30, 30], state: state.columns)
    let halves = columns.rects(in: body)
    (timeline, columnsArea, rowsArea) = (halves[0], body, halves[1])
    let rows = Split(.rows, minimums: [5, 4], state: state.rows)
    let quarters = rows.rects(in: rowsArea)
    (screen, difference) = (quarters[0], quarters[1])
    (self.columns, self.rows) = (columns, rows)
  }

  /// The fewest rows in which the screen and the rail are shown at once.
  private static var railRows: Int { 9 }

  /// Places the screen of the app above the rail: the timeline, and beside it the difference if
  /// there is room, or else if it has the focus.
  private mutating func placeRail(_ state: PlayerState) {
    let rows = Split(.rows, minimums: [5, 3], state: state.rows)
    let halves = rows.rects(in: body)
    (screen, columnsArea, rowsArea, self.rows) = (halves[0], halves[1], body, rows)
    guard body.columns >= Self.wholeSize.columns else {
      if state.focus == .difference { difference = columnsArea } else { timeline = columnsArea }
      return
    }
    let columns = Split(.columns, minimums: [30, 30], state: state.columns)
    let quarters = columns.rects(in: columnsArea)
    (timeline, difference, self.columns) = (quarters[0], quarters[1], columns)
  }

  /// Whether not all panes are shown at a time.
  var isNarrow: Bool { columns == nil }

  /// The number of rows of the timeline that fit; some even while it is not shown, so that page
  /// keys work.
  var rowCount: Int { timeline.isEmpty ? body.rows : timeline.rows }

  /// The cells of the recorded screen, in its frame.
  var picture: Rect {
    hasFrame ? screen.inset(columns: 1, rows: 1) : screen
  }

  /// Whether the recorded screen has a frame.
  var hasFrame: Bool { !isRail && screen.columns > 12 && screen.rows > 4 }

  /// The cells of the list of keys, in its frame.
  var help: Rect { body.inset(columns: 2, rows: 1) }
}
