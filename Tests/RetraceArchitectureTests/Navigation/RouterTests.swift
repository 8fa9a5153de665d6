import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// Routers and coordinators, without a screen.
@Suite struct RouterTests {
  @Test func `base, stack and tab coordinators do what the state asks for [N5]`() async throws {
    let medium = Medium()
    let app = PlannerCoordinator(medium)
    let router = Router<PlannerRoute>(app)
    var store = TestStore<PlannerApp>()
    await router.show(store.state.stack)
    #expect(medium.take() == ["in place welcome"])

    store.send(.signedIn) { $0.stack.replaceAll(with: .main(MainState())) }
    await router.show(store.state.stack)
    #expect(
      medium.take() == [
        "finish welcome", "present main", "tab timer", "new timer", "present timer", "tab reports",
        "new reports", "present reports", "tab calendar", "new calendar", "present calendar",
        "select timer",
      ])

    _ = try PlannerTests.open(.startEdit(EntryDraft(entry: 5)), in: &store)
    await router.show(store.state.stack)
    #expect(medium.take() == ["new entry/edit/5", "present entry/edit/5"])

    try PlannerTests.send(.selected(.reports), in: &store)
    await router.show(store.state.stack)
    #expect(medium.take() == ["select reports"])

    let settings = BackStack<SettingsRoute>(root: .list)
    store.send(.settingsOpened) { $0.stack.push(.settings(settings)) }
    await router.show(store.state.stack)
    #expect(medium.take() == ["present settings", "new ", "present "])
    let about = settings.steps(to: BackStack(root: .list, pushed: [.about]))
    #expect(about.count == 1)
    store.send(.window(store.state.stack.topID, .settings(.opened(.about)))) {
      $0.stack.top = .settings(BackStack(root: .list, pushed: [.about]))
    }
    await router.show(store.state.stack)
    #expect(medium.take() == ["new about", "present about"])
    #expect(
      medium.shown == [
        "window": ["main", "settings"], "settings": ["", "about"], "reports": ["reports"],
        "timer": ["timer", "entry/edit/5"], "calendar": ["calendar"],
      ])

    store.send(.signedOut) { $0.stack.replaceAll(with: .welcome) }
    await router.show(store.state.stack)
    #expect(medium.take() == ["finish settings", "finish main", "in place welcome"])
    #expect(medium.shown == ["window": ["welcome"]] && medium.tab == nil)
  }

  @Test func `a route that is shown in place is asked for once, and ends [N5] [i11]`() async {
    let medium = PlainMedium(inPlace: ["b", "c"])
    let router = Router<Place>(PlainCoordinator("base", medium))
    await router.show(BackStack("a", "b", "c", "d"))
    #expect(
      medium.take() == [
        "base new a", "a present a", "a new b", "a new c", "a new d", "d present d",
      ])
    for _ in 0..<3 { await router.show(BackStack("a", "b", "c", "d")) }
    #expect(medium.take() == [])
    // The parameters and the end of the route reach the coordinator that shows it in place.
    var stack = BackStack("a", "b")
    stack.top.draft = "typed"
    await router.show(stack)
    #expect(medium.take() == ["d finish d", "a finish c", "a update b typed"])
    #expect(router.entries == stack.entries)
    await router.show(BackStack("b"))
    #expect(medium.take() == ["a finish b", "a finish a", "base new b"])
    await router.show(BackStack("b", "a"))
    #expect(medium.take() == ["base new a", "a present a"])
  }

  @Test func `a changed parameter is no navigation [N4]`() async throws {
    let medium = Medium()
    let router = Router<PlannerRoute>(PlannerCoordinator(medium))
    var store = try PlannerTests.signedIn()
    let id = try PlannerTests.open(.startEdit(EntryDraft()), in: &store)
    await router.show(store.state.stack)
    _ = medium.take()
    try PlannerTests.send(.screen(id, .startEdit(.described("typed"))), in: &store)
    await router.show(store.state.stack)
    #expect(medium.take() == [] && medium.updates == 1)
    #expect(router.entries == store.state.stack.entries)
  }

  @Test func `a dismissal by the user becomes an action, and finishes nothing [N9] [i11]`() async {
    let medium = PlainMedium()
    let router = Router<Place>(PlainCoordinator("base", medium))
    var stack = BackStack("a", "b", "c", "d")
    await router.show(stack)
    _ = medium.take()
    // Each dismissal is sent as an action with the id.
    #expect(router.userDismissed() == RouteID(value: 3))
    stack.pop(through: RouteID(value: 3))
    await router.show(stack)
    #expect(medium.take() == [] && router.entries == stack.entries)
    // A dismissal includes the routes above, as with a swipe to the root.
    let second = router.userDismissed(RouteID(value: 1))
    #expect(second == RouteID(value: 1) && router.entries.count == 1)
    stack.pop(through: RouteID(value: 1))
    await router.show(stack)
    #expect(medium.take() == [] && router.entries == stack.entries)
    // Neither the root nor a route that is gone can be dismissed.
    #expect(router.userDismissed() == nil && router.userDismissed(RouteID(value: 1)) == nil)
    #expect(router.entries == stack.entries)
  }

  @Test func `a refused dismissal presents the route again [N9]`() async {
    let medium = PlainMedium()
    let router = Router<Place>(PlainCoordinator("base", medium))
    let stack = BackStack("a", "b", "c")
    await router.show(stack)
    _ = medium.take()
    #expect(router.userDismissed(RouteID(value: 1)) == RouteID(value: 1))
    await router.show(stack)
    #expect(medium.take() == ["a new b", "b present b", "b new c", "c present c"])
    #expect(router.entries == stack.entries)
  }

  @Test func `a tab that the user selects is not selected again [N7, N9]`() async throws {
    let medium = Medium()
    let app = PlannerCoordinator(medium)
    let router = Router<PlannerRoute>(app)
    var store = try PlannerTests.signedIn()
    await router.show(store.state.stack)
    _ = medium.take()
    let tabs = try #require(app.main).tabs
    tabs.userSelected(.calendar)
    try PlannerTests.send(.selected(.calendar), in: &store)
    await router.show(store.state.stack)
    #expect(medium.take() == [] && tabs.selected == .calendar)
    // A dismissal in a tab has the id of the entry in that tab.
    let id = try PlannerTests.open(.calendar(event: 4), in: &store)
    await router.show(store.state.stack)
    #expect(medium.take() == ["new calendar", "present calendar"])
    #expect(tabs.router(of: .calendar).userDismissed() == id)
    try PlannerTests.send(.dismissed(id), in: &store)
    await router.show(store.state.stack)
    #expect(medium.take() == [])
  }

  @Test @MainActor func `steps are done one at a time, and the newest stack wins [N5]`() async {
    let medium = PlainMedium()
    let router = Router<Place>(PlainCoordinator("base", medium))
    await router.show(BackStack("a", "b", "c"))
    _ = medium.take()
    medium.isSlow = true
    let first = Task { await router.show(BackStack("a", "d")) }
    await medium.reached("c finish c")
    // While the first step is under way, two other stacks are shown; both calls return.
    await router.show(BackStack("x"))
    await router.show(BackStack("a", "b", "e"))
    #expect(medium.trace == ["c finish c"] && router.entries.map(\.route.name) == ["a", "b", "c"])
    medium.release()
    await medium.reached("e present e")
    #expect(medium.trace == ["c finish c", "b new e", "e present e"])
    medium.release()
    await first.value
    #expect(router.entries == BackStack("a", "b", "e").entries)
  }

  @Test @MainActor func `a dismissal while steps are under way is not undone [N9]`() async {
    let medium = PlainMedium()
    let router = Router<Place>(PlainCoordinator("base", medium))
    await router.show(BackStack("a", "b", "c"))
    _ = medium.take()
    medium.isSlow = true
    let showing = Task { await router.show(BackStack("a", "b")) }
    await medium.reached("c finish c")
    // The user dismisses both at once; the medium has nothing left to do.
    #expect(router.userDismissed(RouteID(value: 1)) == RouteID(value: 1))
    medium.release()
    await showing.value
    #expect(medium.trace == ["c finish c"] && router.entries == BackStack("a").entries)
  }

  @Test @MainActor func `a parameter that is not a number is no reason for an update`() async {
    let coordinator = ZoomCoordinator()
    let router = Router<ZoomedMap>(coordinator)
    coordinator.router = router
    for _ in 0..<3 { await router.show(BackStack(root: ZoomedMap(zoom: .nan))) }
    #expect(coordinator.updates == 0)
    // The encodings differ, although the values are equal.
    await router.show(BackStack(root: ZoomedMap(zoom: 0)))
    await router.show(BackStack(root: ZoomedMap(zoom: -0.0)))
    #expect(coordinator.updates == 2)
    let medium = PlainMedium()
    let places = Router<Place>(PlainCoordinator("base", medium))
    var stack = BackStack("a")
    for draft in ["\u{e9}", "e\u{301}"] {
      stack.top.draft = draft
      await places.show(stack)
    }
    #expect(medium.take().last?.utf8.elementsEqual("a update a e\u{301}".utf8) == true)
  }

  /// Returns a router that shows tabs, and the tabs; then the medium is slow.
  @MainActor private func shownTabs(
    _ medium: PlainMedium
  ) async -> (router: TabRouter<Side, Place>, tabs: TabStacks<Side, Place>) {
    let router = TabRouter<Side, Place>(PlainTabs(medium))
    var tabs = TabStacks<Side, Place>(selected: .left) { Place("\($0)") }
    tabs.modify(.right) { $0.push(Place("b")) }
    await router.show(tabs)
    _ = medium.take()
    medium.isSlow = true
    return (router, tabs)
  }

  /// Returns tabs with more routes in the left one.
  private func pushing(
    _ names: [String], on tabs: TabStacks<Side, Place>
  ) -> TabStacks<Side, Place> {
    var tabs = tabs
    for name in names { tabs.modify(.left) { $0.push(Place(name)) } }
    return tabs
  }

  @Test @MainActor
  func `a dismissal in another tab while tabs are shown is not undone [N7, N9]`() async {
    let medium = PlainMedium()
    let (router, tabs) = await shownTabs(medium)
    let next = pushing(["c"], on: tabs)
    let showing = Task { await router.show(next) }
    await medium.reached("c present c")
    #expect(router.router(of: .right).userDismissed() == tabs[.right].topID)
    medium.isSlow = false
    medium.release()
    await showing.value
    #expect(medium.take() == ["left new c", "c present c"])
    #expect(router.router(of: .right).entries.map(\.route.name) == ["right"])
    // The app has refused it, so it is presented again.
    await router.show(next)
    #expect(medium.take() == ["right new b", "b present b"])
  }

  @Test @MainActor
  func `a tab that the user selects while tabs are shown stays selected [N7, N9]`() async {
    let medium = PlainMedium()
    let (router, tabs) = await shownTabs(medium)
    let next = pushing(["c"], on: tabs)
    let showing = Task { await router.show(next) }
    await medium.reached("c present c")
    router.userSelected(.right)
    medium.isSlow = false
    medium.release()
    await showing.value
    #expect(medium.take() == ["left new c", "c present c"] && router.selected == .right)
  }

  @Test @MainActor
  func `newer tabs are the aim of a stack whose steps are under way [N5, N7]`() async {
    let medium = PlainMedium()
    let (router, tabs) = await shownTabs(medium)
    let next = pushing(["c", "d", "e", "f"], on: tabs)
    let showing = Task { await router.show(next) }
    await medium.reached("c present c")
    var last = tabs
    last.select(.right)
    last.modify(.right) { $0.pop() }
    await router.show(last)
    medium.isSlow = false
    medium.release()
    await showing.value
    #expect(
      medium.take() == [
        "left new c", "c present c", "c finish c", "b finish b", "select right",
      ])
    for tab in Side.allCases {
      #expect(router.router(of: tab).entries == last[tab].entries)
    }
  }

  /// A route that contains a stack.
  private func nested(_ names: [String]) -> BackStack<Outer> {
    BackStack(
      root: Outer(inner: BackStack(root: Place("a"), pushed: names.map { Place($0) })))
  }

  @Test @MainActor
  func `a router within a route goes on to the newest stack at once [N5]`() async {
    let medium = PlainMedium()
    let coordinator = OuterCoordinator(medium)
    let router = Router<Outer>(coordinator)
    await router.show(nested([]))
    _ = medium.take()
    medium.isSlow = true
    let (next, last) = (nested(["b", "c", "d", "e"]), nested(["f"]))
    let showing = Task { await router.show(next) }
    await medium.reached("b present b")
    await router.show(last)
    medium.isSlow = false
    medium.release()
    await showing.value
    #expect(
      medium.take() == ["a new b", "b present b", "b finish b", "a new f", "f present f"])
    #expect(router.entries == last.entries)
  }

  @Test @MainActor
  func `a dismissal within a route is not undone by steps that were asked for before [N9]`() async {
    let medium = PlainMedium()
    let coordinator = OuterCoordinator(medium)
    let router = Router<Outer>(coordinator)
    await router.show(nested(["b"]))
    _ = medium.take()
    medium.isSlow = true
    let (next, last) = (nested(["b", "c"]), nested(["b", "c", "d"]))
    let showing = Task { await router.show(next) }
    await medium.reached("c present c")
    await router.show(last)
    // Before the router comes to the newest stack, the user goes back to the root.
    #expect(coordinator.router.userDismissed(RouteID(value: 1)) == RouteID(value: 1))
    medium.isSlow = false
    medium.release()
    await showing.value
    #expect(medium.take() == ["b new c", "c present c"])
    #expect(coordinator.router.entries.map(\.route.name) == ["a"])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `after random actions the routers show what the state says, in the fewest steps [N4, N9]`(
    seed: UInt64
  ) async throws {
    var generator = withSeed(default: seed) { $0 }
    let medium = Medium()
    let app = PlannerCoordinator(medium)
    let router = Router<PlannerRoute>(app)
    var fold = Fold<PlannerApp>()
    await router.show(fold.state.stack)
    for _ in 0..<repetitions(1_000) {
      // Several actions may come before the next call.
      let before = fold.state
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let action = PlannerAction.random(on: fold.state, using: &generator)
        _ = fold.apply(action, at: Moment(microseconds: 0), sequence: fold.sequence + 1)
      }
      _ = medium.take()
      await router.show(fold.state.stack)
      expect(medium, router, app, show: fold.state)
      expectFewestCalls(of: medium, from: before, to: fold.state)
      // The user dismisses something; the app follows, or refuses.
      guard Bool.random(using: &generator), let id = router.userDismissed() else { continue }
      if Bool.random(using: &generator) {
        _ = fold.apply(.dismissed(id), at: Moment(microseconds: 0), sequence: fold.sequence + 1)
      }
      _ = medium.shown["window"]?.popLast()
      medium.shown["settings"] = nil
      await router.show(fold.state.stack)
      expect(medium, router, app, show: fold.state)
    }
  }

  /// Expects as many calls as there are routes to present and to finish.
  private func expectFewestCalls(
    of medium: Medium, from old: PlannerState, to new: PlannerState
  ) {
    let steps = old.stack.steps(to: new.stack)
    #expect(medium.presented["window", default: 0] == steps.count(where: { $0 != .pop }))
    let isReplaced = steps.first.map { step in
      if case .replaceAll = step { true } else { false }
    }
    let pops = isReplaced == true ? old.stack.entries.count : steps.count(where: { $0 == .pop })
    #expect(medium.finished["window", default: 0] == pops)
    guard let tabs = new.tabs else { return }
    for tab in PlannerTab.allCases {
      var pushes = tabs[tab].entries.count
      var pops = 0
      if isReplaced != true, let old = old.tabs {
        let steps = old[tab].steps(to: tabs[tab])
        (pushes, pops) = (0, 0)
        for step in steps {
          switch step {
          case .pop: pops += 1
          case .push: pushes += 1
          case .replaceAll: (pushes, pops) = (pushes + 1, old[tab].entries.count)
          }
        }
      }
      #expect(medium.presented["\(tab)", default: 0] == pushes)
      #expect(medium.finished["\(tab)", default: 0] == pops)
    }
    let selections = medium.trace.count(where: { $0.hasPrefix("select") })
    let isSame = isReplaced != true && old.tabs?.selected == tabs.selected
    #expect(selections == (isSame ? 0 : 1))
  }

  /// Expects the medium and the routers to show a state, with all parameters.
  private func expect(
    _ medium: Medium, _ router: Router<PlannerRoute>, _ app: PlannerCoordinator,
    show state: PlannerState
  ) {
    #expect(router.entries == state.stack.entries)
    #expect(medium.shown["window"] == state.stack.routes.map(\.path))
    #expect(medium.tab == state.tabs?.selected)
    for tab in PlannerTab.allCases {
      #expect(medium.shown["\(tab)"] == state.tabs.map { $0[tab].routes.map(\.path) })
      guard let tabs = state.tabs, let shown = app.main?.tabs else { continue }
      #expect(shown.router(of: tab).entries == tabs[tab].entries)
    }
    if case .settings(let settings) = state.stack.top {
      #expect(medium.shown["settings"] == settings.routes.map(\.path))
      #expect(app.settings?.router.entries == settings.entries)
    }
  }
}

