import CivilTime
import Retrace
import TimeTracking

/// The content of the screen of the calendar.
struct CalendarFrame: ScreenFrame {
  var edge: Edge?
  let route: CalendarRoute
  let domain: DomainState
  let id: RouteID
  /// Whether this is the lowest screen of the stack.
  let isRoot: Bool
  let memo: FrameMemo
  let calendar: ReportCalendar
  let running: IdentifiedEntry?
  let events: SceneEvents
  let shown: CalendarDays
  /// The index of the selected day among the shown ones.
  private(set) var dayIndex: Int
  /// The grid of the days.
  let grid: DayGrid
  /// The draft of the scene that the screen offers.
  let kept: KeptDraft?
  let moment: Moment
  private let size: Screen.Size

  init(_ route: CalendarRoute, in context: ScreenContext) {
    (self.route, domain, moment) = (route, context.domain, context.moment)
    (id, isRoot, size, events) = (context.route, context.isRoot, context.size, context.events)
    let calendar = context.calendar(of: route.user)
    self.calendar = calendar
    kept = context.draft(for: .calendar(route))
    running = domain.runningEntry(of: route.user)
      .map { IdentifiedEntry(id: $0.id, entry: $0.entry) }
    let dates = calendar.shownDates(of: route, in: domain, at: context.moment)
    // The selected day stays where it is while the mouse drags an item.
    let day =
      route.drag == nil
      ? calendar.date(of: route, in: domain, at: context.moment)
      : calendar.date(of: route.place, at: context.moment)
    let first = dates.first?.daysSince1970 ?? day.daysSince1970
    dayIndex = min(max(day.daysSince1970 - first, 0), dates.count - 1)
    var days = context.memo.days(of: route.user, in: calendar, context.domain)
    shown = CalendarDays(
      dates, of: route, running, route.edited(in: domain), &days, events: context.events,
      at: context.moment)
    memo = context.memo.keeping(days)
    let grid = Self.grid(of: shown, route, calendar, context, selected: dayIndex)
    self.grid = Self.scrolled(
      grid, shown, route, at: context.moment, in: CalendarScreenLayout(Rect(context.size)).grid)
  }

  var routes: [TrackerRoute]? {
    guard domain.users.live(route.user) != nil else { return nil }
    return [.timer(TimerRoute(user: route.user)), .calendar(route)]
  }

  // MARK: What is selected

  /// The selected day.
  var day: CalendarDays.Day { shown.days[dayIndex] }

  /// Selects another of the shown days.
  mutating func select(_ day: Int) { dayIndex = day }

  /// The index of the selected item, or of the draft, among the boxes of the day; `nil` for none.
  var itemIndex: Int? { Self.itemIndex(in: day, route, shown.draft) }

  /// The selected entry; `nil` without one.
  var entry: IdentifiedEntry? {
    let selected = shown.draft?.entry ?? (shown.draft == nil ? route.place.item?.entry : nil)
    guard let selected, let entry = shown.entries[selected] else { return nil }
    return IdentifiedEntry(id: selected, entry: entry)
  }

  /// The selected event; `nil` without one.
  var event: SceneEvent? {
    guard shown.draft == nil, case .event(let id)? = route.place.item else { return nil }
    return events.events.first { $0.id == id }
  }

  /// The minute of the cursor.
  var minute: Int64 { Self.minute(in: day, route, at: moment) }

  /// The offer to take the last deletion back, unless it has ended.
  var offer: DeletionOffer? {
    guard let offer = route.offer, offer.isOpen(in: domain, at: edge?.now ?? moment) else {
      return nil
    }
    return offer
  }

  private static func itemIndex(
    in day: CalendarDays.Day, _ route: CalendarRoute, _ draft: CalendarDraft?
  ) -> Int? {
    day.boxes.firstIndex { box in
      guard let draft else { return route.place.item.map { $0 == box.calendarItem } ?? false }
      return draft.entry.map { box.item == .entry($0) } ?? (box.item == .draft)
    }
  }

  private static func minute(
    in day: CalendarDays.Day, _ route: CalendarRoute, at moment: Moment
  ) -> Int64 {
    if let minute = route.place.minute { return Int64(minute) }
    if day.range.contains(moment) { return day.minute(of: moment) / 30 * 30 }
    return day.boxes.first.map { day.minute(of: $0.start) / 30 * 30 } ?? 540
  }

