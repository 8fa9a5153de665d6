import Retrace
import RetraceToolCommands

/// What the player shows at once: its screen is made from it, and inputs are interpreted on it.
struct PlayerFrame {
  /// A row of the timeline, and what it says.
  struct Row {
    var row: TimelineRow
    var summary: RecordSummary

    init(_ row: TimelineRow, _ summary: RecordSummary) {
      (self.row, self.summary) = (row, summary)
    }
  }

  var app: String
  var state: PlayerState
  var size: Screen.Size
  var layout: PlayerLayout
  /// The sequence of the last record.
  var last: UInt64
  /// The rows that are shown.
  var rows: [Row]
  var details: PlayerDetails
  /// The scene that is shown, and its screen.
  var scene: Int64?
  var screen: Screen?
  /// What the filter has found; `nil` without a filter.
  var selection: String?

  /// The lines of the difference, as they fit.
  var differenceLines: [Screen.Line] {
    details.lines(fitting: max(1, layout.difference.columns - 1))
  }

  /// The list of keys, as it fits.
  var helpLines: [Screen.Line] {
    var frame = self
    frame.state.helpOffset = nil
    return PlayerKeys.main.help(in: frame, fitting: max(1, layout.help.columns - 2))
  }

  /// The names of the panes, of which one is shown.
  var tabs: Tabs {
    Tabs(PlayerState.Pane.allCases.map(\.name), selected: state.focus.rawValue, isFocused: true)
  }

  /// The rows that are shown.
  var list: List<TimelineRowView> {
    let selected = rows.firstIndex { $0.row.contains(state.selected) } ?? 0
    let digits = "\(last)".utf8.count
    let rows = rows
    let empty = last == 0 ? "Nothing is recorded yet." : "No record was found."
    return List(
      count: rows.count, state: ListState(selected: Int64(selected)),
      isFocused: state.focus == .timeline, emptyText: empty
    ) { TimelineRowView(rows[$0], digits: digits) }
  }
}

/// A row of the timeline: the number, the local time, a mark, and what happened.
struct TimelineRowView: Widget {
  private let row: PlayerFrame.Row
  private let digits: Int

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - digits: The cells of the largest number.
  init(_ row: PlayerFrame.Row, digits: Int) {
    (self.row, self.digits) = (row, digits)
  }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    var rest = rect
    let number = rest.removeLeft(digits)
    canvas.drawLine("\(row.row.first)", style: .faint, aligned: .right, in: number)
    _ = rest.removeLeft(1)
    // The text is worth more than the time.
    if rect.columns >= 32 {
      let clock = rest.removeLeft(8)
      // The records of a batch have one time.
      if row.row.record?.envelope.startsBatch == true {
        canvas.drawLine(String(row.row.localTime.clock), style: .faint, in: clock)
      }
      _ = rest.removeLeft(1)
    }
    let mark = rest.removeLeft(1)
    if let (sign, style) = sign { canvas.drawLine(sign, style: style, in: mark) }
    _ = rest.removeLeft(1)
    var line = Screen.Line([])
    if let gap = row.row.gap {
      line.runs.append(Screen.Run("\(gap) ", Style(foreground: .caution)))
    }
    line.runs.append(Screen.Run(row.summary.text, textStyle))
    canvas.drawLine(line, in: rest)
  }

  private var sign: (String, Style)? {
    switch row.summary.mark {
    case .failed: ("!", .warning)
    case .undo: ("←", Style(foreground: .caution))
    case .redo: ("→", Style(foreground: .caution))
    case .effect: ("~", Style(foreground: .accent))
    case nil: nil
    }
  }

  private var textStyle: Style {
    switch row.row.record?.envelope.kind {
    case .action: .plain
    case .command: row.summary.mark == .failed ? Style(foreground: .warning) : .strong
    default: row.summary.mark == .failed ? .warning : .faint
    }
  }
}
