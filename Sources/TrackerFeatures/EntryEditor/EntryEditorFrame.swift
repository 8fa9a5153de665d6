import Retrace
import TimeTracking

/// The content of the form.
struct EntryEditorFrame: FormFrame {
  var edge: Edge?
  let route: EntryEditorRoute
  /// The id of the route.
  let id: RouteID
  /// The domain that the frame was painted from.
  let domain: DomainState
  /// The suggestions for the text before the cursor.
  let list: SuggestionList?
  /// The bytes of the times at the beginning of the description of a new entry.
  let timesBytes: Int
  /// The present values of the entry, if they differ from the values that the form was made from.
  let changed: SeenEntry?
  /// Whether an edited entry was deleted since the form was made.
  private let isDeleted: Bool
  /// The sum of the durations of a group.
  private let groupTime: ElapsedTime?
  /// The name of the task; empty without one.
  private let taskName: String
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
  /// The names that saving creates, or keeps as text.
  let newNames: NewNames
  /// Whether the entries will be billable; `nil` where they differ.
  let isBillable: Bool?
  /// The question about the names, once it was asked.
  private let question: String?
  /// What is wrong with the times, and the field that shows it.
  let problem: (field: EditorField, problem: TimeProblem)?
  /// The style in which the user reads times.
  private let style: TimeStyle
  /// Whether saving adds an entry with a start and an end, and starts none.
  private let isManual: Bool
  private let rules: ZoneRules?
  let moment: Moment
  let memo: FrameMemo
  /// The draft that the form offers.
  let draft: KeptDraft?
  /// The line of the draft.
  private let offer: Screen.Line?

  init(_ route: EntryEditorRoute, in context: ScreenContext) {
    self.route = route
    id = context.route
    domain = context.domain
    rules = context.rules
    moment = context.moment
    draft = context.draft(for: .entryEditor(route))
    offer = draft?.line(at: context.moment)
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
    timesBytes = beginning.map { route.description.text.utf8.count - $0.rest.utf8.count } ?? 0
    var contents = context.memo.contents(of: route.user, context.domain)
    list = SuggestionList(in: route, afterTimes: timesBytes, among: &contents, context.domain)
    memo = context.memo.keeping(contents)
    replaced = route.seen.flatMap { try? times.replacedTexts(of: $0) } ?? [:]
    let span = beginning?.span ?? (try? times.span())
    if let start = span?.start, let end = span?.end, start <= end {
      length = times.style.text(end.elapsed(since: start))
    } else {
      length = nil
    }
    style = times.style
    isManual = times.isManual
    var readings = times.readings(of: span ?? times.startAlone)
    readings[.duration] = times.durationReading
    self.readings = readings
    let isNarrow = context.size.columns < Self.columnsWithDays
    knownDays = isNarrow ? Self.beginnings(of: seen, style) : []
    let said = problem.map { $0.text(in: context.domain, zone: context.rules) }
    let remarks = FormNotes(
      route, afterTimes: beginning?.rest, problem: said, in: context.domain)
    newNames = remarks.names
    let isAsked = !remarks.names.isEmpty && route.asked == remarks.names
    question = isAsked ? remarks.names.question(in: context.domain) : nil
    notes = remarks.texts + (isAsked ? [] : remarks.names.notes(in: context.domain))
    isBillable =
      if let seen = route.seen {
        FormNames(route, in: context.domain).isBillable(changingAllOf: seen)
      } else {
        route.isBillable ?? context.domain.isBillable(false, from: nil, to: remarks.project)
      }
    let field = route.field
    self.problem =
      times.unreadable { $0 != field }.map { ($0, .unreadable($1)) }
      ?? span.flatMap { times.inconsistency(of: $0, inDescription: beginning != nil) }
    let entries = route.entries(in: context.domain)?.map { $0.entry } ?? []
    let now = SeenEntry(entries, in: context.domain, by: context.rules)
    changed = now == route.seen ? nil : now
    isDeleted = entries.contains { $0.deleted != nil }
    groupTime =
      entries.count > 1
      ? entries.reduce(ElapsedTime.zero) { $0.adding($1.elapsed(at: context.moment)) } : nil
    let task = route.task ?? (Self.hasSeenProject(route) ? route.seen?.task : nil)
    taskName = task.flatMap { id in context.domain.tasks.read(id) { $0.name.text } } ?? ""
  }

