import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Effects that answer with commands, and answers and sends that are refused.
@Suite struct EffectCommandTests {
  private let window = SceneID(value: 0)
  private let tea = KioskItemID(value: 0)

  private func configuration(_ clock: VirtualClock = VirtualClock()) -> StoreConfiguration {
    var configuration = StoreConfiguration(clock: { clock.moment })
    configuration.effectClock = clock
    return configuration
  }

  /// Adds an item, and opens a window in which it is selected: records 1 to 5.
  private func prepare<App: KioskVariant>(_ store: Store<App>) throws
  where App.SceneAction == KioskSceneAction {
    try store.performBlocking(.add(name: "tea", price: 3))
    try store.sendBlocking([.opened(window), .window(window, .selected(tea))])
  }

  /// The records after the first 5: each as its cause and its contents.
  private func records<App: KioskVariant>(_ store: Store<App>) throws -> [String] {
    var seen: [String] = []
    try store.storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 6, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        var text = "\(envelope.kind)"
        if envelope.kind == .action, let action = try? KioskAction(encoded: payload) {
          text = "\(action)"
        }
        if envelope.kind == .effectFinished, let end = try? EffectFinished(encoded: payload) {
          text = "\(end.id) \(end.outcome)\(end.error.isEmpty ? "" : ": \(end.error)")"
        }
        if envelope.kind == .command, let asked = try? RecordedCommand(encoded: payload),
          let command = try? KioskCommand(encoded: asked.command.bytes.span)
        {
          text = "\(asked.origin) \(command)"
          if let bytes = asked.refusal?.bytes, let refusal = try? KioskRefusal(encoded: bytes.span)
          {
            text += " refused: \(refusal)"
          }
        }
        if !envelope.startsBatch { text = "+ \(text)" }
        seen.append(envelope.cause.map { "\($0): \(text)" } ?? text)
      }
    }
    return seen
  }

  private func stocked(_ before: Int64, _ after: Int64) -> String {
    "\(KioskAction.stockChanged(tea, from: before, to: after))"
  }
  private var pressed: String { "\(KioskAction.scene(.window(window, .orderPressed)))" }

  @Test func `the command of an effect is decided in the commit of its end [E3]`() async throws {
    try await ScratchDirectory.with { path in
      let store = try Store<KioskApp>.openBlocking(
        at: path, configuration: configuration(), environment: KioskDesk())
      try prepare(store)
      let commits = Lock(0)
      let observation = store.observe { _ in commits.withLock { $0 += 1 } }
      try await store.send(.window(window, .orderPressed)).settled()
      #expect(store.state.items[tea]?.stock == 10 && store.effectsInFlight.isEmpty)
      let asked = KioskCommand.restock(tea, count: 10)
      #expect(
        try records(store) == [
          pressed, "6: 6.0 finished", "6: effect \(asked)", "6: + \(stocked(0, 10))",
        ])
      #expect(commits.withLock { $0 } <= 3)
      observation.cancel()
      try await store.close()
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      let found = try Verifier<KioskApp>.verify(storage, decidingCommands: true)
      #expect(found.decisions?.decided == 2 && found.decisions?.divergences == 0)
      #expect(found.effects.actions == 1 && found.effects.ends == 1)
      #expect(found.effects.firstDivergence == nil)
      // A decider that changed since shows at the command of the effect.
      let changed = try Verifier<StingyKiosk>.verify(storage, decidingCommands: true)
      #expect(changed.decisions?.firstDivergence?.sequence == 8)
    }
  }

  /// A kiosk that takes no deliveries.
  private enum StingyKiosk: KioskVariant {
    struct Stingy: Decider {
      func decide(
        _ command: KioskCommand, on state: borrowing KioskState, at moment: Moment
      ) throws(KioskRefusal) -> [KioskAction] {
        if case .restock(_, let count) = command { throw .invalidCount(count) }
        return try KioskDecider().decide(command, on: state, at: moment)
      }
    }

    static var reducer: KioskReducer { KioskReducer() }
    static var decider: Stingy { Stingy() }
  }

  @Test func `an effect maps its error to an action [E3]`() async throws {
    let desk = KioskDesk { _ in throw KioskDesk.NotDelivered("no tea") }
    let store = try Store<KioskApp>.inMemory(configuration: configuration(), environment: desk)
    try prepare(store)
    try await store.send(.window(window, .orderPressed)).settled()
    #expect(store.state.windows[window]?.problem == "no tea")
    let failed = KioskAction.scene(.window(window, .orderFailed("no tea")))
    #expect(try records(store) == [pressed, "6: 6.0 finished", "6: \(failed)"])
    try await store.close()
  }

  @Test func `a refused command of an effect is recorded with its refusal`() async throws {
    let store = try Store<KioskApp>.inMemory(
      configuration: configuration(), environment: KioskDesk { _ in 0 })
    try prepare(store)
    try await store.send(.window(window, .orderPressed)).settled()
    let asked = KioskCommand.restock(tea, count: 0)
    #expect(
      try records(store) == [
        pressed, "6: 6.0 finished", "6: effect \(asked) refused: \(KioskRefusal.invalidCount(0))",
      ])
    #expect(store.effectsInFlight.isEmpty && store.state.items[tea]?.stock == 0)
    try await store.close()
  }

  private static let sold = KioskAction.request(.sell(KioskItemID(value: 0), count: 1))
  private static let invalidAnswers: [([KioskAction], String)] = [
    ([.stockChanged(KioskItemID(value: 0), from: 0, to: 9)], "a fact"),
    ([sold, .scene(.opened(SceneID(value: 1)))], "a command and other actions"),
    ([.scene(.opened(SceneID(value: 1))), sold], "a command and other actions"),
    ([sold, sold], "a command and other actions"),
  ]

  @Test(arguments: invalidAnswers)
  func `an answer that is neither actions of scenes nor one command fails the leaf`(
    answer: [KioskAction], problem: String
  ) async throws {
    var desk = KioskDesk()
    desk.errand = { answer }
    let store = try Store<ErrandKiosk>.inMemory(configuration: configuration(), environment: desk)
    try prepare(store)
    let before = store.state
    try await store.send(.window(window, .orderPressed)).settled()
    #expect(store.state == before && store.effectsInFlight.isEmpty)
    let found = try records(store)
    #expect(found.count == 2 && found.last?.hasPrefix("6: 6.0 failed: ") == true)
    #expect(found.last?.contains("It has \(problem)") == true, "\(found)")
    try await store.close()
  }

  @Test func `actions of scenes are an answer too, and the requests of children are commands`()
    async throws
  {
    var desk = KioskDesk()
    let (window, tea) = (window, tea)
    desk.errand = { [.scene(.window(window, .selected(nil))), .scene(.closed(window))] }
    let store = try Store<ErrandKiosk>.inMemory(configuration: configuration(), environment: desk)
    try prepare(store)
    try await store.send(.window(window, .orderPressed)).settled()
    #expect(store.state.windows.isEmpty)
    #expect(
      KioskApp.role(of: .scene(.window(window, .request(.sell(tea, count: 1)))))
        == .request(.sell(tea, count: 1)))
    try await store.close()
  }

  @Test func `only scene actions can be sent, also by a transaction`() async throws {
    let store = try Store<KioskApp>.inMemory(configuration: configuration())
    try prepare(store)
    let before = store.sequence
    let asking = KioskSceneAction.window(window, .request(.sell(tea, count: 1)))
    func code(_ body: () throws -> Void) -> StoreError.Code? {
      do {
        try body()
        return nil
      } catch let error as StoreError {
        return error.code
      } catch let error as TransactionError<Never> {
        if case .store(let error) = error { return error.code }
        return nil
      } catch {
        return nil
      }
    }
    #expect(code { try store.sendBlocking([asking]) } == .invalidRecord)
    #expect(code { try store.enqueue([asking]) } == .invalidRecord)
    #expect(
      code { try store.transactBlocking { (_, _) throws(Never) in [asking] } } == .invalidRecord)
    await #expect(throws: StoreError.self) { try await store.send(asking) }
    #expect(store.sequence == before)
    var test = TestStore<KioskApp>()
    withKnownIssue {
      test.send(asking)
    } matching: {
      $0.comments.first?.rawValue.contains("perform the command sell(0, count: 1)") == true
    }
    try await store.close()
  }

  @Test func `an undo takes back what the user did, and not what an effect did`() async throws {
    var configuration = configuration()
    configuration.origin.login = "anna"
    let store = try Store<KioskApp>.inMemory(
      configuration: configuration, environment: KioskDesk())
    try prepare(store)
    try store.performBlocking(.reprice(tea, price: 5))
    try await store.send(.window(window, .orderPressed)).settled()
    try store.undoBlocking()
    #expect(store.state.items[tea] == KioskItem(name: "tea", stock: 10, price: 3))
    try store.redoBlocking()
    #expect(store.state.items[tea] == KioskItem(name: "tea", stock: 10, price: 5))
    try await store.close()
  }

  @Test func `nothing is decided for a leaf that was cancelled first`() async throws {
    let (started, release) = (AsyncGate(), AsyncGate())
    let desk = KioskDesk { order in
      started.open()
      await release.wait()
      return order.count
    }
    let store = try Store<KioskApp>.inMemory(configuration: configuration(), environment: desk)
    try prepare(store)
    let ordered = try await store.send(.window(window, .orderPressed))
    await started.wait()
    // The window's work ends with the window.
    try await store.send(.closed(window))
    release.open()
    try await ordered.settled()
    try await store.flush()
    #expect(store.state.items[tea]?.stock == 0)
    #expect(try records(store) == [pressed, "\(KioskAction.scene(.closed(window)))"])
    try await store.close()
  }

  @Test func `the command sent in place of a leaf is decided by the next session`() throws {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      var desk = KioskDesk()
      desk.errand = {
        try await Task.sleep(for: .seconds(3_600))
        return []
      }
      let store = try Store<ErrandKiosk>.openBlocking(
        at: path, configuration: configuration(), environment: desk)
      try prepare(store)
      try store.sendBlocking([.window(window, .orderPressed)])
      try store.closeBlocking()
      // No environment is needed for it.
      let later = try Store<ErrandKiosk>.openBlocking(at: path, configuration: configuration())
      #expect(later.state.items[tea]?.stock == 1 && later.effectsInFlight.isEmpty)
      let asked = KioskCommand.restock(tea, count: 1)
      #expect(
        try records(later).filter { $0.hasPrefix("6:") } == [
          "6: 6.0 replaced", "6: effect \(asked)", "6: + \(stocked(0, 1))",
        ])
      try later.closeBlocking()
    }
  }

  /// A kiosk whose decider ends the process when 13 of an item are delivered.
  enum TrappingKiosk: KioskVariant {
    struct Trapping: Decider {
      func decide(
        _ command: KioskCommand, on state: borrowing KioskState, at moment: Moment
      ) throws(KioskRefusal) -> [KioskAction] {
        if case .restock(_, 13) = command { fatalError("13") }
        if case .announce(_, let price, _) = command, price >= 1_000 { fatalError("\(price)") }
        return try KioskDecider().decide(command, on: state, at: moment)
      }
    }

    static var reducer: KioskReducer { KioskReducer() }
    static var decider: Trapping { Trapping() }
  }

  @Test func `a crash in the decision of an effect's command is recorded, two fail the leaf`()
    async throws
  {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-recording")
    let path = folder + "/store"
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let store = try Store<TrappingKiosk>.openBlocking(
        at: path, configuration: StoreConfiguration(), environment: KioskDesk { _ in 13 })
      try store.performBlocking(.add(name: "tea", price: 3))
      let window = SceneID(value: 0)
      try store.sendBlocking([
        .opened(window), .window(window, .selected(KioskItemID(value: 0))),
      ])
      try await store.send(.window(window, .orderPressed)).settled()
    }
    // The leaf runs again in the next process, which ends the same way.
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let store = try Store<TrappingKiosk>.openBlocking(
        at: path, configuration: StoreConfiguration(), environment: KioskDesk { _ in 13 })
      while !store.effectsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    }
    let store = try Store<TrappingKiosk>.openBlocking(
      at: path, configuration: StoreConfiguration(), environment: KioskDesk())
    #expect(store.effectsInFlight.isEmpty && store.state.items[tea]?.stock == 0)
    var crashes: [Crashed] = []
    var causes: [UInt64?] = []
    try store.storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        guard envelope.kind == .crashed else { return }
        guard let crashed = try? Crashed(encoded: payload) else { return }
        crashes.append(crashed)
        causes.append(envelope.cause)
      }
    }
    #expect(causes == [6, 6])
    #expect(
      crashes.allSatisfy { $0.actions == [KioskCommand.restock(tea, count: 13).encoded()] })
    #expect(try records(store).contains { $0.hasPrefix("6: 6.0 failed: The program ended twice") })
    try store.closeBlocking()
    try FileSystem.removeTree(folder)
  }
}

