import Retrace
import TimeTracking

extension EntryEditorFrame {
  /// The keys of the form: first of the suggestions, then of the fields.
  static let keys = listKeys.within(fieldKeys)

  private static let listKeys = KeyTable<EntryEditorFrame>("Suggestions") {
    Binding(
      keys: [.right, .tab, .enter], hint: "take over",
      help: "Take a suggestion over: enter one that you chose, tab that or the marked name."
    ) { frame, key in
      guard let list = frame.list else { return nil }
      if !list.isChosen {
        if key == .enter { return nil }
        // Without a marked name, tab leaves the field.
        if key == .tab, list.marked == nil { return nil }
      }
      return frame.taking(list.marked ?? 0)
    }
    Binding(.down, hint: "choose", help: "Choose the next suggestion.") { frame in
      guard let list = frame.list else { return nil }
      let next = list.marked.map { $0 + 1 } ?? 0
      return next < list.rows.count ? frame.choosing(next) : nil
    }
    Binding(.up, brief: "choose", help: "Choose the suggestion before, or none.") { frame in
      guard let list = frame.list, list.isChosen else { return nil }
      return frame.choosing(list.marked.flatMap { $0 > 0 ? $0 - 1 : nil })
    }
    Binding(.ctrl("n"), brief: "next", help: "Choose the next suggestion, or the first again.") {
      frame in
      guard let list = frame.list, list.rows.count > 1 || list.marked == nil else { return nil }
      return frame.choosing(list.marked.map { ($0 + 1) % list.rows.count } ?? 0)
    }
    Binding(.escape, brief: "close", help: "Close the list.") { frame in
      frame.list == nil ? nil : [.screen(.entryEditor(.listClosed))]
    }
  }

  private func choosing(_ index: Int?) -> [KeyStep] {
    [.screen(.entryEditor(.suggestionSelected(index.map { Int64($0) })))]
  }

  private static let fieldKeys = KeyTable<EntryEditorFrame>("Entry") {
    Binding(.enter, hint: "save", help: "Save what you changed.") { frame throws(KeyProblem) in
      try frame.saving()
    }
    Binding(
      .text(" "), hint: "billable", help: "Say whether the entry is billable, in that field."
    ) { frame in
      guard frame.route.field == .billable else { return nil }
      return [frame.switching]
    }
    Binding.moving()
    Binding(
      .ctrl("r"), brief: "take over",
      help: "Take over what was changed elsewhere, except where you typed."
    ) { frame throws(KeyProblem) in
      guard let changed = frame.changed else { return try frame.telling(.unchangedElsewhere) }
      return [.screen(.entryEditor(.refreshed(changed)))]
    }
    Binding(.ctrl("s"), brief: "stop", help: "End the entry now: the end becomes this time.") {
      frame throws(KeyProblem) in
      try frame.ending()
    }
    Binding(
      keys: [Key(.up, .alt), Key(.down, .alt)], brief: "5 minutes",
      help: "Move the time by five minutes, or change the duration."
    ) { frame, key throws(KeyProblem) in
      try frame.moving(later: key == Key(.up, .alt))
    }
    Binding.editing({ $0.text }, passing: [.text("?")]) { frame, edit in
      frame.typing(edit)
    }
  }

  /// Returns the steps of an edit of the focused text.
  ///
  /// A name that was taken over ends with a blank. A blank that the user types right after it is
  /// left out.
  private func typing(_ edit: TextReplacement) -> [KeyStep] {
    if isGroup, [.start, .end, .duration].contains(route.field), !edit.text.isEmpty {
      return [.scene(.told(.obstacle(.timesOfGroup)))]
    }
    var edit = edit
    if route.isListClosed, route.field == .description, edit.start == edit.end,
      edit.text.utf8.first == UInt8(ascii: " "),
      Int(edit.start) == route.description.text.utf8.count,
      route.description.text.utf8.last == UInt8(ascii: " ")
    {
      edit.text = String(decoding: edit.text.utf8.dropFirst(), as: UTF8.self)
      edit.cursor -= 1
    }
    return [.screen(.entryEditor(.edited(route.field, edit)))]
  }
}