  /// Returns the beginnings of times of today and of this year.
  private static func beginnings(of edge: Edge, _ style: TimeStyle) -> [String] {
    let today = style.text(edge.rules.local(at: edge.now).date)
    // Only a date that begins with its year is shortened by it.
    let year = style.dates == .yearMonthDay ? [String(today.dropLast(5))] : []
    return ["\(today) "] + year
  }

  /// Returns whether the text of the project is the one that the form was made with.
  private static func hasSeenProject(_ route: EntryEditorRoute) -> Bool {
    route.seen.map { route.project.text.hasBytes(of: $0.projectText) } ?? false
  }

  /// Whether several entries are edited as a group, whose times stay as they are.
  var isGroup: Bool { !route.others.isEmpty }

  var routes: [TrackerRoute]? {
    guard domain.users.live(route.user) != nil else { return nil }
    let timer = TrackerRoute.timer(TimerRoute(user: route.user))
    guard let entries = route.entries(in: domain) else { return [timer, .entryEditor(route)] }
    let areShown = entries.allSatisfy { domain.isVisible($0.entry) && $0.entry.user == route.user }
    guard areShown, entries.count == 1 + route.others.count,
      let form = EntryEditorRoute(entries, in: domain, by: rules)
    else { return nil }
    return [timer, .entryEditor(form)]
  }

  /// The text of the focused field.
  var text: TextDraft? { route[route.field] }

  /// Returns the steps that save the form and leave it, or that say why it cannot be saved.
  func saving() throws(KeyProblem) -> [KeyStep] {
    // While the frame is painted, the key is shown as available.
    guard let edge else { return [] }
    let command: TimeEntryCommand?
    do throws(KeyObstacle) {
      command = try FormCommand(route, in: domain, at: edge).command()
    } catch {
      return focusing(field(of: error, at: edge)) + (try telling(error))
    }
    if command != nil, !newNames.isEmpty, route.asked != newNames {
      return [.screen(.entryEditor(.asked(newNames)))] + placingCursor
    }
    guard let command else { return [.scene(.popped(id))] }
    let notice =
      command.noticeOfSaving(at: edge)
      ?? (newNames.areMade ? Notice.namesMade(newNames) : nil)
    // A time in the future is refused by the policy, and shown in its field.
    return focusing(problem?.field) + [.command(.entry(command)), .scene(.popped(id))]
      + (notice.map { [.scene(.told($0))] } ?? [])
  }

  /// The steps that set the cursor at the end of the name that the question is about, because
  /// `right` takes over the name before the cursor; none if the name is not a whole word.
  private var placingCursor: [KeyStep] {
    guard let name = newNames.text?.text.utf8 else { return [] }
    let isProject = name.first == UInt8(ascii: "@")
    var end = 0
    for word in route.description.text.utf8.split(
      separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    {
      end += word.count
      if (word.first == UInt8(ascii: "@")) == isProject,
        word.dropFirst().elementsEqual(name.dropFirst())
      {
        let move = route.description.moving(to: Int64(end))
        return focusing(.description) + [.screen(.entryEditor(.edited(.description, move)))]
      }
      end += 1
    }
    return []
  }

  /// Returns the step that gives a field the focus, unless it has it.
  private func focusing(_ field: EditorField?) -> [KeyStep] {
    guard let field, field != route.field else { return [] }
    return [.screen(.entryEditor(.focused(field)))]
  }

  /// Returns the field with the text that an obstacle is about.
  private func field(of obstacle: KeyObstacle, at edge: Edge) -> EditorField? {
    let times = FormTimes(route, at: edge, in: domain)
    switch obstacle {
    case .unreadableField, .durationInTime: return times.unreadable { _ in true }?.0
    case .startMissing, .startAndDurationMissing: return .start
    case .timesDisagree: return .duration
    case .startAfterEnd, .endBeforeStart, .entryTooLong: return problem?.field
    case .project where Name(route.project.text).isEmpty: return .description
    case .project, .projectInField: return .project
    case .twoProjects, .unreadableBeginning, .rangeEndsFirst, .beginningMisread:
      return .description
    default: return nil
    }
  }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = parts(in: rect)
    let count = route.others.count + 1
    let title =
      isGroup
      ? "Edit \(count) entries" : route.entry.map { "Edit entry #\($0.value)" } ?? "New entry"
    canvas.drawLine(title, style: .title, in: parts.title)
    form.draw(in: parts.form, on: &canvas)
    remarks(fitting: rect.columns).draw(in: parts.remarks, on: &canvas)
    if let place = listRect(in: rect) { suggestionRows()?.draw(in: place, on: &canvas) }
  }

