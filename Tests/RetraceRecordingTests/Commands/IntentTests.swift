import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceScreen
import RetraceState
import RetraceStorage
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
      let refusal = try await waiting.carryOut(intents)
      #expect(try blocking.carryOutBlocking(intents) == refusal)
    }
    #expect(waiting.state == blocking.state && waiting.sequence == blocking.sequence)
    try await waiting.close()
    try await blocking.close()
  }
}
