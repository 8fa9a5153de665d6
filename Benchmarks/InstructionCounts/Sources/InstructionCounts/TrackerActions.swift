import RetraceArchitecture
import RetraceState
import TimeTracking
import TrackerFeatures

/// Actions of the time tracker as users cause them: the facts that its decider makes of commands
/// that start and stop entries, correct, add, continue and delete them; about one action in ten is
/// one of a screen.
struct TrackerActions {
  /// The microseconds between two actions.
  static let spacing: Int64 = 37_000_000
  private static let zone = RecordedZone(id: "Europe/Berlin", offsetSeconds: 3600)
  private static let users: Int64 = 3
  private static let projects: Int64 = 5
  private static let tags: Int64 = 8
  private static let scene = SceneID(value: 0)

  private var random: Generator
  private var actions: [TrackerAction] = []
  private var state = TrackerState()
  private var hashed = 0
  private var live: [TimeEntryID] = []

  private init(seed: UInt64) { random = Generator(state: seed) }

  /// Makes a number of actions; the same for the same seed.
  static func make(_ count: Int, seed: UInt64) -> [TrackerAction] {
    var maker = TrackerActions(seed: seed)
    maker.actions.reserveCapacity(count)
    maker.begin()
    while maker.actions.count < count { maker.act() }
    return Array(maker.actions.prefix(count))
  }

  private mutating func begin() {
    for index in 0..<Self.users {
      perform(.user(.create(User(name: Name("user \(index)")))))
    }
    perform(.workspace(.create(Workspace(name: Name("a workspace")))))
    for index in 0..<Self.projects {
      perform(.project(.create(Project(name: Name("project number \(index)")))))
    }
    for index in 0..<Self.tags { perform(.tag(.create(Tag(name: Name("tag \(index)"))))) }
    append(.scenes(.opened(Self.scene)))
    append(.scenes(.scene(Self.scene, .wentTo([.timer(TimerRoute(user: UserID(value: 0)))]))))
  }

  /// The moment of the next action.
  private var moment: Moment { Moment(microseconds: Int64(actions.count) * Self.spacing) }

  private mutating func append(_ action: TrackerAction) {
    _ = TrackerReducer().reduce(&state, action, at: moment)
    actions.append(action)
    // Without hashes, each decision would look at all entries.
    if actions.count - hashed >= 64 {
      _ = StateHasher.hash(&state, with: UncheckedHasher.self)
      hashed = actions.count
    }
  }

  /// Appends the facts of a command; nothing if it is refused.
  private mutating func perform(_ command: DomainCommand) {
    guard let facts = try? TrackerDecider().decide(command, on: state, at: moment) else { return }
    for fact in facts {
      append(fact)
      for edit in TimeTracker.edits(of: fact) {
        if case .entry(.inserted(let id, _)) = edit { live.append(id) }
      }
    }
  }

  private mutating func act() {
    switch random.below(100) {
    case 0..<30: perform(.entry(.start(draft(), at: nil, policy: .allow)))
    case 30..<50: perform(.entry(.stop(user(), at: nil, policy: .allow)))
    case 50..<60:
      // An entry of the last hours, as users add those that they forgot.
      let start = earlier(by: 14_400)
      let end = Moment(microseconds: start.microseconds + random.below(3_600) * 1_000_000)
      perform(.entry(.add(draft(), start: start, end: end, policy: .allow)))
    case 60..<80: correct()
    case 80..<85:
      guard let entry else { return }
      perform(.entry(.resume(entry, at: nil, zone: Self.zone, policy: .allow)))
    case 85..<90:
      guard !live.isEmpty else { return }
      let index = Int(random.below(Int64(live.count)))
      let entry = live[index]
      live[index] = live[live.count - 1]
      live.removeLast()
      perform(.entry(.delete(entry, reason: nil)))
    default: append(.scenes(.scene(Self.scene, screen())))
    }
  }

  private mutating func correct() {
    guard let id = entry, let entry = state.domain.timeEntries[id] else { return }
    var correction = TimeEntryCorrection()
    switch random.below(4) {
    case 0: correction.changes.description = Change(from: entry.description, to: text())
    case 1:
      correction.changes.project = Change(from: entry.project, to: project())
      correction.changes.tags = Change(from: entry.tags, to: tagList())
    case 2:
      correction.changes.isBillable = Change(
        from: entry.isBillable, to: random.below(2) == 0)
      correction.changes.description = Change(from: entry.description, to: text())
    default:
      let start = Moment(
        microseconds: entry.start.microseconds - random.below(3_600) * 1_000_000)
      correction.changes.start = Change(from: entry.start, to: start)
      correction.changes.zone = Change(from: entry.zone, to: Self.zone)
    }
    perform(.entry(.correct(id, correction, policy: .allow, reason: nil)))
  }

  /// Shows the help, selects an entry, or opens the form or leaves it.
  private mutating func screen() -> SceneChange {
    guard let stack = state.scenes[Self.scene]?.stack else { return .helpToggled }
    switch random.below(3) {
    case 0: return .helpToggled
    case 1:
      guard let root = stack.entries.first?.id else { return .helpToggled }
      return .screen(root, .timer(.selected(entry, top: nil)))
    default:
      return stack.entries.count > 1
        ? .popped(stack.topID) : .pushed(.entryEditor(EntryEditorRoute(user: user())))
    }
  }

  /// A random entry that was not deleted, if any.
  private var entry: TimeEntryID? {
    mutating get { live.isEmpty ? nil : live[Int(random.below(Int64(live.count)))] }
  }

  private mutating func earlier(by seconds: Int64) -> Moment {
    Moment(microseconds: moment.microseconds - (1 + random.below(seconds)) * 1_000_000)
  }

  private mutating func user() -> UserID { UserID(value: random.below(Self.users)) }

  private mutating func project() -> ProjectID? {
    let value = random.below(Self.projects + 2)
    return value < Self.projects ? ProjectID(value: value) : nil
  }

  private mutating func tagList() -> [TagID] {
    (0..<random.below(4)).map { _ in TagID(value: random.below(Self.tags)) }
  }

  private mutating func draft() -> TimeEntryDraft {
    var draft = TimeEntryDraft(user: .id(user()), description: text(), zone: Self.zone)
    draft.project = project().map { .id($0) }
    draft.tags = tagList().map { .id($0) }
    draft.isBillable = random.below(4) == 0
    return draft
  }

  /// Up to forty lowercase letters.
  private mutating func text() -> String {
    var text = ""
    for _ in 0..<random.below(41) {
      text.unicodeScalars.append(Unicode.Scalar(UInt8(97 + random.below(26))))
    }
    return text
  }
}

/// The same numbers for the same seed: SplitMix64.
private struct Generator {
  var state: UInt64

  mutating func below(_ limit: Int64) -> Int64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int64((mixed ^ (mixed >> 31)) % UInt64(limit))
  }
}