extension PlannerAction {
  /// Returns a random action; most change what is shown.
  fileprivate static func random(
    on state: PlannerState, using generator: inout SeededGenerator
  ) -> PlannerAction {
    let window = state.stack.entries.randomElement(using: &generator)?.id ?? state.stack.topID
    let number = Int64.random(in: 0...2, using: &generator)
    let routes: [MainRoute] = [
      .timer, .reports(ReportRange(start: number)), .calendar(event: number),
      .startEdit(EntryDraft(entry: number)),
    ]
    let route = routes.randomElement(using: &generator) ?? .timer
    let id = RouteID(value: Int64.random(in: 0...12, using: &generator))
    switch Int.random(in: 0..<16, using: &generator) {
    case 0: return .signedOut
    case 1...2: return .signedIn
    case 3: return state.tabs != nil && state.stack.entries.count == 1 ? .settingsOpened : .signedIn
    case 4: return .dismissed(window)
    case 5...6:
      return .window(
        window, .main(.selected(PlannerTab.allCases.randomElement(using: &generator) ?? .timer)))
    case 7...9: return .window(window, .main(.opened(route)))
    case 10: return .window(window, .main(.replaced(route)))
    case 11: return .window(window, .main(.dismissed(id)))
    case 12: return .window(window, .main(.screen(id, .startEdit(.described("\(number)")))))
    case 13...14:
      return .window(
        window,
        .settings(Bool.random(using: &generator) ? .opened(.about) : .opened(.licences)))
    default: return .window(window, .settings(.dismissed(id)))
    }
  }
}

