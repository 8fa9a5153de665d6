import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// What the mouse does in the calendar: the domain changes once, when the button is released.
@Suite struct CalendarMouseTests {
  typealias Calendar = CalendarScreenTests

  /// A calendar with a line for each quarter of an hour.
  private static func calendar() throws -> Tracking {
    var tracking = try Calendar.calendar()
    tracking.size = Screen.Size(columns: 80, rows: 110)
    return tracking
  }

  /// Returns the row of a time of the day, in a grid of four lines an hour.
  private static func row(_ hour: Int, _ minute: Int = 0, _ tracking: Tracking) throws -> Int {
    let label = "\(hour < 10 ? "0" : "")\(hour):00"
    let row = try #require(tracking.lines.firstIndex { $0.hasPrefix(label) })
    return row + minute / 15
  }

  private static func times(_ id: Int64, _ tracking: Tracking) -> [Moment?]? {
    tracking.entry(id).map { [$0.start, $0.end] }
  }

  @Test func `a click selects an item, and one beside the items begins an entry [M13]`() throws {
    var tracking = try Self.calendar()
    try tracking.use(.pressed(.left), row: Self.row(13, 15, tracking), column: 20)
    try tracking.use(.released(.left), row: Self.row(13, 15, tracking), column: 20)
    #expect(try Calendar.route(of: tracking).place.item == .entry(TimeEntryID(value: 2)))
    #expect(try Calendar.route(of: tracking).drag == nil)
    let commands = tracking.commands.count
    try tracking.use(.pressed(.left), row: Self.row(15, 0, tracking), column: 20)
    try tracking.use(.released(.left), row: Self.row(15, 0, tracking), column: 20)
    let draft = try #require(try Calendar.route(of: tracking).draft)
    #expect(draft.start == Calendar.time(15) && draft.end == Calendar.time(15, 30))
    #expect(tracking.commands.count == commands)
    // A drag over empty rows makes a longer one, upwards too; it takes the place of the first.
    try tracking.use(.pressed(.left), row: Self.row(16, 0, tracking), column: 20)
    for minute in [15, 30, 45] {
      try tracking.use(.dragged(.left), row: Self.row(16, minute, tracking), column: 90)
    }
    #expect(try Calendar.route(of: tracking).draft?.end == Calendar.time(17))
    try tracking.use(.dragged(.left), row: Self.row(15, 0, tracking), column: 1)
    try tracking.use(.released(.left), row: 0, column: 0)
    let dragged = try #require(try Calendar.route(of: tracking).draft)
    #expect(dragged.start == Calendar.time(15) && dragged.end == Calendar.time(16))
    #expect(tracking.commands.count == commands && tracking.replayedLines == tracking.lines)
    try tracking.press("enter")
    #expect(Self.times(3, tracking) == [Calendar.time(15), Calendar.time(16)])
    #expect(tracking.entries.count == 4)
  }

  @Test func `a drag moves an entry, its end or its start, and a release saves it [M13]`() throws {
    var tracking = try Self.calendar()
    let commands = tracking.commands.count
    try tracking.use(.pressed(.left), row: Self.row(13, 15, tracking), column: 20)
    for minute in [30, 45] {
      try tracking.use(.dragged(.left), row: Self.row(13, minute, tracking), column: 20)
    }
    try tracking.use(.dragged(.left), row: Self.row(14, 15, tracking), column: 20)
    #expect(try Calendar.route(of: tracking).draft?.start == Calendar.time(14))
    #expect(tracking.text.contains("* plan") && tracking.commands.count == commands)
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.use(.released(.left), row: Self.row(14, 15, tracking), column: 20)
    #expect(tracking.commands.count == commands + 1)
    #expect(Self.times(2, tracking) == [Calendar.time(14), Calendar.time(15)])
    #expect(try Calendar.route(of: tracking).draft == nil)
    // The last line is the end, and of a selected entry the first line is the start.
    try tracking.use(.pressed(.left), row: Self.row(14, 45, tracking), column: 20)
    try tracking.use(.dragged(.left), row: Self.row(15, 30, tracking), column: 20)
    try tracking.use(.released(.left), row: Self.row(15, 30, tracking), column: 20)
    #expect(Self.times(2, tracking) == [Calendar.time(14), Calendar.time(15, 45)])
    try tracking.use(.pressed(.left), row: Self.row(14, 0, tracking), column: 20)
    try tracking.use(.dragged(.left), row: Self.row(13, 30, tracking), column: 20)
    try tracking.use(.released(.left), row: Self.row(13, 30, tracking), column: 20)
    #expect(Self.times(2, tracking) == [Calendar.time(13, 30), Calendar.time(15, 45)])
    #expect(tracking.commands.count == commands + 3)
    // A drag back to where it began changes nothing.
    try tracking.use(.pressed(.left), row: Self.row(14, 0, tracking), column: 20)
    try tracking.use(.dragged(.left), row: Self.row(16, 0, tracking), column: 20)
    try tracking.use(.dragged(.left), row: Self.row(14, 0, tracking), column: 20)
    try tracking.use(.released(.left), row: Self.row(14, 0, tracking), column: 20)
    #expect(tracking.commands.count == commands + 3)
    #expect(try Calendar.route(of: tracking).drag == nil)
  }

