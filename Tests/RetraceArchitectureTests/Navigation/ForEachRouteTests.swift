import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// Reducers of screens, which run on the route with an id.
@Suite struct ForEachRouteTests {
  private typealias Scene = FurnishedScene
  private typealias RouteCase = FurnishedSceneAction.Parts._route

  private struct SceneReducer: Reducer {
    var body: some Reducer<FurnishedScene, FurnishedSceneAction, Desktop> {
      ForEachRoute(\.stack, action: \.route) { FurnitureScreens() }
    }
  }

  private struct FurnitureScreens: RouteReducer {
    var body: some RouteReducer<Furniture, DeskAction, Desktop> {
      IfRoute(\.drawer, action: \.drawer) { DrawerReducer() }
      IfRoute(\.shelf, action: \.tally) { TallyReducer() }
    }
  }

  private let reducer = SceneReducer()
  private let moment = Moment(microseconds: 7)

  @Test func `a route below others is reduced in place, and its effect carries its id [R3]`() {
    var scene = Scene()
    let id = scene.stack.push(.drawer(Drawer()))
    scene.stack.push(.drawer(Drawer()))
    let effect = reducer.reduce(&scene, .route(id, .drawer(.set(4))), at: moment)
    guard case .drawer(let drawer)? = scene.stack[id], case .drawer(let above) = scene.stack.top
    else { return #expect(Bool(false)) }
    #expect(drawer.box.value == 4 && !drawer.wasShared && above.box.value == 0)
    var alone = Drawer()
    let own = DrawerReducer().reduce(&alone, .set(4), at: moment)
    #expect(
      effect
        == own.map(CaseEmbedding<DeskAction.Parts._drawer>())
        .map(ElementEmbedding<RouteCase>(id: id)))
    #expect(!effect.isNone && scene.missing.isEmpty)
  }

  @Test func `an action for a missing route or another screen is reported with its id [R3]`() {
    var scene = Scene()
    let before = scene
    #expect(reducer.reduce(&scene, .other, at: moment).isNone && scene == before)
    #expect(
      reducer.reduce(&scene, .route(scene.stack.topID, .noted("x")), at: moment).isNone
        && scene == before)
    #expect(reducer.reduce(&scene, .route(RouteID(value: 0), .drawer(.set(4))), at: moment).isNone)
    #expect(reducer.reduce(&scene, .route(RouteID(value: 9), .drawer(.set(4))), at: moment).isNone)
    #expect(scene.stack == before.stack)
    #expect(
      scene.missing
        == [MissingTarget(type: "Furniture", id: 0), MissingTarget(type: "Furniture", id: 9)])
  }

  @Test func `each screen of a list gets the actions of its own routes only [R3]`() {
    var scene = Scene()
    let shelf = scene.stack.push(.shelf(4))
    let drawer = scene.stack.push(.drawer(Drawer()))
    #expect(!reducer.reduce(&scene, .route(shelf, .tally(.add)), at: moment).isNone)
    #expect(scene.stack[shelf] == .shelf(5) && scene.missing.isEmpty)
    #expect(reducer.reduce(&scene, .route(drawer, .tally(.add)), at: moment).isNone)
    #expect(scene.stack[drawer] == .drawer(Drawer()))
    #expect(scene.missing == [MissingTarget(type: "Furniture", id: drawer.value)])
  }

  @Test func `a single screen needs no list`() {
    struct Single: Reducer {
      var body: some Reducer<FurnishedScene, FurnishedSceneAction, Desktop> {
        ForEachRoute(\.stack, action: \.route) {
          IfRoute(\.drawer, action: \.drawer) { DrawerReducer() }
        }
      }
    }
    var (scene, other) = (Scene(), Scene())
    let id = scene.stack.push(.drawer(Drawer()))
    other.stack.push(.drawer(Drawer()))
    let action = FurnishedSceneAction.route(id, .drawer(.set(4)))
    let effect = Single().reduce(&scene, action, at: moment)
    #expect(effect == reducer.reduce(&other, action, at: moment) && scene == other)
  }

  @Test func `a late answer reaches its own screen, not the one on top [N2]`() async throws {
    var store = try PlannerTests.signedIn()
    let main = store.state.stack.topID
    let first = try PlannerTests.open(.startEdit(EntryDraft()), in: &store)
    try PlannerTests.send(.screen(first, .startEdit(.described("one"))), in: &store)
    try PlannerTests.ask(first, for: "one", in: &store)
    let second = try PlannerTests.open(.startEdit(EntryDraft(entry: 2)), in: &store)
    try PlannerTests.send(.selected(.calendar), in: &store)
    store.clock.advance(by: .seconds(5))
    await store.run(
      "Send__StartEditAction",
      sending: [.window(main, .main(.screen(first, .startEdit(.suggested("one!")))))]
    ) { $0.modifyTabs { tabs in tabs.modify(first) { $0.suggest("one!") } } }
    guard case .startEdit(let draft)? = store.state.tabs?[.timer][second] else {
      return #expect(Bool(false))
    }
    #expect(draft.suggestions.isEmpty && store.state.missing.isEmpty)
    store.finish()
  }

  @Test func `the effects of a screen end when it leaves its stack, whichever way [N2]`() throws {
    var store = try PlannerTests.signedIn()
    let id = try PlannerTests.open(.startEdit(EntryDraft()), in: &store)
    try PlannerTests.ask(id, for: "", in: &store)
    #expect(issues { store.finish() }.first?.hasPrefix("still in flight: ") == true)
    try PlannerTests.send(.dismissed(id), in: &store)
    store.finish()
    // The same route again is another screen, also in another window.
    let again = try PlannerTests.open(.startEdit(EntryDraft()), in: &store)
    #expect(again != id)
    try PlannerTests.ask(again, for: "", in: &store)
    store.send(.signedOut) { $0.stack.replaceAll(with: .welcome) }
    store.finish()
    store.send(.signedIn) { $0.stack.replaceAll(with: .main(MainState())) }
    let new = try PlannerTests.open(.startEdit(EntryDraft()), in: &store)
    let newest = try PlannerTests.open(.startEdit(EntryDraft()), in: &store)
    #expect([new, newest].contains(again))
    store.finish()
  }

  @Test func `an action for a screen that is gone is recorded as missing [N2]`() throws {
    var store = try PlannerTests.signedIn()
    let main = store.state.stack.topID
    let id = try PlannerTests.open(.startEdit(EntryDraft()), in: &store)
    try PlannerTests.send(.dismissed(id), in: &store)
    store.send(.window(main, .main(.screen(id, .startEdit(.suggested("late")))))) {
      $0.modifyMain { $0.missing = [MissingTarget(type: "MainRoute", id: id.value)] }
    }
    store.finish()
  }
}

