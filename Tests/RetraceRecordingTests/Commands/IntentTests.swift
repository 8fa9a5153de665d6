import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// The whole way of an input: interpret, carry out, facts, screen.
@Suite struct IntentTests {
  private typealias Kiosk = Store<KioskApp>
  private let window = SceneID(value: 0)
  private let tea = KioskItemID(value: 0)
  private let size = Screen.Size(columns: 60, rows: 10)

  private var configuration: StoreConfiguration {
    let clock = VirtualClock()
    var configuration = StoreConfiguration(clock: { clock.moment })
    configuration.effectClock = clock
    return configuration
  }

  private func open(_ path: String) throws(StoreError) -> Kiosk {
    let store = try Kiosk.openBlocking(
      at: path, configuration: configuration, environment: KioskDesk())
    try store.sendBlocking([.opened(window)])
    return store
  }

  private func inMemory() throws(StoreError) -> Kiosk {
    let store = try Kiosk.inMemory(configuration: configuration, environment: KioskDesk())
    try store.sendBlocking([.opened(window)])
    return store
  }

  private func frame(_ store: Kiosk) throws -> KioskFrame {
    try #require(KioskFrame(of: window, in: store.state, size: size))
  }

  /// Presses keys one after another, each on what the store shows then.
  private func press(_ keys: Key..., in store: Kiosk) throws -> [KioskRefusal] {
    try keys.compactMap { key in try store.carryOutBlocking(try frame(store).interpret(key)) }
  }

  /// The screen without its hint line.
  private func lines(_ store: Kiosk) throws -> [String] {
    try frame(store).screen.canvas.lines.dropLast()
  }

