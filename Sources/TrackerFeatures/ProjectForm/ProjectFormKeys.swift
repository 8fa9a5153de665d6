import Retrace
import TimeTracking

extension ProjectFormFrame {
  /// The keys of the form: first of a suggestion, then of the fields.
  static let keys = suggestionKeys.within(fieldKeys)

  private static let suggestionKeys = KeyTable<ProjectFormFrame>("Suggestion") {
    Binding(.right, hint: "accept", help: "Accept the suggested client; a new one is made.") {
      frame in
      guard let completion = frame.completion,
        frame.route.client.cursor == Int64(frame.route.client.text.utf8.count)
      else { return nil }
      return completion.steps(in: frame.route, frame.domain)
    }
    Binding(.ctrl("n"), hint: "next", help: "Choose the next suggested client, or the next color.")
    {
      frame in
      if frame.route.field == .color { return [frame.choosingNextColor] }
      guard let completion = frame.completion, completion.names.count > 1 else { return nil }
      return [.screen(.projectForm(.suggestionSkipped))]
    }
  }

  private static let fieldKeys = KeyTable<ProjectFormFrame>("Project") {
    Binding(.enter, hint: "save", help: "Save what you changed.") { frame throws(KeyProblem) in
      try frame.saving()
    }
    Binding(
      .text(" "), hint: "billable", help: "Say whether new entries are billable, in that field."
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
      return [.screen(.projectForm(.refreshed(changed)))]
    }
    Binding.editing({ $0.text }, passing: [.text("?")]) { frame, edit in
      [.screen(.projectForm(.edited(frame.route.field, frame.typing(edit))))]
    }
  }

  /// Returns an edit; a text that is typed at the end of a whole color replaces the color.
  private func typing(_ edit: TextReplacement) -> TextReplacement {
    let color = route.color
    guard route.field == .color, Int(edit.start) == color.text.utf8.count,
      Project.color(color.text) != nil
    else { return edit }
    return edit.replacing(proposed: color)
  }

  private var choosingNextColor: KeyStep {
    let color = Project.color(route.color.text)
    let index = color.flatMap { Project.colors.firstIndex(of: $0) } ?? -1
    let next = Project.colorNames[(index + 1) % Project.colorNames.count]
    return .screen(.projectForm(.edited(.color, route.color.replacing(with: next))))
  }

  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] { stepsOfForm(for: mouse, in: rect) }

  var field: ProjectField { route.field }
  var isTyped: Bool { route.isTyped }
  func draft(of field: ProjectField) -> TextDraft? { route[field] }
  func focusing(_ field: ProjectField) -> KeyStep { .screen(.projectForm(.focused(field))) }
  func editing(_ field: ProjectField, _ edit: TextReplacement) -> KeyStep {
    .screen(.projectForm(.edited(field, edit)))
  }
  var switching: KeyStep { .screen(.projectForm(.billable(!isBillable))) }
}

extension ProjectField: FieldOfForm {}
