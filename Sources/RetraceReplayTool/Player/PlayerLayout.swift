import Retrace

/// Where the player shows what, for a state and a size.
struct PlayerLayout: Hashable, Sendable {
  /// The smallest size in which all panes are shown at once.
  static let wholeSize = Screen.Size(columns: 66, rows: 16)

  /// The first row.
  var head: Rect
  /// The last row.
  var foot: Rect
  /// What is between them.
  var body: Rect
  /// What is beside the timeline.
  var side = Rect(columns: 0, rows: 0)
  /// The panes; an empty rectangle for one that is not shown.
  var timeline = Rect(columns: 0, rows: 0)
  var screen = Rect(columns: 0, rows: 0)
  var difference = Rect(columns: 0, rows: 0)
  /// The splits; `nil` if one pane is shown at a time.
  var columns: Split?
  var rows: Split?

  init(_ state: PlayerState, size: Screen.Size) {
    body = Rect(size)
    head = body.removeTop(size.rows > 3 ? 1 : 0)
    foot = body.removeBottom(size.rows > 2 ? 1 : 0)
    guard size.columns >= Self.wholeSize.columns, size.rows >= Self.wholeSize.rows else {
      switch state.focus {
      case .timeline: timeline = body
      case .screen: screen = body
      case .difference: difference = body
      }
      return
    }
    let columns = Split(.columns, minimums: [30, 30], state: state.columns)
    let halves = columns.rects(in: body)
    (timeline, side) = (halves[0], halves[1])
    let rows = Split(.rows, minimums: [5, 4], state: state.rows)
    let quarters = rows.rects(in: side)
    (screen, difference) = (quarters[0], quarters[1])
    (self.columns, self.rows) = (columns, rows)
  }

  /// Whether one pane is shown at a time.
  var isNarrow: Bool { columns == nil }

  /// The number of rows of the timeline that fit; some even while it is not shown, so that page
  /// keys work.
  var rowCount: Int { timeline.isEmpty ? body.rows : timeline.rows }

  /// The cells of the recorded screen, in its frame.
  var picture: Rect { hasFrame ? screen.inset(columns: 1, rows: 1) : screen }

  /// Whether the recorded screen has a frame.
  var hasFrame: Bool { screen.columns > 12 && screen.rows > 4 }

  /// The cells of the list of keys, in its frame.
  var help: Rect { body.inset(columns: 2, rows: 1) }
}