  // MARK: The grid

  private static func grid(
    of shown: CalendarDays, _ route: CalendarRoute, _ calendar: ReportCalendar,
    _ context: ScreenContext, selected: Int
  ) -> DayGrid {
    let rows = CalendarRows(shown.days.map { $0.date }, in: calendar)
    var texts = CalendarTexts(calendar, context.domain, shown, events: context.events)
    let isWeek = shown.days.count > 1
    var days: [GridDay] = []
    for (day, starts) in zip(shown.days, rows.starts) {
      let isToday = day.range.contains(context.moment)
      var entries: [GridDay.Entry] = []
      for box in day.boxes { entries.append(texts.entry(of: box, in: day)) }
      days.append(
        GridDay(
          isWeek ? texts.shortTitle(of: day.date) : calendar.style.withWeekdayAndDay(day.date),
          detail: calendar.style.text(day.time), rowStarts: starts,
          minutes: day.minute(of: day.range.upperBound), entries: entries, isToday: isToday,
          now: isToday ? day.minute(of: context.moment) : nil))
    }
    let day = shown.days[selected]
    let index = itemIndex(in: day, route, shown.draft)
    var grid = DayGrid(
      rows: rows.labels, days: days,
      state: DayGridState(day: Int64(selected), entry: index.map { Int64($0) }),
      linesPerRow: route.zoom.map { Int(clamping: $0) })
    grid.followsSelection = shown.draft != nil && route.drag == nil
    if index == nil {
      let minute = minute(in: day, route, at: context.moment)
      let local = calendar.rules.local(at: day.moment(ofMinute: minute))
      grid.mark = DayGrid.Mark(minute: minute, label: calendar.style.clock(local))
    }
    return grid
  }

  /// Returns the grid at its scroll position: that of the route, or else the row before the first
  /// item, so that the cursor is seen.
  private static func scrolled(
    _ grid: DayGrid, _ shown: CalendarDays, _ route: CalendarRoute, at moment: Moment,
    in rect: Rect
  ) -> DayGrid {
    var scrolled = grid
    if let top = route.place.top {
      scrolled.state.offset = top
      return scrolled
    }
    let day = Int(clamping: grid.state.day)
    let cursor = minute(in: shown.days[day], route, at: moment)
    let first = shown.days.compactMap { day in day.boxes.first.map { day.minute(of: $0.start) } }
    let earliest = min(first.min() ?? cursor, cursor)
    var window = ScrollWindow(
      count: Int64(grid.rows.count), rows: grid.hourCount(in: rect),
      offset: Int64(grid.days[day].line(ofMinute: earliest, linesPerRow: 1) - 1))
    window.show(Int64(grid.days[day].line(ofMinute: cursor, linesPerRow: 1)))
    scrolled.state.offset = window.offset
    return scrolled
  }

  /// The rectangle of the grid.
  private var gridRect: Rect { CalendarScreenLayout(Rect(size)).grid }

  /// The number of rows of the grid that are seen.
  var rowsShown: Int64 { max(1, grid.hourCount(in: gridRect)) }

  /// The number of lines of a row of the grid.
  var linesPerRow: Int64 { Int64(grid.rowLines(in: gridRect)) }

  /// The scroll position.
  var window: ScrollWindow {
    ScrollWindow(count: Int64(grid.rows.count), rows: rowsShown, offset: grid.state.offset)
  }

  /// Returns the scroll position at which a minute of the selected day is seen.
  func top(showing minute: Int64) -> Int64 {
    var window = window
    window.show(Int64(grid.days[dayIndex].line(ofMinute: minute, linesPerRow: 1)))
    return window.offset
  }

