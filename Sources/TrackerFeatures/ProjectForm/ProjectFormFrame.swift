import Retrace
import TimeTracking

/// The content of the form of a project.
struct ProjectFormFrame: FormFrame {
  var edge: Edge?
  let route: ProjectFormRoute
  /// The id of the route.
  let id: RouteID
  /// The domain that the frame was painted from.
  let domain: DomainState
  /// The suggested clients.
  let completion: ClientCompletion?
  /// The present values of the project, if they differ from the values that the form was made from.
  let changed: SeenProject?
  let memo: FrameMemo
  /// The draft that the form offers.
  let draft: KeptDraft?
  private let offer: Screen.Line?
  /// The notice of the scene about the last input.
  private let notice: Notice?
  /// Whether the edited project was deleted since the form was made.
  private let isDeleted: Bool
  /// What is wrong with the texts.
  private let problems: [ProjectField: String]

  init(_ route: ProjectFormRoute, in context: ScreenContext) {
    self.route = route
    id = context.route
    domain = context.domain
    draft = context.draft(for: .projectForm(route))
    offer = draft?.line(at: context.moment)
    notice = context.notice
    completion = ClientCompletion(route, in: context.domain)
    let project = route.project.flatMap { context.domain.projects[$0] }
    let now = project.map { SeenProject($0, in: context.domain) }
    changed = now == route.seen ? nil : now
    isDeleted = project?.deleted != nil
    var memo = context.memo
    problems = Self.problems(of: route, in: context.domain, &memo)
    self.memo = memo
  }

  /// Returns what is wrong with the texts, except with the client, which may be half typed.
  private static func problems(
    of route: ProjectFormRoute, in domain: DomainState, _ memo: inout FrameMemo
  ) -> [ProjectField: String] {
    let values = ProjectFormValues(route, in: domain)
    var problems: [ProjectField: String] = [:]
    func check(_ field: ProjectField, _ read: () throws(KeyObstacle) -> Void) {
      do throws(KeyObstacle) { try read() } catch { problems[field] = error.text(in: domain) }
    }
    check(.rate) { () throws(KeyObstacle) in _ = try values.rate() }
    check(.estimate) { () throws(KeyObstacle) in _ = try values.estimate() }
    check(.color) { () throws(KeyObstacle) in _ = try values.color() }
    let name = Name(route.name.text)
    if name.text.utf8.count > Name.bytesMax {
      let refusal = EntityRefusal.nameTooLong(bytes: Int64(name.text.utf8.count))
      problems[.name] = refusal.text(in: domain).reason
      return problems
    }
    guard !name.isEmpty else { return problems }
    do throws(KeyObstacle) {
      let wanted = Project(
        name: name, workspace: route.workspace(in: domain), client: try values.client())
      let isTaken = memo.projects(named: name, of: route.user, in: domain).contains { id in
        id != route.project && domain.projects[id]?.isRival(of: wanted) == true
      }
      if isTaken { problems[.name] = EntityRefusal.nameTaken(name).text(in: domain).reason }
    } catch {
      // The client is half typed.
    }
    return problems
  }

  var routes: [TrackerRoute]? {
    guard domain.users.live(route.user) != nil else { return nil }
    let below: [TrackerRoute] = [
      .timer(TimerRoute(user: route.user)), .lists(ListsRoute(user: route.user, kind: .projects)),
    ]
    guard let id = route.project else {
      return below + [.projectForm(ProjectFormRoute(newFor: route.user, in: domain))]
    }
    guard let project = domain.projects.live(id), project.mergedInto == nil else { return nil }
    return below + [.projectForm(ProjectFormRoute(route.user, id, project, in: domain))]
  }

  /// Whether new entries will be billable.
  var isBillable: Bool { ProjectFormValues(route, in: domain).isBillable }

  /// The text of the focused field.
  var text: TextDraft? { route[route.field] }

  /// Returns the steps that save the form and leave it, or that say why it cannot be saved.
  func saving() throws(KeyProblem) -> [KeyStep] {
    // While the frame is painted, the key is shown as available.
    if edge == nil { return [] }
    let leaving = KeyStep.scene(.popped(id))
    do throws(KeyObstacle) {
      let command = try ProjectFormValues(route, in: domain).command()
      return command.map { [.command($0), leaving] } ?? [leaving]
    } catch {
      if case .clientIsUnknown = error, notice == .obstacle(error) { return makingClient }
      return try telling(error)
    }
  }

  /// The steps that make the client whose name is typed.
  ///
  /// The id of the client is known once the command is decided, so saving is another key.
  private var makingClient: [KeyStep] {
    let name = Name(route.client.text, in: domain.clients)
    let client = Client(name: name, workspace: route.workspace(in: domain))
    return [.command(.client(.create(client))), .scene(.told(.clientMade(name)))]
  }

  // MARK: Drawing

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = parts(in: rect)
    let name = route.seen.map { SafeText.line($0.name.text, bytesMax: 200) }
    canvas.drawLine(name.map { "Project \($0)" } ?? "New project", style: .title, in: parts.title)
    form.draw(in: parts.form, on: &canvas)
    remarks(fitting: rect.columns).draw(in: parts.remarks, on: &canvas)
  }

  var form: Form {
    let fields = ProjectField.allCases.map { field in
      FormField(field.label, content(of: field), problem: problems[field] ?? "")
    }
    return Form(fields, state: FormState(focus: Int64(route.field.index)))
  }

  private func content(of field: ProjectField) -> FormField.Content {
    guard let draft = route[field] else {
      return .toggle(SwitchInput(isOn: isBillable, on: "yes", off: "no"))
    }
    return .text(TextInput(draft, placeholder: emptyText(of: field)))
  }

  private func emptyText(of field: ProjectField) -> String {
    switch field {
    case .name: "the name of the project"
    case .client: "none"
    case .rate: "none, or an hour's price such as 85"
    case .estimate: "none, or a time such as 40h"
    case .color: "a color that few projects have"
    case .billable: ""
    }
  }

  /// What is to be known about the texts: first, what another process changed.
  func remarks(fitting columns: Int) -> [Screen.Line] {
    let changes = changed.flatMap { route.seen?.changes(to: $0) } ?? []
    var remarks = FormRemarks(isDeleted: isDeleted, changes: changes, fitting: columns)
    if let completion { remarks.add(completion.line(fitting: columns)) }
    if route.field == .color { remarks.add(palette) }
    if hasOtherRate { remarks.add("note: recorded entries keep their rate.", .plain) }
    if let offer { remarks.add(offer.text, .faint, linesMax: 1) }
    return remarks.lines
  }

  /// Whether saving gives a recorded project another rate.
  private var hasOtherRate: Bool {
    guard let seen = route.seen, problems[.rate] == nil else { return false }
    return (try? ProjectFormValues(route, in: domain).rate()) != seen.rate
  }

  /// The offered colors, of which the chosen one is marked.
  private var palette: Screen.Line {
    let chosen = Project.color(route.color.text)
    let runs = Project.colors.map { color in
      Screen.Run(
        color == chosen ? "[●]" : " ● ", Style(foreground: Color(rgb: color)))
    }
    return Screen.Line(runs + [Screen.Run("  ctrl-n: next", .faint)])
  }
}

extension ProjectField {
  /// The label.
  fileprivate var label: String {
    switch self {
    case .name: "Name"
    case .client: "Client"
    case .rate: "Rate"
    case .estimate: "Estimate"
    case .color: "Color"
    case .billable: "Billable"
    }
  }
}
