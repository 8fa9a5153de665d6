public import RetraceArchitecture
import RetraceScreen
public import RetraceState

/// Changes what only the scene itself shows: drafts, cursors, selections, focus, help, the zone.
///
/// What needs users or entries is ``SceneFlowReducer``'s; here such actions change nothing.
public struct SceneReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes the scene; an action of another screen than the one shown is refused.
  ///
  /// - Complexity: O(text of the edited field).
  public func reduce(
    _ scene: inout Scene, _ action: SceneAction, at moment: Moment
  ) -> Effect<SceneAction, any TrackerEnvironment> {
    // Nobody asked for the end of a time: what is shown stays.
    if case .deletionExpired = action {} else if scene.problem != nil { scene.problem = nil }
    switch action {
    case .welcome(let action): reduce(&scene, action)
    case .timer(let action): reduce(&scene, action)
    case .startEdit(let action): reduce(&scene, action)
    case .helpToggled: scene.isHelpShown.toggle()
    case .wentBack: scene.backStack.pop()
    case .zoneChanged(let zone): scene.zone = zone
    case .deletionExpired: scene.deleted = nil
    case .pathOpened, .deletionUndone: break
    }
    return .none
  }

  private func reduce(_ scene: inout Scene, _ action: WelcomeAction) {
    let isShown = scene.backStack.withTop { route in
      guard case .welcome(var state) = route else { return false }
      switch action {
      case .nameEdited(let edit):
        state.name.apply(edit)
        state.selection = nil
      case .selected(let user, let firstRow):
        state.selection = user
        state.firstRow = max(0, firstRow)
      case .picked, .nameConfirmed:
        return true
      }
      route = .welcome(state)
      return true
    }
    if !isShown { scene.problem = .wrongScreen }
  }

  private func reduce(_ scene: inout Scene, _ action: TimerAction) {
    let isShown = scene.backStack.withTop { route in
      guard case .timer(var state) = route else { return false }
      if case .selected(let entry, let firstRow) = action {
        state.selection = entry
        state.firstRow = max(0, firstRow)
        route = .timer(state)
      }
      return true
    }
    if !isShown { scene.problem = .wrongScreen }
  }

  private func reduce(_ scene: inout Scene, _ action: StartEditAction) {
    var problem: Refusal?
    let isShown = scene.backStack.withTop { route in
      guard case .startEdit(var draft) = route else { return false }
      switch action {
      case .edited(let edit): draft.edit(edit)
      case .focused(let field): draft.field = field
      case .billableToggled: draft.isBillable.toggle()
      case .confirmRefused(let refusal): problem = refusal
      case .confirmed: return true
      }
      route = .startEdit(draft)
      return true
    }
    scene.problem = isShown ? problem : .wrongScreen
  }
}

extension SceneStack {
  /// Changes the route on top in place.
  mutating func withTop<Result>(_ body: (inout Route) -> Result) -> Result {
    body(&top)
  }
}
