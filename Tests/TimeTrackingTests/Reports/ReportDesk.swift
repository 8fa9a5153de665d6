import CivilTime
import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// A state of the domain that commands have made, for tests of queries.
struct ReportDesk {
  var state = DomainState()
  /// When commands are decided.
  var now = time(0)
  var ann: UserID
  var bob: UserID

  /// Makes a state with two users.
  init() throws {
    (ann, bob) = (UserID(value: 0), UserID(value: 1))
    try perform(.user(.create(User(name: Name("Ann")))))
    try perform(.user(.create(User(name: Name("Bob")))))
  }

  /// Decides a command and carries its facts out.
  mutating func perform(_ command: DomainCommand) throws {
    for fact in try DomainDecider().decide(command, on: state, at: now) {
      _ = DomainReducer().reduce(&state, fact, at: now)
    }
  }

  @discardableResult
  mutating func workspace(_ name: String, currency: String = "EUR") throws -> WorkspaceID {
    let id = state.workspaces.nextID
    var workspace = Workspace(name: Name(name))
    workspace.currency = currency
    try perform(.workspace(.create(workspace)))
    return id
  }

  @discardableResult
  mutating func client(_ name: String, in workspace: WorkspaceID? = nil) throws -> ClientID {
    let id = state.clients.nextID
    try perform(.client(.create(Client(name: Name(name), workspace: workspace))))
    return id
  }

  @discardableResult
  mutating func project(
    _ name: String, in workspace: WorkspaceID? = nil, of client: ClientID? = nil,
    rate: Int64? = nil
  ) throws -> ProjectID {
    let id = state.projects.nextID
    var project = Project(name: Name(name), workspace: workspace, client: client)
    project.rate = rate
    project.isBillable = rate != nil
    try perform(.project(.create(project)))
    return id
  }

  @discardableResult
  mutating func task(_ name: String, of project: ProjectID) throws -> TaskID {
    let id = state.tasks.nextID
    try perform(.task(.create(ProjectTask(name: Name(name), project: project))))
    return id
  }

  @discardableResult
  mutating func tag(_ name: String, in workspace: WorkspaceID? = nil) throws -> TagID {
    let id = state.tags.nextID
    try perform(.tag(.create(Tag(name: Name(name), workspace: workspace))))
    return id
  }

  /// Records an entry; starts it if there is no end.
  @discardableResult
  mutating func entry(
    _ description: String = "", from start: Moment, to end: Moment?, of user: UserID? = nil,
    project: ProjectID? = nil, task: TaskID? = nil, tags: [TagID] = [], isBillable: Bool? = nil
  ) throws -> TimeEntryID {
    var draft = TimeEntryDraft(user: .id(user ?? ann), description: description, zone: .utc)
    draft.project = project.map { .id($0) }
    draft.task = task.map { .id($0) }
    draft.tags = tags.map { .id($0) }
    draft.isBillable = isBillable
    let id = state.timeEntries.nextID
    let command: TimeEntryCommand =
      end.map { .add(draft, start: start, end: $0, policy: .allow) }
      ?? .start(draft, at: start, policy: .allow)
    try perform(.entry(command))
    return id
  }

  /// Returns an entry of the first user, of the first nine minutes, without anything else.
  static func sampleEntry() throws -> TimeEntry {
    var desk = try ReportDesk()
    desk.now = time(9)
    let id = try desk.entry(from: time(0), to: time(9))
    return try #require(desk.state.timeEntries[id])
  }

  /// Returns a report without groups in UTC, unless something else is set.
  func report(
    _ range: Range<Moment>, _ set: (inout ReportQuery) -> Void = { _ in }
  ) -> Report {
    var query = ReportQuery(range, in: ReportCalendar(.utc))
    set(&query)
    return state.report(query, at: now)
  }
}

/// The instant of 2026-03-02, a Monday, in UTC, and minutes after that.
func time(_ minutes: Int64) -> Moment {
  Moment(microseconds: (20_514 * 86_400 + minutes * 60) * 1_000_000)
}

func minutes(_ minutes: Int64) -> ElapsedTime { .seconds(minutes * 60) }

let minutesOfDay: Int64 = 24 * 60

extension Report {
  /// The keys of the outermost groups.
  var keys: [ReportKey] { groups.map(\.key) }
  /// The exact times of the outermost groups.
  var times: [ElapsedTime] { groups.map(\.figures.exact.time) }
}

/// Random entries, inserted as they are, because there are many.
struct RandomEntries {
  var users: [UserID]
  var projects: [ProjectID?]
  var tags: [TagID]
  var tasks: [TaskID?] = [nil]
  var workspaces: [WorkspaceID?] = [nil]

  func insert(
    _ count: Int, between range: Range<Moment>, longest: ElapsedTime = .seconds(40 * 3_600),
    into state: inout DomainState, _ random: inout SeededGenerator
  ) throws {
    let template = try ReportDesk.sampleEntry()
    for _ in 0..<count {
      let start = Moment(
        microseconds: Int64.random(
          in: range.lowerBound.microseconds..<range.upperBound.microseconds, using: &random))
      let length = Int64.random(in: 0...longest.microseconds, using: &random)
      var entry = template
      entry.user = users.randomElement(using: &random) ?? users[0]
      entry.workspace = workspaces.randomElement(using: &random) ?? nil
      entry.description = ["write", "read", ""].randomElement(using: &random) ?? ""
      entry.project = projects.randomElement(using: &random) ?? nil
      entry.task = tasks.randomElement(using: &random) ?? nil
      entry.tags = tags.filter { _ in Bool.random(using: &random) }
      entry.start = start
      let runs = Int.random(in: 0..<50, using: &random) == 0
      entry.end = runs ? nil : start.adding(ElapsedTime(microseconds: length))
      entry.isBillable = Bool.random(using: &random)
      entry.rate = Bool.random(using: &random) ? Int64.random(in: 0...20_000, using: &random) : nil
      entry.deleted = Int.random(in: 0..<20, using: &random) == 0 ? start : nil
      state.timeEntries.insert(entry)
    }
  }
}
