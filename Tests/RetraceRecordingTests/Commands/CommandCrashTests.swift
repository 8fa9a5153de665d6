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
  /// A kiosk whose decider traps for the name `decide`, and whose reducer for the name `reduce`.
  enum TrappingKiosk: KioskVariant {
    struct Trapping: Decider, Reducer {
      func decide(
        _ command: KioskCommand, on state: borrowing KioskState, at moment: Moment
      ) throws(KioskRefusal) -> [KioskAction] {
        if case .add("decide", _) = command { fatalError("decide") }
        return try KioskDecider().decide(command, on: state, at: moment)
      }

      func reduce(
        _ state: inout KioskState, _ action: KioskAction, at moment: Moment
      ) -> Effect<KioskAction, KioskDesk> {
        if case .fact(.added(_, let added)) = action, added.entity.name == "reduce" {
          fatalError("reduce")
        }
        return KioskReducer().reduce(&state, action, at: moment)
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
      let store = try Store<TrappingKiosk>.openBlocking(
        at: path, configuration: StoreConfiguration())
      if !isFirst { try store.performBlocking(.add(name: "tea")) }
      try store.performBlocking(.add(name: name), from: .commandLine)
    }
    let store = try Store<KioskApp>.openBlocking(at: path, configuration: StoreConfiguration())
    let recovered = try #require(store.recovered.first)
    #expect(store.recovered.count == 1)
    let crashed = try store.storage.withReadView { view throws(StoreError) in
      try view.withRecord(at: recovered) { try? $0.systemPayload(as: Crashed.self) }
    }
    #expect(crashed?.actions == [KioskCommand.add(name: name).encoded()])
    #expect(crashed?.schema == LogFormat.commandSchemaNumber(1))
    let schema = try store.storage.withReadView { view throws(StoreError) in
      try view.schema(LogFormat.commandSchemaNumber(1))
    }
    #expect(schema == KioskCommand.schema.text)
    #expect(store.state.items.count == (isFirst ? 0 : 1))
    try store.performBlocking(.add(name: name))
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
      let store = try Store<KioskApp>.openBlocking(at: path, configuration: configuration)
      let observation = store.observe { state in
        if state.items.count > 0 { fatalError("publishing") }
      }
      try store.performBlocking(.add(name: "tea"), key: "k")
      observation.cancel()
    }
    let store = try Store<KioskApp>.openBlocking(at: path, configuration: StoreConfiguration())
    #expect(store.recovered == [])
    #expect(store.state.items.count == (place == .committing ? 0 : 1))
    let again = try store.performBlocking(.add(name: "tea"), key: "k")
    #expect(again.wasRepeated == (place == .publishing))
    #expect(again.facts == [.added(KioskItemID(value: 0), name: "tea")])
    #expect(store.state.items.count == 1)
    try store.closeBlocking()
    try FileSystem.removeTree(folder)
  }
}
