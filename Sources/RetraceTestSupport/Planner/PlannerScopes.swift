package import RetraceArchitecture

/// The place of the window's routes.
package enum WindowRoutes: RouteScope {
  /// Returns the id and the action of a route of the window.
  package static func extract(
    _ action: PlannerAction
  ) -> (id: RouteID, action: WindowAction)? {
    if case .window(let id, let action) = action { (id, action) } else { nil }
  }

  /// Wraps an action of a route of the window.
  package static func embed(_ action: WindowAction, for id: RouteID) -> PlannerAction {
    .window(id, action)
  }

  /// Calls `body` with the route in place.
  package static func with<Result>(
    _ parent: inout PlannerState, _ id: RouteID, _ body: (inout PlannerRoute) -> Result
  ) -> Result? { parent.stack.modify(id, body) }
}

/// The case of the window's routes that has the tabs.
package enum MainCase: ScreenScope {
  /// Returns the action of the tabs.
  package static func extract(_ action: WindowAction) -> MainAction? {
    if case .main(let action) = action { action } else { nil }
  }

  /// Wraps an action of the tabs.
  package static func embed(_ action: MainAction) -> WindowAction { .main(action) }

  /// Calls `body` with the tabs in place.
  package static func with<Result>(
    _ parent: inout PlannerRoute, _ body: (inout MainState) -> Result
  ) -> Result? {
    guard case .main(var state) = parent else { return nil }
    parent = .welcome
    defer { parent = .main(state) }
    return body(&state)
  }
}

/// The case of the window's routes that is the settings.
package enum SettingsCase: ScreenScope {
  /// Returns the action of the settings.
  package static func extract(_ action: WindowAction) -> SettingsAction? {
    if case .settings(let action) = action { action } else { nil }
  }

  /// Wraps an action of the settings.
  package static func embed(_ action: SettingsAction) -> WindowAction { .settings(action) }

  /// Calls `body` with the stack of the settings in place.
  package static func with<Result>(
    _ parent: inout PlannerRoute, _ body: (inout BackStack<SettingsRoute>) -> Result
  ) -> Result? {
    guard case .settings(var state) = parent else { return nil }
    parent = .welcome
    defer { parent = .settings(state) }
    return body(&state)
  }
}

/// The place of the routes in the tabs.
package enum TabRoutes: RouteScope {
  /// Returns the id and the action of a route in a tab.
  package static func extract(_ action: MainAction) -> (id: RouteID, action: ScreenAction)? {
    if case .screen(let id, let action) = action { (id, action) } else { nil }
  }

  /// Wraps an action of a route in a tab.
  package static func embed(_ action: ScreenAction, for id: RouteID) -> MainAction {
    .screen(id, action)
  }

  /// Calls `body` with the route in place.
  package static func with<Result>(
    _ parent: inout MainState, _ id: RouteID, _ body: (inout MainRoute) -> Result
  ) -> Result? { parent.tabs.modify(id, body) }
}

/// The case of a route in a tab that is the editor of an entry.
package enum StartEditCase: ScreenScope {
  /// Returns the action of the editor.
  package static func extract(_ action: ScreenAction) -> StartEditAction? {
    if case .startEdit(let action) = action { action } else { nil }
  }

  /// Wraps an action of the editor.
  package static func embed(_ action: StartEditAction) -> ScreenAction { .startEdit(action) }

  /// Calls `body` with the draft in place.
  package static func with<Result>(
    _ parent: inout MainRoute, _ body: (inout EntryDraft) -> Result
  ) -> Result? {
    guard case .startEdit(var draft) = parent else { return nil }
    parent = .timer
    defer { parent = .startEdit(draft) }
    return body(&draft)
  }
}

/// The case of a route in a tab that is a report.
package enum ReportsCase: ScreenScope {
  /// Returns the action of the report.
  package static func extract(_ action: ScreenAction) -> ReportRange? {
    if case .reports(let range) = action { range } else { nil }
  }

  /// Wraps an action of the report.
  package static func embed(_ action: ReportRange) -> ScreenAction { .reports(action) }

  /// Calls `body` with the range in place.
  package static func with<Result>(
    _ parent: inout MainRoute, _ body: (inout ReportRange) -> Result
  ) -> Result? {
    guard case .reports(var range) = parent else { return nil }
    parent = .timer
    defer { parent = .reports(range) }
    return body(&range)
  }
}
