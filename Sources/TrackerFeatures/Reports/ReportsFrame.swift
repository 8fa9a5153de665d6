import CivilTime
import Retrace
import TimeTracking

/// The content of the screen of the reports.
struct ReportsFrame: ScreenFrame {
  var edge: Edge?
  let route: ReportsRoute
  let domain: DomainState
  let id: RouteID
  /// Whether this is the lowest screen of the stack.
  let isRoot: Bool
  let memo: FrameMemo
  let calendar: ReportCalendar
  private let counted: ReportLines
  /// The days of the report; `nil` for all time.
  let dates: Range<CivilDate>?
  /// The notice of the scene about the last input.
  let notice: Notice?
  /// The filter of the entries.
  let filter: TypedFilter
  /// The filter that is being typed; `nil` if none is.
  let typedFilter: TypedFilter?
  private let bars: [BarChart.Bar]
  private let moment: Moment
  private let size: Screen.Size

  init(_ route: ReportsRoute, in context: ScreenContext) {
    self.route = route
    domain = context.domain
    moment = context.moment
    id = context.route
    isRoot = context.isRoot
    size = context.size
    let calendar = context.calendar(of: route.user)
    self.calendar = calendar
    let dates = route.range.dates(in: calendar, at: context.moment)
    self.dates = dates
    notice = context.notice
    var memo = context.memo
    let filter = memo.filter(route.filter, in: calendar, at: context.moment, domain)
    self.filter = filter
    typedFilter = Self.typedFilter(of: route, in: calendar, context)
    let chart = ReportChart(of: dates, in: calendar)
    let query = Self.query(of: route, dates, filter, in: calendar)
    counted = memo.report(query, by: chart.grouping, in: context.domain, at: context.moment)
    bars = chart.bars(of: counted.bars.report(at: context.moment))
    self.memo = memo
  }

  private static func typedFilter(
    of route: ReportsRoute, in calendar: ReportCalendar, _ context: ScreenContext
  ) -> TypedFilter? {
    guard route.field == .filter, let typed = route.typed else { return nil }
    return TypedFilter(typed.text, in: calendar, at: context.moment, context.domain)
  }

  /// Returns the query of the report; no entry is in that of a filter that cannot be read.
  private static func query(
    of route: ReportsRoute, _ dates: Range<CivilDate>?, _ filter: TypedFilter,
    in calendar: ReportCalendar
  ) -> ReportQuery {
    let all = TimeEntry.moments.lowerBound..<TimeEntry.moments.upperBound
    var range = dates.map { calendar.range(of: $0) } ?? all
    if filter.problem != nil { range = range.lowerBound..<range.lowerBound }
    var query = ReportQuery(range, in: calendar)
    query.filter.users = [route.user]
    query.filter.condition = filter.condition
    query.grouping = route.grouping
    query.rounding = try? ReportRounding.reading(route.rounding)
    return query
  }

  /// The report.
  var report: Report { counted.report }
  /// The lines of all groups, each above those of its next level.
  var lines: [ReportLines.Line] { counted.lines }

  var routes: [TrackerRoute]? {
    guard domain.users.live(route.user) != nil else { return nil }
    return [.timer(TimerRoute(user: route.user)), .reports(route)]
  }

  func layout(in rect: Rect) -> ReportsLayout {
    ReportsLayout(rect, bars: bars.count, showsChart: route.showsChart)
  }

  /// The number of lines of the table that fit.
  var rowsShown: Int64 { table.rows(in: layout(in: Rect(size)).lines) }

  /// The index of the selected line; `nil` without one.
  var selectedIndex: Int? {
    lines.isEmpty ? nil : min(max(0, Int(clamping: route.list.selected)), lines.count - 1)
  }