/// A scene with a stack of furniture.
struct FurnishedScene: Equatable, ReportsMissingTarget, Composed {
  var stack: BackStack<Furniture> = BackStack(root: .chair)
  var missing: [MissingTarget] = []

  mutating func targetWasMissing(_ target: MissingTarget) { missing.append(target) }
}

/// The actions of a scene with a stack of furniture.
enum FurnishedSceneAction: Equatable, Sendable, Composed {
  case route(RouteID, DeskAction)
  case other
}

/// A route that is a drawer, a shelf with a number of things, or neither.
enum Furniture: Equatable, Composed {
  case chair
  case drawer(Drawer)
  case shelf(Int64)

  var path: String {
    switch self {
    case .chair: "chair"
    case .drawer: "drawer"
    case .shelf: "shelf"
    }
  }
  static var recordedName: String { "Furniture" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .null }
  func encode(into writer: inout AvroWriter) {}
  init(decoding reader: inout AvroReader) throws(AvroError) { self = .chair }
  func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

// In an extension, so that the generator leaves it alone.
extension Furniture: NavigationRoute {}

/// Steps of tests of the planner.
enum PlannerTests {
  /// Returns a store whose window shows the tabs.
  static func signedIn() throws -> TestStore<PlannerApp> {
    var store = TestStore<PlannerApp>()
    store.send(.signedIn) { $0.stack.replaceAll(with: .main(MainState())) }
    return store
  }

  /// Opens a route in the selected tab and returns its id.
  static func open(
    _ route: MainRoute, in store: inout TestStore<PlannerApp>
  ) throws -> RouteID {
    var id: RouteID?
    store.send(.window(store.state.stack.topID, .main(.opened(route)))) {
      $0.modifyTabs { tabs in id = tabs.modify(tabs.selected) { $0.push(route) } }
    }
    return try #require(id)
  }

  /// Asks for suggestions for the description of an editor, which arrive later.
  static func ask(
    _ id: RouteID, for text: String, in store: inout TestStore<PlannerApp>
  ) throws {
    let window = store.state.stack.topID
    let suggestion: Effect<StartEditAction, Never> = .send(.suggested("\(text)!")).delayed(
      by: .seconds(5))
    store.send(
      .window(window, .main(.screen(id, .startEdit(.suggestionsAsked)))),
      effect:
        suggestion
        .map(CaseEmbedding<ScreenAction.Parts._startEdit>())
        .map(ElementEmbedding<MainAction.Parts._screen>(id: id))
        .map(CaseEmbedding<WindowAction.Parts._main>())
        .map(ElementEmbedding<PlannerAction.Parts._window>(id: window)))
  }

  /// Sends an action of the tabs that changes the state as the reducer of the tabs says.
  static func send(
    _ action: MainAction, in store: inout TestStore<PlannerApp>
  ) throws {
    store.send(.window(store.state.stack.topID, .main(action))) { state in
      state.modifyMain { main in
        switch action {
        case .selected(let tab): main.tabs.select(tab)
        case .dismissed(let id):
          _ = main.tabs.modify(main.tabs.selected) { $0.pop(through: id) }
        case .screen(let id, .startEdit(.described(let text))):
          _ = main.tabs.modify(id) { $0.describe(text) }
        default: Issue.record("no expectation for \(action)")
        }
      }
    }
  }
}

extension PlannerState {
  /// Changes the parameters of the route on top, which has the tabs.
  mutating func modifyMain(_ body: (inout MainState) -> Void) {
    guard case .main(var main) = stack.top else { return }
    body(&main)
    stack.top = .main(main)
  }

  /// Changes the tabs.
  mutating func modifyTabs(_ body: (inout TabStacks<PlannerTab, MainRoute>) -> Void) {
    modifyMain { body(&$0.tabs) }
  }
}

extension MainRoute {
  /// Adds a suggestion to the draft.
  mutating func suggest(_ text: String) {
    guard case .startEdit(var draft) = self else { return }
    draft.suggestions.append(text)
    self = .startEdit(draft)
  }

  /// Changes the description of the draft.
  mutating func describe(_ text: String) {
    guard case .startEdit(var draft) = self else { return }
    draft.description = text
    self = .startEdit(draft)
  }
}
