import Retrace
import TimeTracking

/// The content of the form.
struct EntryEditorFrame: ScreenFrame {
  var edge: Edge?
  let route: EntryEditorRoute
  /// The id of the route.
  let id: RouteID
  /// The domain that the frame was painted from.
  let domain: DomainState
  /// The completion of the name before the cursor.
  let completion: NameCompletion?
  /// The present values of the entry, if they differ from the values that the form was made from.
  let changed: SeenEntry?
  /// The times at the beginning of the description of a new entry.
  private let leading: FormTimes.Span?
  /// The times that saving takes where they differ from texts that the user did not change.
  private let replaced: [EditorField: String]
  /// The remarks on the texts.
  private let notes: [String]
  private let rules: ZoneRules?
  private let size: Screen.Size

  init(_ route: EntryEditorRoute, in context: FrameContext) {
    self.route = route
    id = context.route
    domain = context.domain
    rules = context.rules
    size = context.size
    completion = NameCompletion(in: route, context.domain)
    // A log lacks the zone. Whether a description begins with times hardly depends on it.
    let zone = route.seen.map {
      ZoneRules(id: $0.zone.id, offsetSeconds: $0.zone.offsetSeconds)
    }
    let seen = Edge(rules: context.rules ?? zone ?? .utc, now: context.moment)
    let times = FormTimes(route, at: seen, in: context.domain)
    let beginning = try? times.leadingSpan()
    leading = beginning?.span
    replaced = route.seen.flatMap { try? times.replacedTexts(of: $0) } ?? [:]
    notes = FormNotes(route, afterTimes: beginning?.rest, in: context.domain).texts
    let now = route.entry.flatMap { context.domain.timeEntries[$0] }
      .map { SeenEntry($0, in: context.domain, by: context.rules) }
    changed = now == route.seen ? nil : now
  }

  var routes: [TrackerRoute]? {
    guard domain.users.live(route.user) != nil else { return nil }
    let timer = TrackerRoute.timer(TimerRoute(user: route.user))
    guard let id = route.entry else { return [timer, .entryEditor(route)] }
    guard let entry = domain.timeEntries[id], domain.isVisible(entry), entry.user == route.user
    else { return nil }
    return [timer, .entryEditor(EntryEditorRoute(id, entry, in: domain, by: rules))]
  }

  /// The text of the focused field.
  var text: TextDraft? { route[route.field] }

  /// Returns the steps that save the form and leave it, or that say why it cannot be saved.
  func saving() throws(KeyProblem) -> [KeyStep] {
    // While the frame is painted, the key is shown as available.
    guard let edge else { return [] }
    let leaving = KeyStep.scene(.popped(id))
    do throws(KeyObstacle) {
      let command = try FormCommand(route, in: domain, at: edge).command()
      return command.map { [.command(.entry($0)), leaving] } ?? [leaving]
    } catch {
      return try telling(error)
    }
  }

  private static var labelCells: Int { 14 }

  var screen: Screen {
    let title = route.entry.map { "Edit entry \($0.value)" } ?? "New entry"
    var lines = [Screen.Line(title, .title), Screen.Line("")]
    var cursor: Screen.Cursor?
    for field in EditorField.allCases {
      let isFocused = field == route.field
      let label = TextWidth.fitted((isFocused ? "> " : "  ") + field.label, to: Self.labelCells)
      var runs = [Screen.Run(label, isFocused ? .strong : .plain)]
      if let draft = route[field] {
        let window = TextWindow(
          draft, cells: size.columns - Self.labelCells, followsCursor: isFocused)
        runs.append(
          draft.text.isEmpty ? Screen.Run(emptyText(of: field), .faint) : Screen.Run(window.text))
        if let text = replaced[field] { runs.append(Screen.Run(" -> \(text)", .faint)) }
        if isFocused {
          cursor = Screen.Cursor(row: lines.count, column: Self.labelCells + window.cursor)
        }
      } else {
        runs.append(Screen.Run(route.isBillable.map { $0 ? "yes" : "no" } ?? "as the project is"))
      }
      lines.append(Screen.Line(runs))
    }
    lines.append(Screen.Line(""))
    if let completion { lines.append(Self.line(of: completion)) }
    lines += notes.flatMap { note in
      TextWidth.lines(of: "note: \(note)", cutTo: size.columns, indent: 2, linesMax: 2)
        .map { Screen.Line($0) }
    }
    if let changed, let fields = route.seen?.fields(differingFrom: changed), !fields.isEmpty {
      lines.append(
        Screen.Line(
          "Changed elsewhere: \(fields.joined(separator: ", ")). ctrl-r takes that over.",
          .warning))
    }
    return Screen(lines: lines, cursor: cursor)
  }

  private static func line(of completion: NameCompletion) -> Screen.Line {
    let kind = completion.kind == .project ? "project" : "tag"
    var runs = [Screen.Run("right: ", .faint)]
    for (number, suggestion) in completion.suggestions.enumerated() {
      if number > 0 { runs.append(Screen.Run(", ", .faint)) }
      let isChosen = number == completion.chosen
      let name = (suggestion.isNew ? "new \(kind) " : "\(kind) ") + suggestion.name
      runs.append(Screen.Run(name, isChosen ? .selected : .faint))
    }
    return Screen.Line(runs)
  }

  private func emptyText(of field: EditorField) -> String {
    switch field {
    case .description: "what is done; @project, #tag"
    case .project, .tags: "none"
    case .start where leading != nil, .end where leading?.end != nil: "in the description"
    case .start: route.duration.text.isEmpty ? "now" : "that long before the end"
    case .end: route.duration.text.isEmpty ? "running" : "start and duration"
    case .duration where leading?.end != nil: "start to end"
    case .duration: route.end.text.isEmpty ? "running" : "start to end"
    case .billable: ""
    }
  }
}

extension EditorField {
  /// The label.
  fileprivate var label: String {
    switch self {
    case .description: "Description"
    case .project: "Project"
    case .tags: "Tags"
    case .start: "Start"
    case .end: "End"
    case .duration: "Duration"
    case .billable: "Billable"
    }
  }

  /// Returns the field some fields further, wrapping around.
  func moved(by step: Int) -> EditorField {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + step + all.count) % all.count]
  }
}
