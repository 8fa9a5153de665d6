import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

/// A program that crashes while it decides a command or reduces its facts.
@Suite struct CommandCrashTests {
  /// A ledger whose decider traps for the name `decide`, and whose reducer for the name `reduce`.
  enum TrappingLedger: LedgerVariant {
    struct Trapping: Decider, Reducer {
      func decide(
        _ command: LedgerCommand, on state: borrowing LedgerState, at moment: Moment
      ) throws(LedgerRefusal) -> [LedgerAction] {
        if case .open("decide") = command { fatalError("decide") }
        return try LedgerDecider().decide(command, on: state, at: moment)
      }

      func reduce(
        _ state: inout LedgerState, _ action: LedgerAction, at moment: Moment
      ) -> Effect<LedgerAction, Never> {
        if case .opened(_, let opened) = action, opened.entity.name == "reduce" {
          fatalError("reduce")
        }
        return LedgerReducer().reduce(&state, action, at: moment)
      }
    }

    static var reducer: Trapping { Trapping() }
    static var decider: Trapping { Trapping() }
  }

  @Test(arguments: ["decide", "reduce"], [false, true])
  func `the command is recorded as crashed by the next open`(
    name: String, isFirst: Bool
  ) async throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-recording")
    let path = folder + "/store"
    await #expect(processExitsWith: .failure) {
      [path = path as String, name = name as String, isFirst = isFirst as Bool] in
      let store = try Store<TrappingLedger>.openBlocking(
        at: path, configuration: StoreConfiguration())
      if !isFirst { try store.performBlocking(.open(name: "cash")) }
      try store.performBlocking(.open(name: name), from: .commandLine)
    }
    let store = try Store<LedgerApp>.openBlocking(at: path, configuration: StoreConfiguration())
    let recovered = try #require(store.recovered.first)
    #expect(store.recovered.count == 1)
    let crashed = try store.storage.withReadView { view throws(StoreError) in
      try view.withRecord(at: recovered) { try? $0.systemPayload(as: Crashed.self) }
    }
    #expect(crashed?.actions == [LedgerCommand.open(name: name).encoded()])
    #expect(crashed?.schema == LogFormat.commandSchemaNumber(1))
    let schema = try store.storage.withReadView { view throws(StoreError) in
      try view.schema(LogFormat.commandSchemaNumber(1))
    }
    #expect(schema == LedgerCommand.schema.text)
    #expect(store.state.accounts.count == (isFirst ? 0 : 1))
    try store.performBlocking(.open(name: name))
    try store.closeBlocking()
    try FileSystem.removeTree(folder)
  }

  /// Where a process that performs a command ends, besides the decider and the reducer.
  enum Place: String, CaseIterable, Codable {
    case committing, publishing
  }

  @Test(arguments: Place.allCases)
  func `a command whose caller got no answer is performed once, if its key is sent again`(
    place: Place
  ) async throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-recording")
    let path = folder + "/store"
    await #expect(processExitsWith: .failure) {
      [path = path as String, place = place as Place] in
      var configuration = StoreConfiguration()
      if place == .committing {
        configuration.phaseObserver = { phase in
          if phase == .committing { fatalError("committing") }
        }
      }
      let store = try Store<LedgerApp>.openBlocking(at: path, configuration: configuration)
      let observation = store.observe { state in
        if state.accounts.count > 0 { fatalError("publishing") }
      }
      try store.performBlocking(.open(name: "cash"), key: "k")
      observation.cancel()
    }
    let store = try Store<LedgerApp>.openBlocking(at: path, configuration: StoreConfiguration())
    #expect(store.recovered == [])
    #expect(store.state.accounts.count == (place == .committing ? 0 : 1))
    let again = try store.performBlocking(.open(name: "cash"), key: "k")
    #expect(again.wasRepeated == (place == .publishing))
    #expect(again.facts == [.opened(AccountID(value: 0), name: "cash")])
    #expect(store.state.accounts.count == 1)
    try store.closeBlocking()
    try FileSystem.removeTree(folder)
  }
}
