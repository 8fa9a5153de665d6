import Retrace
import TimeTracking

extension SettingsFrame {
  /// The keys of the settings: of a question, of a typed value, of a list of values, of the
  /// selected row, then of the rows.
  static let keys = questionKeys.within(typingKeys).within(choiceKeys).within(rowKeys)
    .within(settingsKeys)

  private static let questionKeys = KeyTable<SettingsFrame>("Confirm") {
    Binding(.enter, hint: "do it", help: "Do what is asked.") { frame throws(KeyProblem) in
      switch frame.route.question {
      case nil: return nil
      case .signsOut?: return [.scene(.signedOut)]
      case .changesCurrency?: return try frame.saving(changesCurrency: true)
      }
    }
    Binding(.escape, hint: "do not", help: "Do not do it.") { frame in
      frame.route.question == nil ? nil : [.screen(.settings(.asked(nil)))]
    }
  }

  private static let typingKeys = KeyTable<SettingsFrame>("Typed value") {
    Binding(.enter, hint: "save", help: "Save the typed value.") { frame throws(KeyProblem) in
      guard frame.input != nil else { return nil }
      return try frame.saving(changesCurrency: false)
    }
    Binding(.escape, hint: "back", help: "Leave the value as it is.") { frame in
      frame.input == nil ? nil : [.screen(.settings(.opened(nil)))]
    }
    Binding.editing({ $0.input?.draft }, passing: [.text("?")]) { _, edit in
      [.screen(.settings(.edited(edit)))]
    }
  }

  private static let choiceKeys = KeyTable<SettingsFrame>("Values") {
    Binding(.enter, .text(" "), hint: "choose", help: "Choose the selected value.") {
      frame throws(KeyProblem) in
      guard frame.menu != nil else { return nil }
      return try frame.saving(changesCurrency: false)
    }
    Binding(
      keys: [.up, .down, .text("k"), .text("j"), .home, .end], label: "up, down",
      areAvailableTogether: true, hint: "select",
      help: "Select a value (also k, j, home, end)."
    ) { frame, key in
      guard let menu = frame.menu, case .choices(var state)? = frame.route.dialog else {
        return nil
      }
      let (count, rows) = (Int64(menu.items.count), frame.menuRows)
      switch key {
      case .home: state.select(0, count: count, rows: rows)
      case .end: state.select(count - 1, count: count, rows: rows)
      case .up, .text("k"): state.move(by: -1, count: count, rows: rows)
      default: state.move(by: 1, count: count, rows: rows)
      }
      return [.screen(.settings(.opened(.choices(state))))]
    }
    Binding(.escape, hint: "back", help: "Leave the value as it is.") { frame in
      frame.menu == nil ? nil : [.screen(.settings(.opened(nil)))]
    }
  }

  private static let rowKeys = KeyTable<SettingsFrame>("Selected row") {
    Binding(
      .enter, .text(" "), hint: "change", help: "Turn a switch, choose from a list, or type."
    ) { frame throws(KeyProblem) in
      try frame.route.dialog == nil ? frame.opening : nil
    }
    Binding(
      .right, .text("l"), hint: "next value", brief: "next",
      help: "Take the next value of a list, or turn a switch (also l)."
    ) { frame throws(KeyProblem) in
      try frame.route.dialog == nil ? frame.stepping(by: 1) : nil
    }
    Binding(.left, .text("h"), brief: "previous", help: "Take the value before (also h).") {
      frame throws(KeyProblem) in
      try frame.route.dialog == nil ? frame.stepping(by: -1) : nil
    }
  }

  private static let settingsKeys = KeyTable<SettingsFrame>("Settings") {
    Binding(
      keys: [.up, .down, .text("k"), .text("j"), .pageUp, .pageDown, .home, .end],
      label: "up, down", areAvailableTogether: true, hint: "select",
      help: "Select a row (also k, j, page keys, home, end)."
    ) { frame, key in
      guard frame.route.dialog == nil else { return nil }
      return [frame.selecting(after: key)]
    }
    Binding(.tab, brief: "next part", help: "Go to the next part.") { frame in
      frame.route.dialog == nil ? [frame.selectingPart(after: 1)] : nil
    }
    Binding(.backtab, brief: "part before", help: "Go to the part before.") { frame in
      frame.route.dialog == nil ? [frame.selectingPart(after: -1)] : nil
    }
    Binding(.text("z"), hint: "undo", help: "Undo your newest change.") { frame in
      frame.route.dialog == nil ? [.undo] : nil
    }
    Binding(.text("Z"), brief: "redo", help: "Bring back what was undone last.") { frame in
      frame.route.dialog == nil ? [.redo] : nil
    }
    Binding(.escape, .text("q"), hint: "back", help: "Go back to the timer (also q).") { frame in
      if frame.route.dialog != nil { return nil }
      return frame.isRoot
        ? [.scene(.wentTo([.timer(TimerRoute(user: frame.route.user))]))]
        : [.scene(.popped(frame.id))]
    }
  }

