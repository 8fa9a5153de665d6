import Retrace
import RetraceToolSupport

/// What the player shows at once: its screen is made from it, and inputs are interpreted on it.
package struct PlayerFrame {
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
  /// The local time at which the screen is drawn; `nil` at the moment of the record.
  var time: LocalTime?
  /// The local time of the selected record; `nil` if it cannot be read.
  var local: LocalTime?
  /// What the filter has found; `nil` without a filter.
  var selection: String?
  /// Which of the rows with the searched text is selected, such as `2 of 5`; `nil` without a text.
  var matching: String?
  /// Whether the last row is selected, which new ones take the place of while they are followed.
  var isAtEnd: Bool
  /// Whether this system lacks the zone in which the user saw the screen.
  var lacksZone = false

  /// The lines of the difference, as they fit.
  var differenceLines: [Screen.Line] {
    details.lines(
      fitting: max(1, layout.difference.columns - 1), isShort: state.rail != nil)
  }

  /// The list of keys, as it fits.
  var helpLines: [Screen.Line] {
    var frame = self
    frame.state.helpOffset = nil
    return PlayerKeys.table(for: frame).help(in: frame, fitting: max(1, layout.help.columns - 2))
  }

  /// What the pane with the focus shows of the selected record, as text; `nil` for nothing.
  var focusedText: String? {
    switch state.focus {
    case .timeline: rows.first { $0.row.contains(state.selected) }?.row.record?.line
    case .screen:
      screen.map { screen in
        let (columns, rows) = (layout.picture.columns, layout.picture.rows)
        return PlainRenderer(size: Screen.Size(columns: columns, rows: rows)).text(of: screen)
      }
    case .difference: details.lines.map(\.text).joined(separator: "\n")
    }
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
    let search = state.matches.search
    let all = state.rail == nil ? "escape" : "a"
    let empty = last == 0 ? "Nothing is recorded yet." : "No record was found. \(all): all"
    return List(
      count: rows.count, state: ListState(selected: Int64(selected)),
      isFocused: state.focus == .timeline, emptyText: empty
    ) { TimelineRowView(rows[$0], digits: digits, marking: search) }
  }
}

/// A row of the timeline: the number, the local time, a mark, and what happened.
struct TimelineRowView: Widget {
  private let row: PlayerFrame.Row
  private let digits: Int
  private let search: TextSearch?

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - digits: The cells of the largest number.
  ///   - search: The text that is underlined where it occurs.
  init(_ row: PlayerFrame.Row, digits: Int, marking search: TextSearch?) {
    (self.row, self.digits, self.search) = (row, digits, search)
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
        let time = row.row.local?.clockWithSeconds ?? ""
        canvas.drawLine(time, style: .faint, in: clock)
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
    line.runs += runs
    canvas.drawLine(line, in: rest)
  }

  /// The text, with the searched one marked.
  private var runs: [Screen.Run] {
    let text = row.summary.text
    var marked = Style(foreground: .accent, attributes: [.bold, .underline])
    marked.background = textStyle.background
    var (runs, end) = ([Screen.Run](), text.startIndex)
    for range in search?.ranges(in: text) ?? [] {
      runs.append(Screen.Run(String(text[end..<range.lowerBound]), textStyle))
      runs.append(Screen.Run(String(text[range]), marked))
      end = range.upperBound
    }
    return runs + [Screen.Run(String(text[end...]), textStyle)]
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
