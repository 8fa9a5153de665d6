import RetraceArchitecture
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

@testable import RetraceRecording

/// A scene with nested stacks and tabs after a restart.
@Suite struct RestoredNavigationTests {
  private typealias Actions = [PlannerAction]

  /// Opens a draft in one tab, a report in another one, and a sheet above them.
  private func session(_ store: Store<PlannerApp>) throws -> PlannerState {
    try store.sendBlocking([.signedIn])
    let main = store.state.stack.topID
    try store.sendBlocking([.window(main, .main(.opened(.startEdit(EntryDraft(entry: 7)))))])
    let editor = try #require(store.state.tabs).shown.topID
    let keys = ["c", "ca", "caf", "café"].map { text in
      PlannerAction.window(main, .main(.screen(editor, .startEdit(.described(text)))))
    }
    try store.sendBlocking(keys)
    try store.sendBlocking([.window(main, .main(.selected(.reports)))])
    let report = try #require(store.state.tabs).shown.topID
    let range = ReportRange(start: 3, end: 9)
    try store.sendBlocking([
      .window(main, .main(.screen(report, .reports(range)))), .settingsOpened,
    ])
    let settings = store.state.stack.topID
    let receipt = try store.sendBlocking([.window(settings, .settings(.opened(.about)))])
    return receipt.state
  }

  @Test func `a cold start reaches the stacks with their parameters [N11] [H8]`() async throws {
    let folder = try ScratchDirectory.make()
    defer { ScratchDirectory.remove(folder) }
    let path = "\(folder)/store"
    let store = try Store<PlannerApp>.openBlocking(at: path, configuration: StoreConfiguration())
    let before = try session(store)
    #expect(before.missing.isEmpty && before.stack.routes.count == 2)
    try store.closeBlocking()

    let reopened = try Store<PlannerApp>.openBlocking(at: path, configuration: StoreConfiguration())
    let state = reopened.state
    #expect(state == before)
    let window = WindowOfRoutes()
    let router = Router<PlannerRoute>(window)
    await router.show(state.stack)
    #expect(router.entries == before.stack.entries && window.coordinators == 2)
    guard case .main(let main) = before.stack.root, case .settings(let about) = before.stack.top
    else { return #expect(Bool(false)) }
    for tab in PlannerTab.allCases {
      #expect(window.tabs.router(of: tab).entries == main.tabs[tab].entries)
    }
    #expect(window.tabs.selected == .reports && window.settings.entries == about.entries)
    let drafts = window.tabs.router(of: .timer).entries.map(\.route)
    var draft = EntryDraft(entry: 7)
    draft.description = "café"
    #expect(drafts == [.timer, .startEdit(draft)])
    #expect(
      window.tabs.router(of: .reports).entries.map(\.route)
        == [.reports(ReportRange(start: 3, end: 9))])

    // The ids go on where they ended: an answer from before still reaches its screen.
    let editor = try #require(window.tabs.router(of: .timer).entries.last).id
    let late = PlannerAction.window(
      before.stack.entries[0].id, .main(.screen(editor, .startEdit(.suggested("tea")))))
    let answered = try reopened.sendBlocking([late]).state
    #expect(answered.missing.isEmpty && answered.stack.root != before.stack.root)
    try reopened.closeBlocking()
  }

  @Test func `each record of a log leads to the stack that was shown then [N11]`() async throws {
    let folder = try ScratchDirectory.make()
    defer { ScratchDirectory.remove(folder) }
    let path = "\(folder)/store"
    let store = try Store<PlannerApp>.openBlocking(at: path, configuration: StoreConfiguration())
    let last = try session(store)
    try store.closeBlocking()
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var replayer = try Replayer<PlannerApp>(storage)
    // One router follows from record to record; a new one starts cold at each.
    let followed = WindowOfRoutes()
    let following = Router<PlannerRoute>(followed)
    for sequence in 1...replayer.last {
      try replayer.seek(to: sequence)
      let state = replayer.state
      await following.show(state.stack)
      let window = WindowOfRoutes()
      let router = Router<PlannerRoute>(window)
      await router.show(state.stack)
      #expect(router.entries == state.stack.entries && following.entries == router.entries)
      guard let tabs = state.tabs else { continue }
      for tab in PlannerTab.allCases {
        #expect(window.tabs.router(of: tab).entries == tabs[tab].entries)
        #expect(followed.tabs.router(of: tab).entries == tabs[tab].entries)
      }
    }
    #expect(replayer.state == last)
  }
}

extension ScratchDirectory {
  /// Removes a directory that was made.
  fileprivate static func remove(_ path: String) { try? FileSystem.removeTree(path) }
}

/// A coordinator of every route of the planner's scene, with routers for the routes within.
private final class WindowOfRoutes: Coordinator {
  let tabs = TabRouter<PlannerTab, MainRoute>(TabScreens())
  let settings = Router<SettingsRoute>(AnyScreen<SettingsRoute>())
  private(set) var coordinators = 0

  func newRoute(
    _ entry: BackStack<PlannerRoute>.Entry
  ) -> (any Coordinator<PlannerRoute>)? {
    self
  }

  func present(_ entry: BackStack<PlannerRoute>.Entry) async {
    coordinators += 1
    await update(entry)
  }

  func update(_ entry: BackStack<PlannerRoute>.Entry) async {
    switch entry.route {
    case .welcome: break
    case .main(let main): await tabs.show(main.tabs)
    case .settings(let stack): await settings.show(stack)
    }
  }

  func finish(_ entry: BackStack<PlannerRoute>.Entry) async {}
}

/// A coordinator of routes without routes of their own.
private final class AnyScreen<Route: NavigationRoute>: Coordinator {
  func newRoute(_ entry: BackStack<Route>.Entry) -> (any Coordinator<Route>)? { AnyScreen() }
  func present(_ entry: BackStack<Route>.Entry) async {}
  func finish(_ entry: BackStack<Route>.Entry) async {}
}

/// The tab bar.
private final class TabScreens: TabCoordinator {
  func newTab(_ tab: PlannerTab) -> any Coordinator<MainRoute> { AnyScreen<MainRoute>() }
  func select(_ tab: PlannerTab) async {}
}