extension EffectCommandTests {
  /// Opens a store whose supplier announces one price, which is also its number.
  private static func announcing(_ price: Int64, at path: String) throws -> Store<TrappingKiosk> {
    var desk = KioskDesk()
    desk.prices = { _, receive in
      try await receive(KioskPrice(number: price, price: price))
      try await Task.sleep(for: .seconds(3_600))
    }
    return try Store<TrappingKiosk>.openBlocking(
      at: path, configuration: StoreConfiguration(), environment: desk)
  }

  /// Whether the subscription is in flight after a process crashed on each list of prices in turn.
  private func survives(_ first: Int64, _ between: Int64?, _ second: Int64) async throws -> Bool {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-recording")
    defer { try? FileSystem.removeTree(folder) }
    let path = folder + "/store"
    await #expect(processExitsWith: .failure) {
      [path = path as String, first = first as Int64] in
      let store = try EffectCommandTests.announcing(first, at: path)
      try store.performBlocking(.add(name: "tea", price: 3))
      let window = SceneID(value: 0)
      try store.sendBlocking([
        .opened(window), .window(window, .selected(KioskItemID(value: 0))),
        .window(window, .followed(true)),
      ])
      while !store.effectsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    }
    if let between {
      let store = try Self.announcing(between, at: path)
      while store.state.items[KioskItemID(value: 0)]?.price != between {
        try await Task.sleep(for: .milliseconds(2))
      }
      try store.closeBlocking()
    }
    await #expect(processExitsWith: .failure) {
      [path = path as String, second = second as Int64] in
      let store = try EffectCommandTests.announcing(second, at: path)
      while !store.effectsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    }
    let store = try Self.announcing(1, at: path)
    defer { try? store.closeBlocking() }
    return !store.effectsInFlight.isEmpty
  }

  @Test func `a subscription fails at the second crash, unless it was recorded in between`()
    async throws
  {
    #expect(try await !survives(1_000, nil, 2_000))
    #expect(try await survives(1_000, 5, 2_000))
    #expect(try await !survives(1_000, 5, 1_000))
  }
}

/// A gate that tasks wait at until it is opened.
private final class AsyncGate: Sendable {
  private let state = Lock<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>(
    (false, []))

  func open() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
