import RetraceArchitecture
import RetraceState
import TimeTracking

/// Actions of the time tracker as users send them: entries are started and stopped, changed, added,
/// continued and deleted; about one action in ten is one of a screen.
struct TrackerActions {
  /// The microseconds between two actions.
  static let spacing: Int64 = 37_000_000
  private static let zone = RecordedZone(id: "Europe/Berlin", offsetSeconds: 3600)
  private static let users: Int64 = 3
  private static let projects: Int64 = 5
  private static let tags: Int64 = 8
  private static let begin: Int64 = 1_700_000_000_000_000

  private var random: Generator
  private var actions: [AppAction] = []
  private var live: [TimeEntryID] = []
  private var next: Int64 = 0

  /// Makes a number of actions; the same for the same seed.
  static func make(_ count: Int, seed: UInt64) -> [AppAction] {
    var maker = TrackerActions(random: Generator(state: seed))
    maker.actions.reserveCapacity(count)
    maker.library()
    while maker.actions.count < count { maker.actions.append(maker.action()) }
    return maker.actions
  }

  private mutating func library() {
    for index in 0..<Self.users { actions.append(.library(.userCreated(name: "user \(index)"))) }
    actions.append(.library(.workspaceCreated(name: "a workspace")))
    for index in 0..<Self.projects {
      actions.append(
        .library(
          .projectCreated(
            name: "project number \(index)",
            workspace: index % 2 == 0 ? WorkspaceID(value: 0) : nil)))
    }
    for index in 0..<Self.tags {
      actions.append(.library(.tagCreated(name: "tag \(index)", workspace: nil)))
    }
    actions.append(.sceneOpened(Self.zone))
  }

  private mutating func action() -> AppAction {
    switch random.below(100) {
    case 0..<30:
      defer { inserted() }
      return .timeline(.started(details(), user: user(), zone: Self.zone, start: nil))
    case 30..<50: return .timeline(.stopped(user: user()))
    case 50..<60:
      defer { inserted() }
      return .timeline(
        .created(
          ClosedEntry(
            user: user(), details: details(),
            start: Moment(microseconds: Self.begin + random.below(1 << 40)),
            duration: ElapsedTime(microseconds: random.below(14_400) * 1_000_000),
            zone: Self.zone, externalID: "external-\(random.below(1 << 30))")))
    case 60..<80: return edit()
    case 80..<85:
      guard let entry else { return action() }
      inserted()
      return .timeline(.continued(entry, user: user(), zone: Self.zone))
    case 85..<90:
      guard !live.isEmpty else { return action() }
      let index = Int(random.below(Int64(live.count)))
      let entry = live[index]
      live[index] = live[live.count - 1]
      live.removeLast()
      return .timeline(.deleted(entry))
    default: return screen()
    }
  }

  private mutating func edit() -> AppAction {
    guard let entry else { return action() }
    var changes: [EntryChange] = []
    switch random.below(4) {
    case 0: changes = [.description(text())]
    case 1: changes = [.project(project()), .tags(tagList())]
    case 2: changes = [.billable(random.below(2) == 0), .description(text())]
    default:
      changes = [.start(Moment(microseconds: Self.begin + random.below(1 << 40)), Self.zone)]
    }
    return .timeline(.edited(entry, changes))
  }

  private mutating func screen() -> AppAction {
    let scene = SceneID(value: 0)
    switch random.below(3) {
    case 0: return .scene(scene, .helpToggled)
    case 1: return .scene(scene, .timer(.selected(entry, firstRow: Int32(random.below(40)))))
    default: return .scene(scene, .wentBack)
    }
  }

  /// A random entry that was not deleted, or `nil` if there is none.
  private var entry: TimeEntryID? {
    mutating get { live.isEmpty ? nil : live[Int(random.below(Int64(live.count)))] }
  }

  private mutating func inserted() {
    live.append(TimeEntryID(value: next))
    next += 1
  }

  private mutating func user() -> UserID { UserID(value: random.below(Self.users)) }

  private mutating func project() -> ProjectID? {
    let value = random.below(Self.projects + 2)
    return value < Self.projects ? ProjectID(value: value) : nil
  }

  private mutating func tagList() -> [TagID] {
    (0..<random.below(4)).map { _ in TagID(value: random.below(Self.tags)) }
  }

  private mutating func details() -> EntryDetails {
    EntryDetails(
      description: text(), project: project(), tags: tagList(),
      isBillable: random.below(4) == 0)
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