/// The medium of plain routes, which is slow on request.
private final class PlainMedium {
  var trace: [String] = []
  var isSlow = false
  let inPlace: Set<String>
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(inPlace: Set<String> = []) { self.inPlace = inPlace }

  func take() -> [String] {
    defer { trace = [] }
    return trace
  }

  /// Returns when a call is the last one and waits for its end.
  func reached(_ call: String) async {
    while trace.last != call || (isSlow && waiting.isEmpty) { await Task.yield() }
  }

  /// Ends the call that waits.
  func release() {
    waiting.removeFirst().resume()
  }

  func call(_ text: String) async {
    trace.append(text)
    if isSlow { await withCheckedContinuation { waiting.append($0) } }
  }
}

/// The coordinator of a plain route.
private final class PlainCoordinator: Coordinator {
  let name: String
  let medium: PlainMedium

  init(_ name: String, _ medium: PlainMedium) { (self.name, self.medium) = (name, medium) }

  func newRoute(_ entry: BackStack<Place>.Entry) -> (any Coordinator<Place>)? {
    medium.trace.append("\(name) new \(entry.route.name)")
    if medium.inPlace.contains(entry.route.name) { return nil }
    return PlainCoordinator(entry.route.name, medium)
  }

  func present(_ entry: BackStack<Place>.Entry) async {
    await medium.call("\(name) present \(entry.route.name)")
  }

