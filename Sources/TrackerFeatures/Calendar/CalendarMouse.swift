import Retrace
import TimeTracking

extension CalendarFrame {
  /// A press selects an item or begins a new one, and a drag moves it or one of its ends.
  ///
  /// A release saves a moved entry. The wheel scrolls.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let grid = CalendarScreenLayout(rect).grid
    let position = Screen.Cursor(row: mouse.row, column: mouse.column)
    switch mouse.action {
    case .pressed(.left):
      if let menu, let place = menuRect(in: grid) {
        guard let index = menu.index(at: position, in: place) else {
          return [.screen(.calendar(.menuMoved(nil)))]
        }
        return (try? steps(of: menuItems[index])) ?? []
      }
      return pressing(at: position, in: grid)
    case .dragged(.left): return dragging(to: position, in: grid)
    case .released(.left): return releasing()
    case .scrolled(.up): return scrolling(by: -1)
    case .scrolled(.down): return scrolling(by: 1)
    default: return []
    }
  }

  private func scrolling(by rows: Int64) -> [KeyStep] {
    var window = window
    window.scroll(to: window.offset + rows)
    guard window.offset != grid.state.offset, !hasChange else { return [] }
    var place = route.place
    place.top = window.offset
    // What is new and not saved stays.
    guard shown.draft == nil else { return [] }
    return [.screen(.calendar(.placed(place)))]
  }

  private func pressing(at position: Screen.Cursor, in rect: Rect) -> [KeyStep] {
    guard let (pressed, index) = grid.index(at: position, in: rect) else { return [] }
    let day = shown.days[pressed]
    let minutes = grid.minutes(atRow: position.row, ofDay: pressed, in: rect)
    if let index {
      let box = day.boxes[index]
      let isSelected = pressed == dayIndex && index == itemIndex
      if hasChange, !isSelected { return [.scene(.told(.obstacle(.changeNotSaved)))] }
      var steps: [KeyStep] = []
      if !isSelected {
        var place = route.place
        place.day = dayNumber(of: pressed)
        place.minute = Int32(clamping: day.minute(of: box.start))
        (place.item, place.top) = (box.calendarItem, grid.state.offset)
        steps.append(.screen(.calendar(.placed(place))))
      }
      if case .event = box.item { return steps }
      guard let minutes else { return steps }
      let part = part(of: box, at: position, in: rect, isSelected: isSelected)
      let drag = CalendarDrag(
        part: part, from: day.moment(ofMinute: minutes.lowerBound), start: box.start, end: box.end)
      return steps + [.screen(.calendar(.grabbed(drag)))]
    }
    if hasChange { return [.scene(.told(.obstacle(.changeNotSaved)))] }
    var place = route.place
    (place.day, place.item, place.top) = (dayNumber(of: pressed), nil, grid.state.offset)
    // The heading of a day has no time.
    guard let minute = grid.minute(at: position, in: rect), let minutes else {
      return [.screen(.calendar(.placed(place)))]
    }
    place.minute = Int32(clamping: minute)
    let placing = KeyStep.screen(.calendar(.placed(place)))
    var other = self
    other.select(pressed)
    let from = day.moment(ofMinute: minutes.lowerBound)
    guard let draft = other.newDraft(at: from) else { return [placing] }
    let drag = CalendarDrag(part: .new, from: from, start: draft.start, end: draft.end)
    return [
      placing, .screen(.calendar(.drafted(draft))), .screen(.calendar(.grabbed(drag))),
    ]
  }

  /// Returns the number of a shown day; `nil` for the present one if that is selected already.
  private func dayNumber(of index: Int) -> Int32? {
    index == dayIndex ? route.place.day : Int32(clamping: shown.days[index].date.daysSince1970)
  }

  /// Returns the part of an item at a place: the last line is the end, the first one of a selected
  /// item its start, and a running entry has only a start that moves.
  private func part(
    of box: CalendarBox, at position: Screen.Cursor, in rect: Rect, isSelected: Bool
  ) -> CalendarDragPart {
    guard box.end != nil else { return .start }
    guard let line = grid.line(at: position, in: rect), line.count > 1 else { return .whole }
    if line.index == line.count - 1 { return .end }
    return line.index == 0 && isSelected && line.count > 2 ? .start : .whole
  }

  private func dragging(to position: Screen.Cursor, in rect: Rect) -> [KeyStep] {
    guard let drag = route.drag, times != nil || drag.part == .new else { return [] }
    // Only a whole item is dragged to another day.
    let column = drag.part == .whole ? grid.day(atColumn: position.column, in: rect) : nil
    let index = column ?? dayIndex
    guard let minutes = grid.minutes(atRow: position.row, ofDay: index, in: rect) else { return [] }
    let first = shown.days[index].moment(ofMinute: minutes.lowerBound)
    let last = shown.days[index].moment(ofMinute: minutes.upperBound)
    let before = EntryTimes(start: drag.start, end: drag.end)
    let changed: EntryTimes? =
      switch drag.part {
      case .whole: moved(drag, to: first, on: shown.days[index])
      case .start:
        pointerGrid.withStart(of: before, at: first, now: edge?.now ?? drag.from)
      case .end: pointerGrid.withEnd(of: before, at: last)
      case .new:
        first < drag.from
          ? EntryTimes(start: first, end: drag.from)
          : EntryTimes(start: drag.from, end: last)
      }
    guard let changed, changed != times else { return [] }
    return [drafting(changed)]
  }

  /// Returns the times of a dragged item, which the days between move first.
  private func moved(
    _ drag: CalendarDrag, to moment: Moment, on day: CalendarDays.Day
  ) -> EntryTimes? {
    let days = day.date.daysSince1970 - calendar.day(at: drag.from).daysSince1970
    let rules = calendar.rules
    let times = EntryTimes(start: drag.start, end: drag.end).moved(byDays: days, in: rules)
    let grid = CalendarGrid(day.range, rules, step: pointerGrid.step)
    return times.flatMap {
      grid.moved($0, from: drag.from.moved(byDays: days, in: rules), to: moment)
    }
  }

  private func releasing() -> [KeyStep] {
    guard route.drag != nil else { return [] }
    // An entry that was dragged back has no draft any more.
    let isBack = route.draft?.entry != nil && shown.draft == nil
    let released = KeyStep.screen(.calendar(isBack ? .draftEnded : .released))
    guard hasChange, let command = savingCommand else { return [released] }
    return [released, .command(.entry(command)), .screen(.calendar(.draftEnded))] + following
  }
}
