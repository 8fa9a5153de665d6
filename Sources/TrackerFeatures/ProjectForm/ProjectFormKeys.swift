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
      return [.screen(.projectForm(.billable(!frame.isBillable)))]
    }
    Binding(.tab, .down, hint: "next field", brief: "next", help: "Go to the next field.") {
      frame in
      [.screen(.projectForm(.focused(frame.route.field.moved(by: 1))))]
    }
    Binding(.backtab, .up, brief: "previous", help: "Go to the previous field.") { frame in
      [.screen(.projectForm(.focused(frame.route.field.moved(by: -1))))]
    }
    Binding(
      .escape, hint: "back", help: "Leave without saving; what you typed is kept."
    ) { frame in
      [.scene(frame.route.isTyped ? .draftKept(frame.id) : .popped(frame.id))]
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
      return [.screen(.projectForm(.refreshed(changed)))]
    }
    Binding.editing({ $0.text }, passing: [.text("?")]) { frame, edit in
      [.screen(.projectForm(.edited(frame.route.field, edit)))]
    }
  }

  private var choosingNextColor: KeyStep {
    let color = Project.color(route.color.text)
    let index = color.flatMap { Project.colors.firstIndex(of: $0) } ?? -1
    let next = Project.colorNames[(index + 1) % Project.colorNames.count]
    return .screen(.projectForm(.edited(.color, route.color.replacing(with: next))))
  }

  /// A click gives a field the focus; one into a text sets the cursor, and one on the switch turns
  /// it.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let (form, place) = (form, Screen.Cursor(row: mouse.row, column: mouse.column))
    let rect = parts(in: rect).form
    guard mouse.action == .pressed(.left), let index = form.index(at: place, in: rect) else {
      return []
    }
    let field = ProjectField.allCases[index]
    var steps: [KeyStep] = field == route.field ? [] : [.screen(.projectForm(.focused(field)))]
    if let draft = route[field], let offset = form.offset(at: place, in: rect),
      offset != draft.cursor
    {
      steps.append(.screen(.projectForm(.edited(field, draft.moving(to: offset)))))
    }
    if field == .billable, form.inputRect(of: index, in: rect)?.contains(place) == true {
      steps.append(.screen(.projectForm(.billable(!isBillable))))
    }
    return steps
  }
}
