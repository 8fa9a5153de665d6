import RetraceArchitecture
import RetraceFixtures
import RetraceReplay
import RetraceState
import RetraceSystem
import Testing

@testable import RetraceRecording

/// An app that states only its entities, its scene actions, its reducer and its screen.
@Suite struct EntityAppTests {
  private typealias Larder = Store<LarderApp>
  private let jar = JarID(value: 0)

  @Test func `the login is that of the process, so undo works at once`() throws {
    #expect(StoreConfiguration().origin.login == ThisProcess.loginName)
    let store = try Larder.inMemory()
    try store.performBlocking(.jar(.add(name: "honey", spoons: 2)))
    try store.performBlocking(.jar(.take(jar)))
    #expect(try store.undoBlocking() != nil)
    #expect(store.state.larder.jars[jar] == Jar(name: "honey", spoons: 2))
    #expect(try store.redoBlocking() != nil)
    #expect(store.state.larder.jars[jar]?.spoons == 1)
    #expect(LarderApp.editCount(in: store.state) == 4)
  }

  @Test func `an effect asks for a command, whose decision is verified`() async throws {
    let store = try Larder.inMemory(environment: LarderDesk())
    try await store.perform(.jar(.add(name: "honey", spoons: 1)))
    try await store.send(.selected(jar))
    try await store.send(.hungry).settled()
    #expect(store.state.larder.jars[jar]?.spoons == 0)
    // The jar is empty now, so the next command is refused.
    try await store.send(.hungry).settled()
    #expect(store.state.larder.jars[jar]?.spoons == 0)
    do {
      try await store.perform(.jar(.take(JarID(value: 7))))
      Issue.record("the command was accepted")
    } catch {
      guard case .refused(.jar(.noJar), after: _) = error else { throw error }
    }
    let found = try Verifier<LarderApp>.verify(store.storage, decidingCommands: true)
    #expect(found.firstDivergence == nil && found.firstViolations == nil)
    #expect(found.decisions?.divergences == 0 && found.decisions?.decided == 3)
  }

  /// The decider of an app that has its own type of actions.
  private struct OwnDecider: Decider {
    var body: some Decider<LarderCommand, LarderAppState, LarderAction, LarderRefusal> {
      DeciderScope({ $0.larder }, fact: { $0.fact }) { EntityDecider(LarderEntities.self) }
    }
  }

  @Test func `the decider of entities is a child at the root`() throws {
    let state = LarderAppState()
    let moment = Moment(microseconds: 0)
    let add = LarderCommand.jar(.add(name: "honey", spoons: 1))
    let facts = try OwnDecider().decide(add, on: state, at: moment)
    let same = try LarderApp.decider.decide(add, on: state, at: moment)
    #expect(facts.count == 1 && facts == same)
    #expect(throws: LarderRefusal.jar(.noJar(jar))) {
      try OwnDecider().decide(.jar(.take(jar)), on: state, at: moment)
    }
  }

  @Test func `a state with one scene has its back stack, and its screen`() throws {
    let store = try Larder.inMemory()
    let scene = SceneID(value: 0)
    #expect(LarderApp.scenes(in: store.state) == [scene])
    #expect(LarderApp.backStack(of: scene, in: store.state)?.routes == [OnlyRoute.root])
    #expect(LarderApp.backStack(of: SceneID(value: 1), in: store.state) == nil)
  }

  @Test func `the actions of an app of entities are read back, and no name is of its commands`()
    throws
  {
    let actions: [LarderAction] = [
      .scene(.hungry), .fact(.edited(.jar(.inserted(jar, Insertion(Jar(name: "a", spoons: 1)))))),
      .request(.jar(.take(jar))),
    ]
    for action in actions {
      #expect(try LarderAction(encoded: action.encoded().span) == action)
    }
    #expect(LarderAction.recordedName == "EntityAction__LarderSceneAction__LarderEdit")
    #expect(LarderAction.Parts._scene.extract(actions[0]) == .hungry)
    #expect(LarderAction.Parts._scene.extract(actions[1]) == nil)
    #expect(LarderAction.Parts._request.extract(actions[2]) == .jar(.take(jar)))
  }
}
