import CivilTime
import Retrace
import TimeTracking

extension CalendarFrame {
  /// The keys of the calendar.
  ///
  /// A key is looked up in the tables of the typed day, the open menu, the unsaved times and the
  /// selected item, and then in that of the days.
  static let keys = typingKeys.within(menuKeys).within(draftKeys).within(itemKeys).within(dayKeys)

  private static let typingKeys = KeyTable<CalendarFrame>("Day") {
    Binding(.enter, hint: "show", help: "Show the typed day, such as friday or 2026-12-24.") {
      frame throws(KeyProblem) in
      guard let typed = frame.route.typed else { return nil }
      guard let edge = frame.edge else { return [.screen(.calendar(.typingEnded))] }
      guard let range = try? frame.calendar.range(of: typed.text, at: edge.now),
        let date = range.days?.lowerBound
      else { return try frame.telling(.unreadableDay) }
      return frame.going(to: date)
    }
    Binding(.escape, hint: "cancel", help: "Close the field of the day.") { frame in
      frame.route.typed == nil ? nil : [.screen(.calendar(.typingEnded))]
    }
    Binding.editing({ $0.route.typed }, passing: [.text("?")]) { _, edit in
      [.screen(.calendar(.edited(edit)))]
    }
  }

  private static let menuKeys = KeyTable<CalendarFrame>("Menu") {
    Binding(.enter, hint: "do it", help: "Do what is selected in the menu.") {
      frame throws(KeyProblem) in
      guard let selected = frame.menu?.selected else { return nil }
      return try frame.steps(of: frame.menuItems[selected])
    }
    Binding(
      keys: [.up, .down, .text("k"), .text("j")], label: "up, down", areAvailableTogether: true,
      hint: "choose", help: "Choose an action of the menu (also k, j)."
    ) { frame, key in
      guard let menu = frame.menu else { return nil }
      let isUp = key == .up || key == .text("k")
      return menu.index(movedBy: isUp ? -1 : 1).map { [.screen(.calendar(.menuMoved($0)))] }
    }
    Binding(.escape, hint: "close", help: "Close the menu.") { frame in
      frame.menu == nil ? nil : [.screen(.calendar(.menuMoved(nil)))]
    }
  }

  private static let draftKeys = KeyTable<CalendarFrame>("Not saved") {
    Binding(.enter, hint: "save", help: "Save the moved times, or the new entry.") {
      frame throws(KeyProblem) in try frame.shown.draft == nil ? nil : frame.saving()
    }
    Binding(
      keys: [.escape, .text("x")], label: "escape, x", hint: "discard",
      help: "Discard the unsaved times."
    ) { frame, key throws(KeyProblem) in
      if frame.shown.draft == nil {
        return try key == .escape ? nil : frame.telling(.nothingToSave)
      }
      return [.screen(.calendar(.draftEnded))]
    }
  }