  /// The records since a sequence: kinds, commands with their origin, and refusals.
  private func records(after sequence: UInt64, in store: Kiosk) throws -> [String] {
    var seen: [String] = []
    try store.storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: sequence + 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        var text = (envelope.startsBatch ? "" : "+ ") + "\(envelope.kind)"
        if envelope.kind == .command, let asked = try? RecordedCommand(encoded: payload) {
          text += " \(asked.origin)\(asked.refusal == nil ? "" : ", refused")"
        }
        seen.append(text)
      }
    }
    return seen
  }

  @Test func `a key pressed on a screen becomes facts, and the screen shows them`() throws {
    try ScratchDirectory.with { path in
      let store = try open(path)
      #expect(try press(.text("tea"), .text(" "), .text("300"), in: store) == [])
      #expect(try lines(store) == ["new item: tea 300"])
      let before = store.sequence
      #expect(try press(.enter, in: store) == [])
      #expect(try lines(store) == ["  tea, 0 for 300 each", "new item:"])
      #expect(
        try records(after: before, in: store) == ["command scene", "+ action", "action"])
      #expect(try press(.text("1"), in: store) == [])
      #expect(try lines(store).first == "> tea, 0 for 300 each")
      try store.closeBlocking()
      let again = try Kiosk.openBlocking(at: path, configuration: StoreConfiguration())
      #expect(try lines(again) == ["> tea, 0 for 300 each", "new item:"])
      try again.closeBlocking()
      let log = try LogStorage.open(at: path, access: .read)
      defer { log.close() }
      #expect(try Verifier<KioskApp>.verify(log).firstDivergence == nil)
    }
  }

  @Test func `a refused command is recorded, and the intents after it are dropped`() throws {
    try ScratchDirectory.with { path in
      let store = try open(path)
      #expect(try press(.text("tea 300"), .enter, .text("tea 400"), in: store) == [])
      let before = store.sequence
      // The draft stays as typed, because clearing it was meant for the time after the command.
      #expect(try press(.enter, in: store) == [.nameTaken("tea")])
      #expect(try lines(store).last == "new item: tea 400")
      #expect(try records(after: before, in: store) == ["command scene, refused"])
      try store.closeBlocking()
    }
  }

  @Test func `a command is decided on the values of now, for the ids that the user saw`() throws {
    try ScratchDirectory.with { path in
      let store = try open(path)
      try store.performBlocking(.add(name: "tea", price: 300))
      try store.performBlocking(.restock(tea, count: 1))
      #expect(try press(.text("1"), in: store) == [])
      let painted = try frame(store)
      #expect(painted.screen.canvas.lines.first == "> tea, 1 for 300 each")
      try store.performBlocking(.sell(tea, count: 1))
      let refusal = try store.carryOutBlocking(try painted.interpret(.ctrl("s")))
      #expect(refusal == .outOfStock(tea, stock: 0))
      try store.closeBlocking()
    }
  }

  @Test
  func `neighbouring actions of a scene are one batch, and commands are batches of their own`()
    async throws
  {
    let store = try inMemory()
    let before = store.sequence
    let edit = TextDraft().replacement(for: .insert("x"))
    let refusal = try await store.carryOut([
      .scene(.window(window, .edited(edit))), .scene(.window(window, .selected(nil))),
      .command(.add(name: "tea", price: 3)), .command(.restock(tea, count: 2)),
      .scene(.window(window, .selected(tea))), .command(.sell(tea, count: 9)),
      .scene(.closed(window)), .command(.sell(tea, count: 1)),
    ])
    #expect(refusal == .outOfStock(tea, stock: 2))
    #expect(
      try records(after: before, in: store) == [
        "action", "+ action", "command scene", "+ action", "command scene", "+ action", "action",
        "command scene, refused",
      ])
    #expect(store.state.windows[window]?.selection == tea)
    #expect(try await store.carryOut([]) == nil)
    try await store.close()
    await #expect(throws: StoreError.self) {
      try await store.carryOut([.scene(.closed(window)), .command(.sell(tea, count: 1))])
    }
  }

  @Test
  func `what an input means is one commit of one moment, with the answer to a refusal`() throws {
    try ScratchDirectory.with { path in
      let commits = Lock(0)
      let time = Lock<Int64>(0)
      var configuration = configuration
      // No two calls of this clock return the same moment.
      configuration.clock = {
        Moment(
          microseconds: time.withLock { time in
            time += 1
            return time
          })
      }
      configuration.phaseObserver = { phase in
        if phase == .committing { commits.withLock { $0 += 1 } }
      }
      let store = try Kiosk.openBlocking(
        at: path, configuration: configuration, environment: KioskDesk())
      try store.sendBlocking([.opened(window)])
      let (window, tea) = (window, tea)
      let select = KioskApp.Intent.scene(.window(window, .selected(tea)))
      let help = KioskSceneAction.window(window, .helpToggled)
      let inputs: [(intents: [KioskApp.Intent], records: [String])] = [
        ([.command(.add(name: "tea")), select], ["command scene", "+ action", "action"]),
        (
          [select, .command(.restock(tea, count: 1)), select, .command(.restock(tea, count: 1))],
          ["action", "command scene", "+ action", "action", "command scene", "+ action"]
        ),
        (
          [select, .command(.sell(tea, count: 9)), select, .command(.sell(tea, count: 1))],
          ["action", "command scene, refused", "action"]
        ),
        ([.command(.sell(tea, count: 9))], ["command scene, refused", "action"]),
        ([], []),
      ]
      for (intents, expected) in inputs {
        let (before, count) = (store.sequence, commits.withLock { $0 })
        let refusal = try store.carryOutBlocking(intents) { _ in [help] }
        #expect((refusal == nil) == !expected.contains("command scene, refused"))
        #expect(try records(after: before, in: store) == expected)
        #expect(commits.withLock { $0 } == count + (intents.isEmpty ? 0 : 1))
        var moments: Set<Moment> = []
        try store.storage.withReadView { (view) throws(StoreError) in
          try view.forEachRecord(from: before + 1, through: view.head.sequence) { envelope, _ in
            moments.insert(envelope.moment)
          }
        }
        #expect(moments.count == (intents.isEmpty ? 0 : 1))
      }
      #expect(store.state.items[tea]?.stock == 2)
      try store.closeBlocking()
      let log = try LogStorage.open(at: path, access: .read)
      defer { log.close() }
      #expect(try Verifier<KioskApp>.verify(log).firstDivergence == nil)
    }
  }

  /// How a process ends while it carries out what an input means: in which phase, and whether the
  /// second command is refused.
  @Test(arguments: [0, 1, 2, 3], [false, true])
  func `a process that ends within an input leaves nothing of it`(
    phase: Int, isRefused: Bool
  ) async throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-recording")
    let path = folder + "/store"
    await #expect(processExitsWith: .failure) {
      [path = path as String, phase = phase as Int, isRefused = isRefused as Bool] in
      let isArmed = Lock(false)
      let window = SceneID(value: 0)
      var configuration = StoreConfiguration()
      configuration.phaseObserver = { entered in
        guard isArmed.withLock({ $0 }) else { return }
        if entered == (phase == 3 ? .committing : .reducing(phase)) { fatalError("\(entered)") }
      }
      let store = try Kiosk.openBlocking(
        at: path, configuration: configuration, environment: KioskDesk())
      try store.sendBlocking([.opened(window)])
      try store.performBlocking(.add(name: "tea"))
      isArmed.withLock { $0 = true }
      let tea = KioskItemID(value: 0)
      _ = try store.carryOutBlocking([
        .command(.restock(tea, count: 1)),
        .command(.sell(tea, count: isRefused ? 9 : 1)),
        .scene(.window(window, .selected(tea))),
      ]) { _ in [.window(window, .selected(tea))] }
    }
    let store = try Kiosk.openBlocking(
      at: path, configuration: configuration, environment: KioskDesk())
    #expect(store.state.items[tea]?.stock == 0)
    #expect(store.state.windows[window]?.selection == nil)
    // What was reduced at the end is recorded as the cause, also the answer to a refusal.
    #expect(store.recovered.count == (phase == 3 ? 0 : 1))
    if let recovered = store.recovered.first {
      let crashed = try store.storage.withReadView { view throws(StoreError) in
        try view.withRecord(at: recovered) { try? $0.systemPayload(as: Crashed.self) }
      }
      #expect(crashed?.batch == phase)
    }
    try store.closeBlocking()
    try FileSystem.removeTree(folder)
  }

  @Test func `an intent that cannot be recorded leaves nothing of its input`() throws {
    let store = try inMemory()
    try store.performBlocking(.add(name: "tea"))
    let before = store.sequence
    let long = String(repeating: "x", count: 20 << 20)
    let intents: [KioskApp.Intent] = [
      .scene(.window(window, .selected(tea))), .command(.restock(tea, count: 1)),
      .command(.add(name: long)), .scene(.closed(window)),
    ]
    let error = #expect(throws: StoreError.self) { _ = try store.carryOutBlocking(intents) }
    #expect(error?.code == .recordTooLarge)
    #expect(store.sequence == before && store.state.items[tea]?.stock == 0)
    #expect(store.state.windows[window]?.selection == nil)
    // The store goes on.
    #expect(try store.carryOutBlocking([.command(.restock(tea, count: 1))]) == nil)
    #expect(store.state.items[tea]?.stock == 1)
    try store.closeBlocking()
  }

  @Test func `both forms of carrying out leave the same records and states`() async throws {
    let inputs = withSeed { random in
      (0..<40).map { _ in
        (0..<Int.random(in: 0...4, using: &random)).map { _ -> KioskApp.Intent in
          Bool.random(using: &random)
            ? .command(.random(using: &random))
            : .scene(.window(window, .selected(tea)))
        }
      }
    }
    let (waiting, blocking) = (try inMemory(), try inMemory())
    for intents in inputs {
      let help = KioskSceneAction.window(window, .helpToggled)
      let refusal = try await waiting.carryOut(intents) { _ in [help] }
      let other = try blocking.carryOutBlocking(intents) { _ in [help] }
      #expect(other == refusal)
    }
    #expect(waiting.state == blocking.state && waiting.sequence == blocking.sequence)
    try await waiting.close()
    try await blocking.close()
  }
}