  func update(_ entry: BackStack<Place>.Entry) async {
    await medium.call("\(name) update \(entry.route.name) \(entry.route.draft)")
  }

  func finish(_ entry: BackStack<Place>.Entry) async {
    await medium.call("\(name) finish \(entry.route.name)")
  }
}

/// The medium of plain tabs.
private final class PlainTabs: TabCoordinator {
  private let medium: PlainMedium

  init(_ medium: PlainMedium) { self.medium = medium }

  func newTab(_ tab: Side) -> any Coordinator<Place> { PlainCoordinator("\(tab)", medium) }

  func select(_ tab: Side) async { medium.trace.append("select \(tab)") }
}

/// A map with a parameter that may be no number.
private struct ZoomedMap: NavigationRoute {
  var zoom: Double

  init(zoom: Double) { self.zoom = zoom }
  var path: String { "map" }

  static var recordedName: String { "ZoomedMap" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .double }
  func encode(into writer: inout AvroWriter) { writer.double(zoom) }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    self.init(zoom: try reader.double())
  }
}

/// The coordinator of the map, which ends a router that updates it for ever.
private final class ZoomCoordinator: Coordinator {
  weak var router: Router<ZoomedMap>?
  var updates = 0

  func newRoute(_ entry: BackStack<ZoomedMap>.Entry) -> (any Coordinator<ZoomedMap>)? { nil }
  func present(_ entry: BackStack<ZoomedMap>.Entry) async {}
  func finish(_ entry: BackStack<ZoomedMap>.Entry) async {}
  func update(_ entry: BackStack<ZoomedMap>.Entry) async {
    updates += 1
    if updates > 10 { await router?.show(BackStack(root: ZoomedMap(zoom: 1))) }
  }
}

