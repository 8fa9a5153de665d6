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
  /// Whether the edited entry was deleted since the form was made.
  private let isDeleted: Bool
  /// The times at the beginning of the description of a new entry.
  private let leading: FormTimes.Span?
  /// The times that saving takes where they differ from texts that the user did not change.
  private let replaced: [EditorField: String]
  /// The times that saving takes, by their fields, for texts that the user typed.
  private let readings: [EditorField: String]
  /// The time from the start to the end, if the form has both.
  private let length: String?
  /// The beginnings of readings that a narrow form leaves out: of today, and of this year.
  private let knownDays: [String]
  /// The remarks on the texts.
  private let notes: [String]
  private let rules: ZoneRules?
  let memo: FrameMemo
  /// The draft that the form offers.
  let draft: KeptDraft?
  /// The line of the draft.
  private let offer: Screen.Line?

  init(_ route: EntryEditorRoute, in context: FrameContext) {
    self.route = route
    id = context.route
    domain = context.domain
    rules = context.rules
    memo = context.memo
    draft = context.draft(for: .entryEditor(route))
    offer = draft?.line(at: context.moment)
    completion = NameCompletion(in: route, context.domain)
    // A log lacks the zone. Whether a description begins with times hardly depends on it.
    let zone = route.seen.map {
      ZoneRules(id: $0.zone.id, offsetSeconds: $0.zone.offsetSeconds)
    }
    let seen = Edge(rules: context.rules ?? zone ?? .utc, now: context.moment)
    let times = FormTimes(route, at: seen, in: context.domain)
    var beginning: (span: FormTimes.Span, rest: String)?
    var problem: KeyObstacle?
    do throws(KeyObstacle) {
      beginning = try times.leadingSpan()
    } catch {
      problem = error
    }
    leading = beginning?.span
    replaced = route.seen.flatMap { try? times.replacedTexts(of: $0) } ?? [:]
    let span: FormTimes.Span? =
      if let seen = route.seen {
        try? times.editedSpan(of: seen)
      } else if let beginning {
        beginning.span
      } else {
        try? times.newSpan()
      }
    if let start = span?.start, let end = span?.end, start <= end {
      length = end.elapsed(since: start).clock
    } else {
      length = nil
    }
    readings = span.map { times.readings(of: $0) } ?? [:]
    let today = "\(seen.rules.local(at: seen.now).date)"
    let isNarrow = context.size.columns < Self.columnsWithDays
    knownDays = isNarrow ? ["\(today) ", String(today.dropLast(5))] : []
    let said = problem.map { $0.text(in: context.domain, zone: context.rules) }
    notes = FormNotes(route, afterTimes: beginning?.rest, problem: said, in: context.domain).texts
    let entry = route.entry.flatMap { context.domain.timeEntries[$0] }
    let now = entry.map { SeenEntry($0, in: context.domain, by: context.rules) }
    changed = now == route.seen ? nil : now
    isDeleted = entry?.deleted != nil
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

  /// The steps that leave the form and keep what was typed.
  var leaving: [KeyStep] { [.scene(route.isTyped ? .draftKept(id) : .popped(id))] }

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

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = parts(in: rect)
    let title = route.entry.map { "Edit entry #\($0.value)" } ?? "New entry"
    canvas.drawLine(title, style: .title, in: parts.title)
    form.draw(in: parts.form, on: &canvas)
    remarks(fitting: rect.columns).draw(in: parts.remarks, on: &canvas)
  }

  func cursor(in rect: Rect) -> Screen.Cursor? { form.cursor(in: parts(in: rect).form) }

  var form: Form {
    let fields = EditorField.allCases.map { FormField($0.label, content(of: $0)) }
    return Form(fields, state: FormState(focus: Int64(route.field.index)))
  }

  private func content(of field: EditorField) -> FormField.Content {
    guard let draft = route[field] else {
      let off = route.isBillable == nil ? "as the project is" : "no"
      return .toggle(SwitchInput(isOn: route.isBillable == true, on: "yes", off: off))
    }
    let reading = draft.text.isEmpty ? "" : readings[field] ?? ""
    return .text(
      TextInput(
        draft, placeholder: emptyText(of: field), reading: short(replaced[field] ?? reading),
        readingSign: replaced[field] == nil ? "=" : "→"))
  }

  /// The fewest columns of a form that shows the days of all times.
  private static var columnsWithDays: Int { 50 }

  /// Returns a time without today's day or without this year, if the form is narrow.
  private func short(_ time: String) -> String {
    guard let known = knownDays.first(where: { time.hasPrefix($0) }) else { return time }
    return String(time.dropFirst(known.utf8.count))
  }

  /// Divides a rectangle; of a low one, the form gets nearly all rows.
  func parts(in rect: Rect) -> (title: Rect, form: Rect, remarks: Rect) {
    var rest = rect
    let title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    let wanted = form.rowCount(columns: rect.columns)
    let count = remarks(fitting: rect.columns).count
    _ = rest.removeTop(rect.rows > 8 && rest.rows > wanted + count ? 1 : 0)
    let left = max(rest.rows - wanted, rest.rows > 2 ? 1 : 0)
    let form = rest.removeTop(min(wanted, rest.rows - min(count, left)))
    if rest.rows > count { _ = rest.removeTop(1) }
    return (title, form, rest)
  }

  /// What is to be known about the texts: first, what another process changed.
  private func remarks(fitting columns: Int) -> [Screen.Line] {
    var lines: [Screen.Line] = []
    func add(_ text: String, _ style: Style, linesMax: Int = 2) {
      lines += TextWidth.lines(of: text, cutTo: columns, indent: 2, linesMax: linesMax)
        .map { Screen.Line($0, style) }
    }
    if isDeleted {
      add("Deleted elsewhere. After escape, z undoes the newest change.", .warning)
    } else if let changed, let changes = route.seen?.changes(to: changed), !changes.isEmpty {
      add(
        "Changed elsewhere: \(changes.joined(separator: "; ")). "
          + "ctrl-r takes it over, except where you typed.", .warning, linesMax: 3)
    }
    if let completion { lines.append(completion.line(fitting: columns)) }
    for note in notes { add("note: \(note)", .plain) }
    if let offer { add(offer.text, .faint, linesMax: 1) }
    return lines
  }

  private func emptyText(of field: EditorField) -> String {
    switch field {
    case .description: "what is done; @project, #tag"
    case .project, .tags: "none"
    case .start where leading != nil, .end where leading?.end != nil:
      "\(readings[field].map { "\($0) " } ?? "")in the description"
    case .start where route.entry != nil: "a start, such as 9:00"
    case .start where !route.duration.text.isEmpty:
      readings[field] ?? "that long before the end"
    case .start: route.end.text.isEmpty ? "now" : "type a start or a duration"
    case .end where route.duration.text.isEmpty: "running"
    case .end: readings[field] ?? "start and duration"
    case .duration: length ?? (route.end.text.isEmpty ? "running" : "start to end")
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

  /// The place of the field among all.
  var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Returns the field some fields further, wrapping around.
  func moved(by step: Int) -> EditorField {
    let all = Self.allCases
    return all[(index + step + all.count) % all.count]
  }
}