  /// The selected line; `nil` without one.
  var selectedLine: ReportLines.Line? { selectedIndex.map { lines[$0] } }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let layout = layout(in: rect)
    drawTitle(in: layout.title, on: &canvas)
    drawRange(in: layout.range, on: &canvas)
    BarChart(bars).draw(in: layout.chart, on: &canvas)
    if layout.lines.rows > 0 { table.draw(in: layout.lines, on: &canvas) }
    if let note { canvas.drawLine(note, style: .faint, in: layout.note) }
    if let problem = typedFilter?.problem ?? (input == nil ? filter.problem : nil) {
      let place = layout.problem.isEmpty ? layout.note : layout.problem
      canvas.fill(place)
      canvas.drawLine(SafeText.line(problem, bytesMax: 400), style: .warning, in: place)
    }
  }

  func cursor(in rect: Rect) -> Screen.Cursor? {
    var place = layout(in: rect).range
    _ = place.removeLeft(label.utf8.count)
    return input?.cursor(in: place)
  }

  /// The label of the open field.
  private var label: String {
    switch route.field {
    case .range: "Range: "
    case .filter: "Filter: "
    case .file: "File: "
    case .rounding: "Round to: "
    }
  }

  /// The open field; `nil` if nothing is typed.
  var input: TextInput? {
    route.typed.map { TextInput($0, placeholder: placeholder, hasFocus: true) }
  }

  /// What can be typed into the open field.
  private var placeholder: String {
    switch route.field {
    case .range: "last month, 2026-03, monday - friday, all"
    case .filter: "words, @project, #tag, client:NAME, billable:yes"
    case .file: "report.csv"
    case .rounding: "15m, 6m up, 15m up day; none"
    }
  }

  private func drawTitle(in rect: Rect, on canvas: inout Canvas) {
    var rest = rect
    let total = calendar.style.text(report.total.exact.time)
    if rect.columns > total.utf8.count {
      canvas.drawLine(
        total, style: .strong, aligned: .right, in: rest.removeRight(total.utf8.count))
      _ = rest.removeRight(2)
    }
    let groups = route.grouping.map { $0.word }.joined(separator: ", ")
    let user = domain.users.live(route.user)?.name.text ?? "a deleted user"
    canvas.drawLine("Report of \(user) by \(groups)", style: .title, in: rest)
  }

  private func drawRange(in rect: Rect, on canvas: inout Canvas) {
    guard let input else {
      let filter = route.filter.utf8.isEmpty ? "" : "; filter: \(route.filter)"
      let rounding = route.rounding.utf8.isEmpty ? "" : "; rounded to \(route.rounding)"
      canvas.drawLine(SafeText.line(rangeText + rounding + filter, bytesMax: 400), in: rect)
      return
    }
    var rest = rect
    canvas.drawLine(label, style: .strong, in: rest.removeLeft(label.utf8.count))
    input.draw(in: rest, on: &canvas)
  }

  /// The range as it is shown: `This week, Mon 2026-03-02 - Sun 2026-03-08`.
  private var rangeText: String {
    guard let dates else { return "All time" }
    let text = calendar.text(of: dates)
    guard case .period(let period, let number) = route.range else { return text }
    switch (period, number) {
    case (.day, 0): return "Today, \(text)"
    case (.day, -1): return "Yesterday, \(text)"
    case (_, 0): return "This \(period.word), \(text)"
    case (_, -1): return "Last \(period.word), \(text)"
    default: return text
    }
  }

  /// What keeps the figures from being misread; `nil` for nothing.
  private var note: String? {
    if report.overlap > .zero {
      let time = calendar.style.text(report.overlap)
      return "Entries overlap: \(time) of the time counts more than once."
    }
    if report.total.exact.unrated > .zero {
      return "\(calendar.style.text(report.total.exact.unrated)) of billable time have no rate."
    }
    if counted.hasRest { return "The total is exact; \(ReportLine.differenceLabel) is the rest." }
    return nil
  }

  /// The table of the groups, which makes the texts of the rows that it shows.
  var table: Table {
    let (style, lines, widths) = (calendar.style, lines, counted.widths)
    let total = report.total
    let shown = columns
    let rules = shown.map { column in
      let heading = column.heading
      func fitting(_ texts: Int) -> Int { max(texts, heading.utf8.count) }
      let rule =
        switch column {
        case .name: ColumnRule(width: 24, cutTo: 6, priority: 4, grows: true)
        case .time: ColumnRule(width: fitting(widths.time), priority: 3)
        case .rounded: ColumnRule(width: fitting(widths.rounded), priority: 3)
        case .billable: ColumnRule(width: fitting(widths.billable), priority: 1)
        case .share: ColumnRule(width: 5, priority: 0)
        case .amount: ColumnRule(width: fitting(widths.amount), priority: 2)
        }
      return TableColumn(heading, rule, aligned: column == .name ? .left : .right)
    }
    let footer = shown.map { column in
      let text =
        switch column {
        case .name: "Total"
        case .time: style.text(total.exact.time)
        case .rounded: style.text(total.billed.time)
        case .billable: style.text(total.billed.billable)
        case .share: ""
        case .amount: total.billed.amountText
        }
      return Screen.Run(text, .strong)
    }
    return Table(
      columns: rules, count: lines.count, state: route.list,
      footer: lines.isEmpty ? [] : footer, emptyText: "No entries in this time."
    ) { row, column, _ in cell(of: lines[row], shown[column]) }
  }

  /// A column of the table.
  private enum Column {
    case name
    case time
    case rounded
    case billable
    case share
    case amount

    var heading: String {
      switch self {
      case .name: ""
      case .time: "Time"
      case .rounded: "Rounded"
      case .billable: "Billable"
      case .share: "Share"
      case .amount: "Amount"
      }
    }
  }

  /// The columns that say something about the shown entries.
  private var columns: [Column] {
    let total = report.total.exact
    return [.name, .time] + (report.total.rounded == nil ? [] : [.rounded])
      + (total.billable > .zero ? [.billable] : []) + [.share]
      + (total.amounts.isEmpty ? [] : [.amount])
  }

  /// Returns a line as text: its cells, two spaces apart.
  func text(of line: ReportLines.Line) -> String {
    let texts = columns.map { cell(of: line, $0).text }.filter { !$0.isEmpty }
    let name = texts.first.map { String($0.drop { $0 == " " }) } ?? ""
    return ([name] + texts.dropFirst()).joined(separator: "  ")
  }

  private func cell(of line: ReportLines.Line, _ column: Column) -> Screen.Run {
    let style = calendar.style
    switch column {
    case .name:
      let indent = String(repeating: "  ", count: line.level)
      guard let key = line.key else {
        return Screen.Run(indent + ReportLine.differenceLabel, .faint)
      }
      let color = counted.labels.color(of: key)
      return Screen.Run(
        indent + counted.labels.label(of: key),
        color.map { Style(foreground: Color(rgb: $0)) } ?? .plain)
    case .time:
      let isShown = line.key != nil || line.time != .zero
      return Screen.Run(isShown ? style.text(line.time) : "")
    case .rounded:
      let isShown = line.key != nil || line.billed.time != .zero
      return Screen.Run(isShown ? style.text(line.billed.time) : "")
    case .billable:
      return Screen.Run(line.billed.billable == .zero ? "" : style.text(line.billed.billable))
    case .share:
      return Screen.Run(
        line.key == nil ? "" : "\(report.percent(of: line.time)) %", .faint)
    case .amount: return Screen.Run(line.billed.amountText)
    }
  }
}