  private static let itemKeys = KeyTable<CalendarFrame>("Selected item") {
    Binding(
      keys: [.enter, .text("m")], label: "enter, m", hint: "menu",
      help: "Open the menu of the item."
    ) { frame, key throws(KeyProblem) in
      if frame.menuItems.isEmpty { return try key == .enter ? nil : frame.telling(.noItemSelected) }
      return [.screen(.calendar(.menuMoved(0)))]
    }
    Binding(
      keys: [Key(.up, .alt), Key(.down, .alt), .text("K"), .text("J")], label: "alt-up, alt-down",
      hint: "move", help: "Move the item by five minutes, a running one's start (also K, J)."
    ) { frame, key throws(KeyProblem) in
      let steps: Int64 = key == .text("K") || key == Key(.up, .alt) ? -1 : 1
      if frame.times != nil, frame.times?.end == nil { return try frame.movingStart(by: steps) }
      return try frame.moving(by: steps)
    }
    Binding(
      keys: [Key(.left, .alt), Key(.right, .alt), .text("H"), .text("L")],
      label: "alt-left, alt-right", brief: "move a day",
      help: "Move the item to the day before or after (also H, L)."
    ) { frame, key throws(KeyProblem) in
      try frame.movingItem(byDays: key == .text("H") || key == Key(.left, .alt) ? -1 : 1)
    }
    Binding(
      keys: [.text("+"), .text("-"), Key(.down, .shift), Key(.up, .shift)], label: "+, -",
      hint: "longer", help: "Move the end by five minutes (also shift-down, shift-up)."
    ) { frame, key throws(KeyProblem) in
      try frame.movingEnd(by: key == .text("+") || key == Key(.down, .shift) ? 1 : -1)
    }
    Binding(
      keys: [.text("<"), .text(">")], label: "<, >", brief: "start",
      help: "Move the start by five minutes."
    ) { frame, key throws(KeyProblem) in
      try frame.movingStart(by: key == .text("<") ? -1 : 1)
    }
    Binding(.text("e"), hint: "edit", help: "Edit the item in the form.") {
      frame throws(KeyProblem) in try frame.steps(of: .edit)
    }
    Binding(
      .text("c"), brief: "continue", help: "Continue the entry, or start one from the event."
    ) { frame throws(KeyProblem) in
      try frame.steps(of: frame.event == nil ? .resume : .start)
    }
    Binding(.text("a"), brief: "copy", help: "Copy the event as an entry.") {
      frame throws(KeyProblem) in try frame.steps(of: .copy)
    }
    Binding(.text("s"), brief: "stop", help: "Stop the selected running entry.") {
      frame throws(KeyProblem) in try frame.steps(of: .stop)
    }
    Binding(.text("d"), .delete, brief: "delete", help: "Delete the selected entry.") {
      frame throws(KeyProblem) in try frame.steps(of: .delete)
    }
    Binding(.escape, brief: "deselect", help: "Select nothing.") { frame in
      guard frame.route.place.item != nil else { return nil }
      var place = frame.route.place
      place.item = nil
      return [.screen(.calendar(.placed(place)))]
    }
  }

  private static let dayKeys = KeyTable<CalendarFrame>("Calendar") {
    Binding(
      keys: [.left, .right, .text("h"), .text("l")], label: "left, right",
      areAvailableTogether: true, hint: "day", help: "Show the day before or after (also h, l)."
    ) { frame, key throws(KeyProblem) in
      try frame.moving(byDays: key == .left || key == .text("h") ? -1 : 1)
    }
    Binding(
      keys: [.text("["), .text("]")], label: "[, ]", areAvailableTogether: true, brief: "week",
      help: "Show the day a week before or after."
    ) { frame, key throws(KeyProblem) in try frame.moving(byDays: key == .text("[") ? -7 : 7) }
    Binding(.text("t"), brief: "today", help: "Show the present day.") {
      frame throws(KeyProblem) in
      if frame.hasChange { return try frame.telling(.changeNotSaved) }
      return [.screen(.calendar(.placed(CalendarPlace())))]
    }
    Binding(.text("g"), brief: "go to", help: "Type a day, such as friday or 2026-12-24.") {
      frame throws(KeyProblem) in
      if frame.hasChange { return try frame.telling(.changeNotSaved) }
      return [.screen(.calendar(.typingStarted))]
    }
    Binding(.text("w"), hint: "week", help: "Show the week, or the day alone.") { frame in
      [.screen(.calendar(.weekShown(!frame.route.showsWeek)))]
    }
    Binding(
      keys: [.tab, .backtab], label: "tab", areAvailableTogether: true, hint: "select",
      help: "Select the next item of the day, or the one before."
    ) { frame, key throws(KeyProblem) in try frame.selecting(isNext: key == .tab) }
    Binding(
      keys: [.up, .down, .text("k"), .text("j"), .pageUp, .pageDown, .home, .end],
      label: "up, down", areAvailableTogether: true, hint: "time",
      help: "Go to a time of the day, also a page or to the ends (k, j)."
    ) { frame, key throws(KeyProblem) in
      let page = max(1, frame.rowsShown - 1) * 60
      return switch key {
      case .up, .text("k"): try frame.going(toMinute: frame.minute - 30)
      case .down, .text("j"): try frame.going(toMinute: frame.minute + 30)
      case .pageUp: try frame.going(toMinute: frame.minute - page)
      case .pageDown: try frame.going(toMinute: frame.minute + page)
      case .home: try frame.going(toMinute: 0)
      default: try frame.going(toMinute: .max)
      }
    }
    Binding(.enter, .text("n"), hint: "new", help: "Begin an entry at the time of the cursor.") {
      frame throws(KeyProblem) in try frame.beginning()
    }
    Binding(
      keys: [.text("i"), .text("o")], label: "i, o", areAvailableTogether: true, brief: "zoom",
      help: "Give hours more or fewer lines."
    ) { frame, key in
      let lines = frame.linesPerRow
      let zoom = key == .text("i") ? min(lines * 2, Self.zoomMax) : max(lines / 2, 1)
      return [.screen(.calendar(.zoomed(zoom)))]
    }
    Binding(
      .text("z"), brief: "undo", help: "Undo the deletion that is offered, else your newest change."
    ) { frame in
      frame.offer.map { [.takeBack($0.entries)] } ?? [.undo]
    }
    Binding(.text("Z"), brief: "redo", help: "Bring back what was undone last.") { _ in [.redo] }
    Binding(.ctrl("y"), brief: "bring back", help: "Bring back times that were not saved.") {
      frame in frame.kept.map { [.scene(.draftOpened($0.id))] }
    }
    Binding(.escape, .text("q"), hint: "back", help: "Go back to the timer (also q).") { frame in
      if frame.isRoot {
        return [.scene(.wentTo([.timer(TimerRoute(user: frame.route.user))]))]
      }
      // Times that are not saved can be brought back.
      return [.scene(frame.hasChange ? .draftKept(frame.id) : .popped(frame.id))]
    }
  }

