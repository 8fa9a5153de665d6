import RetraceArchitecture
import RetraceFixtures
import Testing

/// A medium without windows: what it shows, and the calls of coordinators.
final class Medium {
  /// What the medium shows of one stack, the root first.
  var shown: [String: [String]] = [:]
  /// The tab on the medium.
  var tab: PlannerTab?
  /// The calls, in order; updates are left out.
  var trace: [String] = []
  /// The number of updates.
  var updates = 0
  /// The numbers of routes that were presented and finished in each stack.
  private(set) var presented: [String: Int] = [:]
  private(set) var finished: [String: Int] = [:]

  /// Shows a route on top of a stack.
  func push(_ path: String, on stack: String) {
    shown[stack, default: []].append(path)
    presented[stack, default: 0] += 1
  }

  /// Removes the topmost route of a stack.
  func pop(_ path: String, from stack: String) {
    trace.append("finish \(path)")
    let last = shown[stack]?.popLast()
    if last != path { Issue.record("\(path) is not on top of \(stack)") }
    finished[stack, default: 0] += 1
  }

  /// Returns the calls since the last time, and forgets them and their numbers.
  func take() -> [String] {
    defer { (trace, presented, finished) = ([], [:], [:]) }
    return trace
  }
}

/// The coordinator of a route without routes of its own.
class ScreenCoordinator<Route: LinkedRoute>: Coordinator {
  let medium: Medium
  /// The name of the stack.
  let stack: String

  init(_ medium: Medium, _ stack: String) { (self.medium, self.stack) = (medium, stack) }

  func newRoute(_ entry: BackStack<Route>.Entry) -> (any Coordinator<Route>)? {
    medium.trace.append("new \(entry.route.path)")
    return ScreenCoordinator(medium, stack)
  }

  func aim(at entry: BackStack<Route>.Entry) {}

  func present(_ entry: BackStack<Route>.Entry) async {
    medium.trace.append("present \(entry.route.path)")
    medium.push(entry.route.path, on: stack)
  }

  func update(_ entry: BackStack<Route>.Entry) async {
    medium.updates += 1
  }

  func finish(_ entry: BackStack<Route>.Entry) async {
    medium.pop(entry.route.path, from: stack)
  }
}

/// The coordinator of the app: it shows `welcome` in place.
final class PlannerCoordinator: ScreenCoordinator<PlannerRoute> {
  init(_ medium: Medium) { super.init(medium, "window") }

  private(set) var main: MainCoordinator?
  private(set) var settings: SettingsCoordinator?

  override func newRoute(
    _ entry: BackStack<PlannerRoute>.Entry
  ) -> (any Coordinator<PlannerRoute>)? {
    switch entry.route {
    case .welcome:
      medium.trace.append("in place \(entry.route.path)")
      medium.push("welcome", on: stack)
      return nil
    case .main:
      let coordinator = MainCoordinator(medium, self)
      main = coordinator
      return coordinator
    case .settings:
      // The router asks the coordinator of the route below.
      medium.trace.append("unexpected \(entry.route.path)")
      return nil
    }
  }

  fileprivate func newSettings() -> SettingsCoordinator {
    let coordinator = SettingsCoordinator(medium)
    settings = coordinator
    return coordinator
  }
}

/// The coordinator of the tabs: a tab bar with a stack for each tab.
final class MainCoordinator: ScreenCoordinator<PlannerRoute> {
  let tabs: TabRouter<PlannerTab, MainRoute>
  private unowned let app: PlannerCoordinator

  init(_ medium: Medium, _ app: PlannerCoordinator) {
    self.app = app
    tabs = TabRouter(TabBar(medium))
    super.init(medium, "window")
  }

  override func newRoute(
    _ entry: BackStack<PlannerRoute>.Entry
  ) -> (any Coordinator<PlannerRoute>)? {
    app.newSettings()
  }

  override func present(_ entry: BackStack<PlannerRoute>.Entry) async {
    medium.trace.append("present main")
    medium.push("main", on: stack)
    await tabs.proceed()
  }

  override func aim(at entry: BackStack<PlannerRoute>.Entry) {
    if case .main(let main) = entry.route { tabs.aim(at: main.tabs) }
  }

  override func update(_ entry: BackStack<PlannerRoute>.Entry) async { await tabs.proceed() }

  override func finish(_ entry: BackStack<PlannerRoute>.Entry) async {
    for tab in PlannerTab.allCases { medium.shown["\(tab)"] = nil }
    medium.tab = nil
    await super.finish(entry)
  }
}

/// The tab bar.
final class TabBar: TabCoordinator {
  private let medium: Medium

  init(_ medium: Medium) { self.medium = medium }

  func newTab(_ tab: PlannerTab) -> any Coordinator<MainRoute> {
    medium.trace.append("tab \(tab)")
    return ScreenCoordinator<MainRoute>(medium, "\(tab)")
  }

  func select(_ tab: PlannerTab) async {
    medium.trace.append("select \(tab)")
    medium.tab = tab
  }
}

/// The coordinator of the settings, a stack above the tabs.
final class SettingsCoordinator: ScreenCoordinator<PlannerRoute> {
  let router: Router<SettingsRoute>

  init(_ medium: Medium) {
    router = Router(ScreenCoordinator<SettingsRoute>(medium, "settings"))
    super.init(medium, "window")
  }

  override func present(_ entry: BackStack<PlannerRoute>.Entry) async {
    medium.trace.append("present settings")
    medium.push("settings", on: stack)
    await router.proceed()
  }

  override func aim(at entry: BackStack<PlannerRoute>.Entry) {
    if case .settings(let settings) = entry.route { router.aim(at: settings) }
  }

  override func update(_ entry: BackStack<PlannerRoute>.Entry) async { await router.proceed() }

  override func finish(_ entry: BackStack<PlannerRoute>.Entry) async {
    medium.shown["settings"] = nil
    await super.finish(entry)
  }
}
