import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceLog
import RetraceReplay
import RetraceSchema
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceRecording

/// What a store tells observers of commits, and logging, debugging and activities on top of it.
@Suite struct CommitObserverTests {
  private let tea = CounterID(value: 0)
  private let configuration = StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })

  private func open() throws(StoreError) -> Store<CounterApp> {
    try Store<CounterApp>.inMemory(configuration: configuration)
  }

  private struct Seen: Equatable {
    var sequences: Range<UInt64>
    var actions: [CounterAction]
    var before: Int64
    var after: Int64

    init(_ commit: Commit<CounterApp>) {
      (sequences, actions) = (commit.sequences, commit.actions)
      (before, after) = (commit.before.total, commit.after.total)
    }

    init(_ sequences: Range<UInt64>, _ actions: [CounterAction], _ before: Int64, _ after: Int64) {
      (self.sequences, self.actions) = (sequences, actions)
      (self.before, self.after) = (before, after)
    }
  }

  @Test func `an observer of commits gets records, and the states before and after [O8]`() throws {
    let store = try open()
    let seen = Lock<[Seen]>([])
    let order = Lock<[String]>([])
    let states = store.observe { state in order.withLock { $0.append("state \(state.total)") } }
    let commits = store.observeCommits { commit in
      seen.withLock { $0.append(Seen(commit)) }
      order.withLock { $0.append("commit \(commit.after.total)") }
    }
    try store.sendBlocking([.added(name: "tea"), .counted(tea, by: 2)])
    try store.storage.performWriting { (_) throws(StoreError) in
      for step: Int64 in 1...3 { try store.enqueue([.counted(self.tea, by: step)]) }
    }
    try store.flushBlocking()
    try store.sendBlocking([])
    #expect(
      seen.withLock { $0 } == [
        Seen(2..<4, [.added(name: "tea"), .counted(tea, by: 2)], 0, 2),
        Seen(4..<5, [.counted(tea, by: 1)], 2, 3), Seen(5..<6, [.counted(tea, by: 2)], 3, 5),
        Seen(6..<7, [.counted(tea, by: 3)], 5, 8),
      ])
    #expect(order.withLock { $0.prefix(3) } == ["state 0", "commit 2", "state 2"])
    commits.cancel()
    try store.sendBlocking([.counted(tea, by: 1)])
    #expect(seen.withLock { $0.count } == 4)
    withExtendedLifetime(states) {}
    try store.closeBlocking()
  }

  @Test func `a commit without a change is told, and each batch of a large group [O8]`()
    throws
  {
    var configuration = configuration
    configuration.largeGroupActionsMin = 8
    let store = try Store<CounterApp>.inMemory(configuration: configuration)
    let seen = Lock<[Seen]>([])
    let commits = store.observeCommits { commit in seen.withLock { $0.append(Seen(commit)) } }
    try store.sendBlocking([.added(name: "tea")])
    try store.sendBlocking([.noticed("nothing")])
    #expect(seen.withLock { $0.last } == Seen(3..<4, [.noticed("nothing")], 0, 0))
    try store.storage.performWriting { (_) throws(StoreError) in
      for _ in 0..<20 { try store.enqueue([.counted(self.tea, by: 1)]) }
    }
    try store.flushBlocking()
    #expect(seen.withLock { $0.dropFirst(2).map(\.after) } == Array(1...20))
    withExtendedLifetime(commits) {}
    try store.closeBlocking()
  }

  @Test func `a command is told with its facts, or with its recorded refusal [O8]`() throws {
    let kiosk = try Store<KioskApp>.inMemory(environment: KioskDesk())
    let seen = Lock<[String]>([])
    let lines = Lock<[String]>([])
    let commits = kiosk.observeCommits(
      CommitObserver { commit in
        let command = commit.command.map { "\($0)" } ?? "none"
        seen.withLock {
          let refusal = commit.refusal.map { "\($0)" } ?? ""
          $0.append("\(command), \(commit.actions.count) facts, \(refusal)")
        }
      }, .logging { line in lines.withLock { $0.append(line) } })
    _ = try kiosk.performBlocking(.add(name: "tea", price: 3), from: .scene)
    #expect(throws: CommandError<KioskApp>.self) {
      try kiosk.performBlocking(.add(name: "tea", price: 3), from: .scene)
    }
    // A refusal without a record is not a commit.
    #expect(throws: CommandError<KioskApp>.self) {
      try kiosk.performBlocking(.add(name: "tea", price: 3))
    }
    let command = KioskCommand.add(name: "tea", price: 3)
    #expect(
      seen.withLock { $0 } == [
        "\(command), 1 facts, ", "\(command), 0 facts, \(KioskRefusal.nameTaken("tea"))",
      ])
    #expect(lines.withLock { $0.count } == 3)
    #expect(lines.withLock { $0.first }?.hasSuffix(#"command add(name: "tea", price: 3)"#) == true)
    #expect(lines.withLock { $0.last }?.hasSuffix(#"refused: nameTaken("tea")"#) == true)
    withExtendedLifetime(commits) {}
    try kiosk.closeBlocking()
  }

  @Test func `actions are logged after their commit, before a screen sees it [O1]`() throws {
    let store = try open()
    let lines = Lock<[String]>([])
    let log = store.observeCommits(.logging { line in lines.withLock { $0.append(line) } })
    let screen = store.observe { state in
      lines.withLock { $0.append("screen \(state.counters.count)") }
    }
    try store.sendBlocking([.added(name: "tea\u{1B}[2J\n"), .counted(tea, by: 2)])
    #expect(
      lines.withLock { $0 } == [
        "screen 0", #"2 added(name: "tea\u001b[2J\n")"#, "3 counted(0, by: 2)", "screen 1",
      ])
    withExtendedLifetime((log, screen)) {}
    try store.closeBlocking()
  }

  @Test func `moments and undos are told as the replay tool shows them`() throws {
    let store = try Store<LarderApp>.inMemory(configuration: configuration)
    let lines = Lock<[String]>([])
    let log = store.observeCommits(.logging { line in lines.withLock { $0.append(line) } })
    try store.performBlocking(.jar(.add(name: "honey", spoons: 2)))
    try store.undoBlocking()
    let told = lines.withLock { $0.suffix(2) }
    #expect(told.allSatisfy { $0.contains("undo of #2") && !$0.contains("{") }, "\(told)")
    withExtendedLifetime(log) {}
    try store.closeBlocking()
  }

  @Test func `debugging prints action, changes and effects, of chosen commits [O2]`() throws {
    let store = try Store<HouseApp>.inMemory(environment: HouseDesk(default: .hangs))
    let lines = Lock<[String]>([])
    let filtered = Lock<[String]>([])
    let debug = store.observeCommits(
      .debug { line in lines.withLock { $0.append(line) } },
      .debug(including: { $0.path.hasPrefix("hall") }) { line in
        filtered.withLock { $0.append(line) }
      }.filtered { $0.before.hall != $0.after.hall })
    try store.sendBlocking([.noted("a"), .hall(.glowed("b"))])
    try store.sendBlocking([.started(Errand("milk"), after: .zero, id: "")])
    #expect(
      lines.withLock { $0.prefix(4) } == [
        #"2 noted("a")"#, #"3 hall.glowed("b")"#, #"  hall.seen[0]: none -> "b""#,
        #"  done[0]: none -> "a""#,
      ])
    #expect(lines.withLock { $0.last }?.hasPrefix("  effect Errand") == true)
    #expect(
      filtered.withLock { $0 } == [
        #"2 noted("a")"#, #"3 hall.glowed("b")"#, #"  hall.seen[0]: none -> "b""#,
      ])
    withExtendedLifetime(debug) {}
    try store.closeBlocking()
  }

  @Test func `each action is an activity with the name of its case and its payload [O3]`() throws {
    let store = try Store<HouseApp>.inMemory(configuration: configuration, environment: HouseDesk())
    let feed = Lock<[Activity]>([])
    let observation = store.observeCommits(
      .activityFeed { activity in feed.withLock { $0.append(activity) } })
    try store.sendBlocking([.bought, .lamp(LampID(value: 0), .glowed("a"))])
    #expect(feed.withLock { $0.map(\.name) } == ["bought", "lamp.glowed"])
    #expect(feed.withLock { $0.map(\.sequence) } == [2, 3])
    #expect(feed.withLock { $0.map(\.moment) } == [1_000_000, 1_000_000].map(Moment.init))
    #expect(
      feed.withLock { $0.last?.payload.text() }
        == #"{"lamp":{"_0":0,"_1":{"glowed":{"_0":"a"}}}}"#)
    withExtendedLifetime(observation) {}
    try store.closeBlocking()
  }

  @Test func `observers of commits are called in the order written, and never by a replay [O7]`()
    throws
  {
    try ScratchDirectory.with { folder in
      let calls = Lock<[String]>([])
      let store = try Store<CounterApp>.openBlocking(
        at: folder + "/store", configuration: configuration)
      let observation = store.observeCommits(
        CommitObserver { _ in calls.withLock { $0.append("outer") } },
        CommitObserver { _ in calls.withLock { $0.append("inner") } }
          .filtered { $0.after.total > 0 })
      try store.sendBlocking([.added(name: "tea")])
      try store.sendBlocking([.counted(tea, by: 1)])
      #expect(calls.withLock { $0 } == ["outer", "outer", "inner"])
      var replayer = try Replayer<CounterApp>(store.storage)
      try replayer.seek(to: replayer.last)
      #expect(replayer.state == store.state)
      #expect(calls.withLock { $0.count } == 3)
      withExtendedLifetime(observation) {}
      try store.closeBlocking()
    }
  }
}
