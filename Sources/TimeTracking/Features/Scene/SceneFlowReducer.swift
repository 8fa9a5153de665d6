public import RetraceArchitecture
import RetraceScreen
public import RetraceState

/// Carries out what a scene asks of the library, the timeline and its own back stack.
///
/// A refusal is recorded twice: as the last outcome and as the problem that the scene shows.
public struct SceneFlowReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Opens scenes, moves between screens, starts, stops, changes and deletes entries.
  ///
  /// - Complexity: O(users + projects + tags) where names are looked up, else O(1).
  public func reduce(
    _ state: inout AppState, _ action: AppAction, at moment: Moment
  ) -> Effect<AppAction, any TrackerEnvironment> {
    switch action {
    case .timeline, .library: break
    case .sceneOpened(let zone):
      state.scenes[state.nextScene] = Scene(zone: zone)
      let (next, overflow) = state.nextScene.value.addingReportingOverflow(1)
      state.nextScene = SceneID(value: overflow ? Int64.max : next)
    case .scene(let id, let action):
      guard let top = state.scenes[id]?.backStack.top else { break }
      switch (top, action) {
      case (.welcome(let welcome), .welcome(let action)):
        state.reduce(id, welcome, action)
      case (.timer, .timer(.deleted(let entry))):
        return state.delete(entry, in: id, at: moment)
      case (_, .deletionUndone):
        return state.undoDeletion(in: id)
      case (.timer(let timer), .timer(let action)):
        state.reduce(id, timer, action, at: moment)
      case (.startEdit(let draft), .startEdit(.confirmed(let start, let zone))):
        state.finish(id, state.confirm(draft, start: start, zone: zone, at: moment)) { $0.pop() }
      case (_, .pathOpened(let path)):
        state.open(path, in: id)
      default: break
      }
    }
    return .none
  }
}

extension AppState {
  /// Records how a request of a scene ended, and moves on if it was carried out.
  mutating func finish(
    _ id: SceneID, _ refusal: Refusal?, _ move: (inout SceneStack) -> Void
  ) {
    record(refusal)
    scenes[id]?.problem = refusal
    guard refusal == nil, let index = scenes.index(forKey: id) else { return }
    move(&scenes.values[index].backStack)
  }

  fileprivate mutating func reduce(
    _ id: SceneID, _ welcome: WelcomeState, _ action: WelcomeAction
  ) {
    switch action {
    case .nameEdited, .selected: break
    case .picked(let user):
      let refusal: Refusal? = library.users.contains(user) ? nil : .unknownUser
      finish(id, refusal) { $0.replaceAll(with: .timer(TimerRoute(user: user))) }
    case .nameConfirmed:
      let name = trimmed(welcome.name.text[...])
      var user = library.user(named: name)
      var refusal: Refusal?
      if user == nil {
        let next = library.users.nextID
        refusal = library.perform(.userCreated(name: name))
        user = refusal == nil ? next : nil
      }
      finish(id, refusal) { stack in
        if let user { stack.replaceAll(with: .timer(TimerRoute(user: user))) }
      }
    }
  }

  fileprivate mutating func reduce(
    _ id: SceneID, _ timer: TimerRoute, _ action: TimerAction, at moment: Moment
  ) {
    switch action {
    case .selected, .deleted: break
    case .stopped:
      finish(id, perform(.stopped(user: timer.user), at: moment)) { _ in }
    case .continued(let entry, let zone):
      finish(id, perform(.continued(entry, user: timer.user, zone: zone), at: moment)) { _ in }
    case .startEditOpened(let entry):
      let draft = draft(for: entry, user: timer.user)
      finish(id, draft == nil ? .unknownEntry : nil) { stack in
        if let draft { stack.push(.startEdit(draft)) }
      }
    case .usersOpened:
      finish(id, nil) { $0.replaceAll(with: .welcome(WelcomeState())) }
    }
  }

  /// A draft of a new entry, or filled with one that exists.
  private func draft(for entry: TimeEntryID?, user: UserID) -> StartEditDraft? {
    guard let id = entry else { return StartEditDraft(user: user) }
    return timeline.entries[id].map { StartEditDraft(id, $0, user: user, library: library) }
  }

  /// Opens a path: the routes that lead there, all of them fresh.
  fileprivate mutating func open(_ path: String, in id: SceneID) {
    guard let route = Route(path: path) else { return finish(id, .unknownPath) { _ in } }
    switch route {
    case .welcome:
      finish(id, nil) { $0.replaceAll(with: route) }
    case .timer(let timer):
      let refusal: Refusal? = library.users.contains(timer.user) ? nil : .unknownUser
      finish(id, refusal) { $0.replaceAll(with: route) }
    case .startEdit(let fresh):
      guard library.users.contains(fresh.user) else { return finish(id, .unknownUser) { _ in } }
      guard let draft = draft(for: fresh.entry, user: fresh.user) else {
        return finish(id, .unknownEntry) { _ in }
      }
      finish(id, nil) { stack in
        stack.replaceAll(with: .timer(TimerRoute(user: fresh.user)))
        stack.push(.startEdit(draft))
      }
    }
  }
}

extension SceneStack {
  /// Drops the selection of the route on top if it is this entry.
  mutating func forgetSelection(of entry: TimeEntryID) {
    guard case .timer(var timer) = top, timer.selection == entry else { return }
    timer.selection = nil
    top = .timer(timer)
  }
}