  /// The rows of the list of values.
  private var menuRows: Int64 { menu.map { $0.rows(in: menuRect($0, in: Rect(size))) } ?? 1 }

  // MARK: Values

  /// The steps of enter on the selected row.
  var opening: [KeyStep]? {
    get throws(KeyProblem) {
      guard let selected else { return nil }
      switch selected.kind {
      case .text(let text):
        return [.screen(.settings(.opened(.text(TextDraft(text)))))]
      case .toggle(let isOn): return try setting(selected.row, to: .index(isOn ? 1 : 0))
      case .choice(_, selected: let index):
        return [.screen(.settings(.opened(.choices(ListState(selected: Int64(index))))))]
      case .fact: return try telling(.settingIsFact)
      case .way: return [.screen(.settings(.asked(.signsOut)))]
      }
    }
  }

  /// Returns the steps that take the value some places further.
  private func stepping(by step: Int) throws(KeyProblem) -> [KeyStep]? {
    guard let selected else { return nil }
    switch selected.kind {
    case .toggle(let isOn): return try setting(selected.row, to: .index(isOn ? 1 : 0))
    case .choice(let words, selected: let index):
      let next = (index + step + words.count) % words.count
      return try setting(selected.row, to: .index(next))
    case .text: return try telling(.settingIsTyped)
    case .fact, .way: return try telling(.settingIsFact)
    }
  }

  /// Returns the steps that choose a value of the open list.
  func choosing(_ index: Int) throws(KeyProblem) -> [KeyStep]? {
    try selected.map { (item) throws(KeyProblem) in try setting(item.row, to: .index(index)) }
  }

  /// Returns the steps that save what is typed or chosen, and close its field or list.
  private func saving(changesCurrency: Bool) throws(KeyProblem) -> [KeyStep]? {
    guard let selected else { return nil }
    switch route.dialog {
    case nil: return nil
    case .text(let draft)?:
      return try setting(selected.row, to: .text(draft.text), changesCurrency: changesCurrency)
    case .choices?:
      let index = menu?.selected ?? 0
      return try setting(selected.row, to: .index(index), changesCurrency: changesCurrency)
    }
  }

  /// Returns the steps that set a value.
  ///
  /// A value that changes the currency of rates is asked about, if a field or a list stays open for
  /// the answer.
  private func setting(
    _ row: SettingsRow, to value: SettingsCommand.Value, changesCurrency: Bool = false
  ) throws(KeyProblem) -> [KeyStep] {
    if row == .calendars, case .text(let text) = value { return [.calendars(text)] }
    let closing = route.dialog == nil ? [] : [KeyStep.screen(.settings(.opened(nil)))]
    var command = command
    command.changesCurrency = changesCurrency
    do throws(KeyObstacle) {
      guard let change = try command.command(setting: row, to: value) else { return closing }
      if !changesCurrency, !closing.isEmpty, let edge,
        command.refusal(of: change, at: edge.now)?.isAboutCurrency == true
      {
        return [.screen(.settings(.asked(.changesCurrency)))]
      }
      return [.command(change)] + closing
    } catch {
      return try telling(error)
    }
  }

  // MARK: Rows

  /// Returns the step that selects a row.
  func selecting(_ item: SettingsItem) -> KeyStep { .screen(.settings(.selected(item.row))) }

  /// The indices of the lines that are rows.
  private var indices: [Int] { lines.indices.filter { lines[$0].item != nil } }

  /// Returns the step that selects the row after a key; on the last one, that one again.
  func selecting(after key: Key) -> KeyStep {
    let (indices, last) = (indices, indices.count - 1)
    let row = indices.firstIndex(of: selectedIndex) ?? 0
    let next =
      switch key {
      case .home: 0
      case .end: last
      case .text("k"): ListStep(.up, rows: 1).row(from: row, last: last)
      case .text("j"): ListStep(.down, rows: 1).row(from: row, last: last)
      default: ListStep(key, rows: rowsShown).row(from: row, last: last)
      }
    return lines[indices[next]].item.map { selecting($0) } ?? .screen(.settings(.opened(nil)))
  }

  /// Returns the step that selects the first row of the part some parts further.
  private func selectingPart(after step: Int) -> KeyStep {
    let headings = lines.indices.filter { lines[$0].item == nil }
    let part = headings.lastIndex { $0 < selectedIndex } ?? 0
    let next = headings[(part + step + headings.count) % headings.count] + 1
    return lines[next].item.map { selecting($0) } ?? .screen(.settings(.opened(nil)))
  }
}
