import Retrace
import TimeTracking

extension EntryEditorFrame {
  /// The keys of the form: first of a suggestion, then of the fields.
  static let keys = completionKeys.within(fieldKeys)

  private static let completionKeys = KeyTable<EntryEditorFrame>("Suggestion") {
    Binding(
      keys: [.right, .tab], hint: "accept",
      help: "Accept the suggested project or tag."
    ) { frame, key in
      guard let completion = frame.completion else { return nil }
      // A name is complete in its own field, and where it is a new one, so tab leaves the field.
      if key == .tab, frame.route.field != .description || completion.isNew { return nil }
      return completion.steps(in: frame.route)
    }
    Binding(.ctrl("n"), hint: "next name", help: "Choose the next suggestion.") { frame in
      guard let completion = frame.completion, completion.suggestions.count > 1 else { return nil }
      return [.screen(.entryEditor(.suggestionSkipped))]
    }
  }

  private static let fieldKeys = KeyTable<EntryEditorFrame>("Entry") {
    Binding(.enter, hint: "save", help: "Save what you changed.") { frame throws(KeyProblem) in
      try frame.saving()
    }
    Binding(
      .text(" "), hint: "billable", help: "Say whether the entry is billable, in that field."
    ) { frame in
      guard frame.route.field == .billable else { return nil }
      return [.screen(.entryEditor(.billable(!(frame.route.isBillable ?? false))))]
    }
    Binding(.tab, .down, hint: "next field", brief: "next", help: "Go to the next field.") {
      frame in
      [.screen(.entryEditor(.focused(frame.route.field.moved(by: 1))))]
    }
    Binding(.backtab, .up, brief: "previous", help: "Go to the previous field.") { frame in
      [.screen(.entryEditor(.focused(frame.route.field.moved(by: -1))))]
    }
    Binding(
      .escape, hint: "back", help: "Leave without saving; what you typed is kept."
    ) { frame in
      frame.leaving
    }
    Binding(
      .ctrl("y"), brief: "bring back", help: "Bring back what you typed before and did not save."
    ) { frame in
      frame.draft.map { [.scene(.draftOpened($0.id))] }
    }
    Binding(
      .ctrl("g"), brief: "discard", help: "Leave, and throw away what you typed."
    ) { frame in
      [.scene(.popped(frame.id))]
    }
    Binding(
      .ctrl("r"), brief: "take over",
      help: "Take over what was changed elsewhere, except where you typed."
    ) { frame throws(KeyProblem) in
      guard let changed = frame.changed else { return try frame.telling(.unchangedElsewhere) }
      return [.screen(.entryEditor(.refreshed(changed)))]
    }
    Binding.editing({ $0.text }, passing: [.text("?")]) { frame, edit in
      [.screen(.entryEditor(.edited(frame.route.field, edit)))]
    }
  }
}