/// A route that contains a stack.
private struct Outer: NavigationRoute {
  var inner: BackStack<Place>

  init(inner: BackStack<Place>) { self.inner = inner }
  var path: String { "outer" }

  static var recordedName: String { "Outer" }
  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.schema(of: BackStack<Place>.self)
  }
  func encode(into writer: inout AvroWriter) { inner.encode(into: &writer) }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    inner = try BackStack(decoding: &reader)
  }
}

/// The coordinator of the app of such a route.
private final class OuterCoordinator: Coordinator {
  let router: Router<Place>

  init(_ medium: PlainMedium) { router = Router(PlainCoordinator("base", medium)) }

  func newRoute(_ entry: BackStack<Outer>.Entry) -> (any Coordinator<Outer>)? {
    OuterRoute(router)
  }

  func present(_ entry: BackStack<Outer>.Entry) async {}
  func finish(_ entry: BackStack<Outer>.Entry) async {}
}

/// The coordinator of one route that contains a stack.
private final class OuterRoute: Coordinator {
  private let router: Router<Place>

  init(_ router: Router<Place>) { self.router = router }

  func newRoute(_ entry: BackStack<Outer>.Entry) -> (any Coordinator<Outer>)? { nil }
  func aim(at entry: BackStack<Outer>.Entry) { router.aim(at: entry.route.inner) }
  func present(_ entry: BackStack<Outer>.Entry) async { await router.proceed() }
  func update(_ entry: BackStack<Outer>.Entry) async { await router.proceed() }
  func finish(_ entry: BackStack<Outer>.Entry) async {}
}