  // MARK: Drawing

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let layout = CalendarScreenLayout(rect)
    drawTitle(in: layout.title, on: &canvas)
    drawDays(in: layout.days, on: &canvas)
    grid.draw(in: layout.grid, on: &canvas)
    if let place = menuRect(in: layout.grid) { menu?.draw(in: place, on: &canvas) }
  }

  func cursor(in rect: Rect) -> Screen.Cursor? {
    var place = CalendarScreenLayout(rect).days
    _ = place.removeLeft(Self.label.utf8.count)
    return input?.cursor(in: place)
  }

  private static var label: String { "Day: " }

  /// The field of the day; `nil` if no day is typed.
  private var input: TextInput? {
    route.typed.map { TextInput($0, placeholder: "2026-12-24, friday", hasFocus: true) }
  }

  private func drawTitle(in rect: Rect, on canvas: inout Canvas) {
    var rest = rect
    let time = shown.days.reduce(ElapsedTime.zero) { $0.adding($1.time) }
    let total = calendar.style.text(time)
    if rect.columns > total.utf8.count {
      canvas.drawLine(
        total, style: .strong, aligned: .right, in: rest.removeRight(total.utf8.count))
      _ = rest.removeRight(2)
    }
    let user = domain.users.live(route.user)?.name.text ?? "a deleted user"
    canvas.drawLine("Calendar of \(user)", style: .title, in: rest)
  }

  private func drawDays(in rect: Rect, on canvas: inout Canvas) {
    guard let input else {
      canvas.drawLine(daysText, in: rect)
      return
    }
    var rest = rect
    canvas.drawLine(Self.label, style: .strong, in: rest.removeLeft(Self.label.utf8.count))
    input.draw(in: rest, on: &canvas)
  }

  /// The shown days, why one is not 24 hours long, and the events of the whole selected day.
  private var daysText: String {
    var texts: [String] = []
    let today = calendar.day(at: moment)
    if shown.days.count > 1, let first = shown.days.first, let last = shown.days.last {
      texts.append(calendar.text(of: first.date..<last.date.adding(days: 1)))
    } else {
      switch today.daysSince1970 - day.date.daysSince1970 {
      case 0: texts.append("Today, \(calendar.style.withWeekday(day.date))")
      case 1: texts.append("Yesterday, \(calendar.style.withWeekday(day.date))")
      case -1: texts.append("Tomorrow, \(calendar.style.withWeekday(day.date))")
      default: texts.append(calendar.style.withWeekday(day.date))
      }
    }
    if shown.draft != nil { texts.append("not saved: enter saves, escape discards") }
    if !day.wholeDays.isEmpty {
      texts.append("All day: " + day.wholeDays.map { $0.title }.joined(separator: ", "))
    }
    texts += shown.days.compactMap { calendar.zoneDay($0.date).explanation }
    return texts.joined(separator: "  ")
  }
}

extension ReportCalendar {
  /// Returns the day of a place.
  func date(of place: CalendarPlace, at moment: Moment) -> CivilDate {
    guard let day = place.day else { return self.day(at: moment) }
    let number = min(max(Int(day), CalendarRoute.days.lowerBound), CalendarRoute.days.upperBound)
    return CivilDate(daysSince1970: number)
  }

  /// Returns the selected day: that of the place, or of the times that are not saved, if these were
  /// moved away from it.
  func date(of route: CalendarRoute, in domain: DomainState, at moment: Moment) -> CivilDate {
    let date = date(of: route.place, at: moment)
    guard let draft = route.draft, draft.entry == nil || route.edited(in: domain) != nil else {
      return date
    }
    let range = range(of: date)
    let end = max(draft.start, draft.end ?? moment)
    let isThere =
      draft.start < range.upperBound
      && (end > range.lowerBound || draft.start >= range.lowerBound)
    guard !isThere else { return date }
    return self.date(
      of: CalendarPlace(day: Int32(clamping: day(at: draft.start).daysSince1970)), at: moment)
  }

  /// Returns the days that a calendar shows, in order.
  func shownDates(
    of route: CalendarRoute, in domain: DomainState, at moment: Moment
  ) -> [CivilDate] {
    let date = date(of: route, in: domain, at: moment)
    guard route.showsWeek else { return [date] }
    let first = date.week(startingOn: firstWeekday).lowerBound
    return (0..<7).map { first.adding(days: $0) }
  }
}

extension CalendarRoute {
  /// Returns the entry whose other times are not saved; `nil` if it has them by now, or does not
  /// exist any more.
  func edited(in domain: DomainState) -> IdentifiedEntry? {
    guard let draft, let id = draft.entry, let entry = domain.timeEntries[id],
      domain.isVisible(entry), !draft.hasTimes(of: entry)
    else { return nil }
    return IdentifiedEntry(id: id, entry: entry)
  }
}

extension SelectedCalendarItem {
  /// The entry; `nil` for an event.
  var entry: TimeEntryID? { if case .entry(let id) = self { id } else { nil } }
}
