import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceRandom
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import Testing
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The log of an hour of keys: few bytes for each action, and nothing that the state has.
@Suite struct LogBudgetTests {
  /// The entries of the user with the most of them.
  private static let entries: Int64 = 2_760

  /// The inputs: letters as a user types them, and the keys of all screens.
  private static let keys: [Key] = {
    let texts = ["n", "n", "s", "e", "e", "d", "u", "?", "z", "Z", "l", "h", "@a", "#t", "8:30"]
    let letters = "abcdefghiklmoprstuvwx ".map { Key.text("\($0)") }
    let others: [Key] = [
      .enter, .enter, .enter, .escape, .escape, .tab, .tab, .backtab, .up, .down, .down,
      .pageUp, .pageDown, .home, .end, .left, .right, .backspace, .delete, .ctrl("u"), .ctrl("r"),
      .ctrl("n"), .ctrl("o"), .ctrl("x"), .ctrl("y"), .ctrl("g"),
    ]
    return texts.map { .text($0) } + letters + others
  }()

  /// Adds the entries, each after the one before it, some of which are similar.
  private static func fill(_ tracker: TrackerStore) throws {
    let commands = (0..<entries).map { number in
      let start = TrackerFixture.morning.adding(.seconds((number - entries) * 1_200))
      var draft = TimeEntryDraft(
        user: .name(Name("anna")), description: "task \(number % 12)", zone: .utc)
      draft.project = .name(Name("project \(number % 7)"))
      draft.tags = number % 3 == 0 ? [.name(Name("tag"))] : []
      return DomainCommand.entry(
        .add(draft, start: start, end: start.adding(.seconds(1_200)), policy: .refuse))
    }
    for outcome in try tracker.store.performBlocking(commands) { _ = try outcome.get() }
  }

  private static func logBytes(_ tracker: TrackerStore) throws -> Int {
    var sum = 0
    try tracker.store.storage.withReadView { (view) throws(StoreError) in
      try view.forEachBlock(from: 1) { _, block in
        sum += block.count
        return true
      }
    }
    return sum
  }

  /// The lists with two elements or more in a value, as texts.
  private static func lists(in value: Any) -> [String] {
    let mirror = Mirror(reflecting: value)
    let isList = mirror.displayStyle == .collection && mirror.children.count > 1
    return (isList ? ["\(value)"] : []) + mirror.children.flatMap { lists(in: $0.value) }
  }

  /// The scene actions after a record.
  private static func actions(
    after sequence: UInt64, _ tracker: TrackerStore
  ) throws -> [SceneChange] {
    var changes: [SceneChange] = []
    try tracker.store.storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: sequence + 1, through: view.head.sequence) {
        (_, payload) throws(StoreError) in
        var reader = AvroReader(payload)
        if case .scenes(.scene(_, let change))? = try? TrackerAction(decoding: &reader) {
          changes.append(change)
        }
      }
    }
    return changes
  }

  @Test func `an hour of keys has at most 64 bytes an action, and no list of the state [L14]`()
    throws
  {
    try TrackerFixture.with { fixture in
      try fixture.open { try Self.fill($0) }
      try fixture.open(hour: 1) { tracker in
        let size = Screen.Size(columns: 80, rows: 24)
        let driver = try SceneDriver.attach(
          to: tracker, as: Name("anna"), isGiven: true, size: size)
        let (first, bytes) = (tracker.store.sequence, try Self.logBytes(tracker))
        var seen: Set<String> = []
        var random = withSeed { $0 }
        // An entry that overlaps another one leads to a question.
        let asking: [Key] = [.text("n"), .tab, .tab, .tab, .text("8:30"), .enter]
        for number in 0..<repetitions(3_600, few: 600) {
          let before = tracker.store.sequence
          let scene = try #require(tracker.store.state.scenes[driver.scene])
          let known = Set(Self.lists(in: scene))
          seen.formUnion(Self.names(of: scene))
          let row = Int.random(in: 0..<size.rows, using: &random)
          let column = Int.random(in: 0..<size.columns, using: &random)
          let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
          var input = Input.key(number < asking.count ? asking[number] : key)
          if number >= asking.count, Int.random(in: 0..<8, using: &random) == 0 {
            input = .mouse(Mouse(.pressed(.left), row: row, column: column))
          }
          try driver.perform([input])
          for change in try Self.actions(after: before, tracker) {
            let repeated = Self.lists(in: change).filter { known.contains($0) }
            #expect(repeated == [], "\(input) recorded \(change)")
          }
        }
        let all: Set = ["users", "timer", "start", "edit", "help", "notice", "question", "draft"]
        #expect(all.subtracting(seen) == [])
        let actions = tracker.store.sequence - first
        let average = Double(try Self.logBytes(tracker) - bytes) / Double(actions)
        print("\(actions) records of \(average) bytes of log on average")
        #expect(average <= 64)
      }
    }
  }

  /// The names of what a scene shows and has.
  private static func names(of scene: Scene) -> [String] {
    let path = scene.stack.top.path.split(separator: "/")
    var names = [path.count < 3 ? "\(path[0])" : "\(path[2])"]
    if scene.isHelpShown { names.append("help") }
    if scene.notice != nil { names.append("notice") }
    if scene.question != nil { names.append("question") }
    if !scene.drafts.isEmpty { names.append("draft") }
    return names
  }
}
