package import RetraceArchitecture
package import RetraceState

/// The reducer of the editor of an entry.
package struct StartEditReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// Reduces an action; a suggestion arrives after five seconds.
  package func reduce(
    _ state: inout EntryDraft, _ action: StartEditAction, at moment: Moment
  ) -> Effect<StartEditAction, Never> {
    switch action {
    case .described(let text): state.description = text
    case .suggestionsAsked:
      return Effect.send(.suggested("\(state.description)!")).delayed(by: .seconds(5))
    case .suggested(let text): state.suggestions.append(text)
    }
    return .none
  }
}

/// The reducer of a report.
package struct ReportsReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// Shows another range.
  package func reduce(
    _ state: inout ReportRange, _ action: ReportRange, at moment: Moment
  ) -> Effect<ReportRange, Never> {
    state = action
    return .none
  }
}

/// The reducer of the tabs.
package struct TabsReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// Selects tabs, opens and dismisses routes in them.
  package func reduce(
    _ state: inout MainState, _ action: MainAction, at moment: Moment
  ) -> Effect<MainAction, Never> {
    switch action {
    case .selected(let tab): state.tabs.select(tab)
    case .opened(let route): state.tabs.modify(state.tabs.selected) { $0.push(route) }
    case .replaced(let route): state.tabs.modify(state.tabs.selected) { $0.replaceTop(with: route) }
    case .dismissed(let id):
      guard let tab = state.tabs.tab(of: id) else { break }
      state.tabs.modify(tab) { $0.pop(through: id) }
    case .screen: break
    }
    return .none
  }
}

/// The reducer of the settings.
package struct SettingsReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// Opens and dismisses routes of the settings.
  package func reduce(
    _ state: inout BackStack<SettingsRoute>, _ action: SettingsAction, at moment: Moment
  ) -> Effect<SettingsAction, Never> {
    switch action {
    case .opened(let route): state.push(route)
    case .dismissed(let id): state.pop(through: id)
    }
    return .none
  }
}

/// The reducer of the window.
package struct WindowReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// Opens and dismisses routes of the window, links and pages outside the app.
  package func reduce(
    _ state: inout PlannerState, _ action: PlannerAction, at moment: Moment
  ) -> Effect<PlannerAction, Never> {
    switch action {
    case .signedIn: state.stack.replaceAll(with: .main(MainState()))
    case .signedOut: state.stack.replaceAll(with: .welcome)
    case .settingsOpened: state.stack.push(.settings(BackStack(root: .list)))
    case .dismissed(let id): state.stack.pop(through: id)
    case .linkOpened(let text): state.open(text)
    case .helpAsked(let page): state.externalPage = page
    case .externalPageShown: state.externalPage = nil
    case .window: break
    }
    return .none
  }
}

/// The screens of the window.
package struct WindowScreens: RouteReducer {
  /// Makes a reducer.
  package init() {}

  /// The reducers of the screens.
  package var body: some RouteReducer<PlannerRoute, WindowAction, Never> {
    IfRoute(\.main, action: \.main) {
      TabsReducer()
        .forEachRoute(\.tabs, action: \.screen) { TabScreens() }
    }
    IfRoute(\.settings, action: \.settings) { SettingsReducer() }
  }
}

/// The screens in the tabs.
package struct TabScreens: RouteReducer {
  /// Makes a reducer.
  package init() {}

  /// The reducers of the screens.
  package var body: some RouteReducer<MainRoute, ScreenAction, Never> {
    IfRoute(\.startEdit, action: \.startEdit) { StartEditReducer() }
    IfRoute(\.reports, action: \.reports) { ReportsReducer() }
  }
}

extension PlannerState {
  /// Opens the route of a link, with the routes below it.
  fileprivate mutating func open(_ text: String) {
    do throws(DeepLinkError) {
      let route = try PlannerRoute(DeepLink(parsing: text, scheme: "planner"))
      problem = nil
      switch route {
      case .welcome, .main: stack.replaceAll(with: route)
      case .settings: stack.replaceAll(with: .main(MainState()), pushed: [route])
      }
    } catch {
      problem = error.description
    }
  }
}