  @Test func `a drag in the week moves an entry to another day [M13]`() throws {
    var tracking = try Self.calendar()
    tracking.wait(.seconds(4 * 86_400))
    try tracking.press("text:w")
    func column(_ heading: String) throws -> Int {
      let text = try #require(tracking.lines[2].firstRange(of: heading))
      return TextWidth.of(tracking.lines[2][..<text.lowerBound])
    }
    let commands = tracking.commands.count
    try tracking.use(.pressed(.left), row: Self.row(13, 15, tracking), column: column("Mon 23"))
    let thursday = try column("Thu 26")
    try tracking.use(.dragged(.left), row: Self.row(13, 30, tracking), column: column("Tue 24"))
    try tracking.use(.dragged(.left), row: Self.row(14, 15, tracking), column: thursday)
    #expect(tracking.commands.count == commands && tracking.replayedLines == tracking.lines)
    // The day of the press stays selected until the button is released.
    #expect(tracking.lines[2].contains("›Mon 23"))
    try tracking.use(.released(.left), row: Self.row(14, 15, tracking), column: thursday)
    func time(_ hour: Int64) -> Moment { Calendar.time(3 * 24 + hour) }
    #expect(Self.times(2, tracking) == [time(14), time(15)])
    let route = try Calendar.route(of: tracking)
    #expect(route.draft == nil && route.drag == nil)
    #expect(route.place.item == .entry(TimeEntryID(value: 2)))
    #expect(tracking.lines[2].contains("›Thu 26") && tracking.commands.count == commands + 1)
    // A drag there and back changes nothing, and a drag beside the days ends in the nearest one.
    let row = try Self.row(14, 15, tracking)
    try tracking.use(.pressed(.left), row: row, column: thursday)
    try tracking.use(.dragged(.left), row: row, column: column("Wed 25"))
    try tracking.use(.dragged(.left), row: row, column: thursday)
    try tracking.use(.released(.left), row: row, column: thursday)
    #expect(tracking.commands.count == commands + 1)
    try tracking.use(.pressed(.left), row: row, column: thursday)
    try tracking.use(.dragged(.left), row: row, column: 0)
    try tracking.use(.released(.left), row: row, column: 0)
    #expect(Self.times(2, tracking) == [Calendar.time(14), Calendar.time(15)])
  }

  @Test func `a refused drag is asked about, and stays a draft [M13]`() throws {
    var tracking = try Self.calendar()
    try tracking.use(.pressed(.left), row: Self.row(13, 15, tracking), column: 20)
    try tracking.use(.dragged(.left), row: Self.row(10, 15, tracking), column: 20)
    try tracking.use(.released(.left), row: Self.row(10, 15, tracking), column: 20)
    #expect(tracking.question != nil)
    #expect(Self.times(2, tracking) == [Calendar.time(13), Calendar.time(14)])
    #expect(try Calendar.route(of: tracking).draft?.start == Calendar.time(10))
    try tracking.press("escape", "escape")
    #expect(try Calendar.route(of: tracking).draft == nil)
    #expect(!tracking.text.contains("* plan"))
  }

  @Test func `a drag of a running entry moves its start [M13]`() throws {
    var tracking = try Self.calendar()
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "runs", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: Calendar.time(17), policy: .allow)))
    try tracking.use(.pressed(.left), row: Self.row(17, 30, tracking), column: 20)
    try tracking.use(.dragged(.left), row: Self.row(16, 30, tracking), column: 20)
    try tracking.use(.released(.left), row: Self.row(16, 30, tracking), column: 20)
    #expect(Self.times(3, tracking) == [Calendar.time(16, 30), nil])
  }

  @Test func `the wheel scrolls by hours, headings select days, and the menu takes clicks`() throws
  {
    var tracking = try Calendar.calendar()
    let top = tracking.lines
    try tracking.use(.scrolled(.down), row: 10, column: 20)
    try tracking.use(.scrolled(.down), row: 10, column: 20)
    #expect(tracking.lines != top)
    try tracking.use(.scrolled(.up), row: 10, column: 20)
    try tracking.use(.scrolled(.up), row: 10, column: 20)
    #expect(tracking.lines == top)
    try tracking.press("text:w")
    let heading = try #require(tracking.lines[2].firstRange(of: "Thu 26"))
    let column = TextWidth.of(tracking.lines[2][..<heading.lowerBound])
    try tracking.use(.pressed(.left), row: 2, column: column)
    #expect(tracking.lines[2].contains("›Thu 26"))
    try tracking.press("text:w", "text:t", "backtab", "enter")
    let row = try #require(tracking.lines.firstIndex { $0.contains("Delete") })
    let cut = try #require(tracking.lines[row].firstRange(of: "Delete"))
    try tracking.use(
      .pressed(.left), row: row,
      column: TextWidth.of(tracking.lines[row][..<cut.lowerBound]))
    #expect(tracking.entry(2)?.deleted != nil)
    try tracking.press("tab", "enter")
    try tracking.use(.pressed(.left), row: 0, column: 0)
    #expect(try Calendar.route(of: tracking).menu == nil)
  }
}