  /// The most lines of an hour.
  private static var zoomMax: Int64 { 12 }

  /// Returns the step that shows a day.
  private func going(to date: CivilDate) -> [KeyStep] {
    let days = CalendarRoute.days
    var place = route.place
    place.day = Int32(min(max(date.daysSince1970, days.lowerBound), days.upperBound))
    place.item = nil
    return [.screen(.calendar(.placed(place)))]
  }

  private func moving(byDays days: Int) throws(KeyProblem) -> [KeyStep] {
    if hasChange { return try telling(.changeNotSaved) }
    return going(to: day.date.adding(days: days))
  }

  /// Returns the step that goes to a minute of the day, and selects nothing.
  private func going(toMinute minute: Int64) throws(KeyProblem) -> [KeyStep] {
    if hasChange { return try telling(.changeNotSaved) }
    var place = route.place
    let last = max(0, grid.days[dayIndex].minutes - 30)
    let minute = max(0, min(minute, last))
    (place.minute, place.item, place.top) = (Int32(clamping: minute), nil, top(showing: minute))
    return [.screen(.calendar(.placed(place)))]
  }

  /// Returns the step that selects the next item of the day, or the one before.
  private func selecting(isNext: Bool) throws(KeyProblem) -> [KeyStep] {
    if hasChange { return try telling(.changeNotSaved) }
    let boxes = day.boxes.filter { $0.item != .draft }
    guard let last = boxes.indices.last else { return try telling(.noEntries) }
    let index: Int
    if let selected = boxes.firstIndex(where: { $0.calendarItem == route.place.item }) {
      index = (selected + (isNext ? 1 : last)) % boxes.count
    } else if isNext {
      index = boxes.firstIndex { day.minute(of: $0.start) >= minute } ?? 0
    } else {
      index = boxes.lastIndex { day.minute(of: $0.start) < minute } ?? last
    }
    return [.screen(.calendar(.placed(place(selecting: boxes[index]))))]
  }

  /// Returns the place with a selected item, and the cursor at its start.
  func place(selecting box: CalendarBox) -> CalendarPlace {
    var place = route.place
    let minute = day.minute(of: box.start)
    (place.item, place.minute) = (box.calendarItem, Int32(clamping: minute))
    place.top = top(showing: minute)
    return place
  }
}