  var form: Form {
    let fields = EditorField.allCases.map { field in
      let text = problem.map { $0.field == field ? $0.problem.text(in: domain) : "" }
      return FormField(field.label, content(of: field), problem: text ?? "")
    }
    return Form(fields, state: FormState(focus: Int64(route.field.index)))
  }

  private func content(of field: EditorField) -> FormField.Content {
    guard let draft = route[field] else {
      let origin = billableOrigin
      return .toggle(
        SwitchInput(isOn: isBillable == true, on: origin ?? "yes", off: origin ?? "no"))
    }
    if field == .project, !taskName.isEmpty, !draft.text.isEmpty {
      return .text(TextInput(draft, reading: taskName, readingSign: "/", isReadingJoined: true))
    }
    let reading = draft.text.isEmpty ? "" : readings[field] ?? ""
    return .text(
      TextInput(
        draft, placeholder: emptyText(of: field), reading: short(replaced[field] ?? reading),
        readingSign: replaced[field] == nil ? "=" : "→"))
  }

  /// What decides whether the entry will be billable, or that entries differ; `nil` for the user or
  /// the recorded entry.
  private var billableOrigin: String? {
    if route.isBillable != nil { return nil }
    guard let isBillable else { return "several" }
    return route.seen?.shownBillable == isBillable ? nil : "as the project is"
  }

  /// The fewest columns of a form that shows the days of all times.
  private static var columnsWithDays: Int { 50 }

  /// Returns a time without today's day or without this year, if the form is narrow.
  private func short(_ time: String) -> String {
    guard let known = knownDays.first(where: { time.hasPrefix($0) }) else { return time }
    return String(time.dropFirst(known.utf8.count))
  }

  /// What is to be known about the texts: first, what another process changed.
  func remarks(fitting columns: Int) -> [Screen.Line] {
    let changes = changed.flatMap { route.seen?.changes(to: $0) } ?? []
    var remarks = FormRemarks(isDeleted: isDeleted, changes: changes, fitting: columns)
    if let question { remarks.add("? \(question)", .warning, linesMax: 3) }
    for note in notes { remarks.add("note: \(note)", .plain) }
    if let offer { remarks.add(offer.text, .faint, linesMax: 1) }
    return remarks.lines
  }

  /// Whether the entries of a group differ in a field.
  private func isMixed(_ field: EditorField) -> Bool { route.seen?.mixed.contains(field) == true }

  private func emptyText(of field: EditorField) -> String {
    switch field {
    case .duration where groupTime != nil:
      "several, \(style.text(groupTime ?? .zero)) in all"
    case .description where isMixed(field), .project where isMixed(field),
      .tags where isMixed(field), .start where isMixed(field), .end where isMixed(field):
      "several"
    case .description: "what is done; @project, #tag or +tag"
    case .project, .tags: "none"
    case .start where leading != nil, .end where leading?.end != nil:
      "\(readings[field].map { "\($0) " } ?? "")in the description"
    case .start where route.entry != nil || isManual && route.end.text.isEmpty:
      "a start, such as 9:00"
    case .start where !route.duration.text.isEmpty:
      readings[field] ?? "that long before the end"
    case .start: route.end.text.isEmpty ? "now" : "type a start or a duration"
    case .end where route.duration.text.isEmpty: isManual ? "now" : "running"
    case .end: readings[field] ?? "start and duration"
    case .duration:
      length ?? (route.end.text.isEmpty && !isManual ? "running" : "start to end")
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
}
