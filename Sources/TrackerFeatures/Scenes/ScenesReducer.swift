public import Retrace
import TimeTracking

/// The reducer of the scenes.
public struct ScenesReducer: UpdatingReducer {
  /// The reducer of a scene's changes, then of its opening.
  public var body: some Reducer<TrackerState, ScenesAction, TrackerEnvironment> {
    Update(self).forEach({ $0.scenes }, action: { $0.scene }) { SceneReducer() }
  }

  /// Opens scenes, and the timer of a user by name or by account, and counts the changes before a
  /// notice.
  ///
  /// - Complexity: O(users) for a user by name, else O(1).
  public func update(
    _ state: inout TrackerState, _ action: ScenesAction, at moment: Moment
  ) -> Effect<ScenesAction, TrackerEnvironment> {
    switch action {
    case .opened(let id):
      state.scenes[id] = state.scenes[id] ?? Scene()
      if id >= state.nextScene, id.value < .max {
        state.nextScene = SceneID(value: id.value + 1)
      }
    case .scene(let id, .userOpened(let name)):
      guard state.scenes[id] != nil else { break }
      guard let found = state.domain.user(named: name) else {
        state.targetWasMissing(MissingTarget(type: UserID.recordedName))
        break
      }
      state.scenes[id]?.keepForms(at: moment)
      state.scenes[id]?.stack.replaceAll(with: .timer(TimerRoute(user: found)))
    case .scene(let id, .told(.some)), .scene(let id, .draftKept),
      .scene(let id, .screen(_, .account(.resetSent))):
      state.scenes[id]?.factsAtNotice = state.domain.undoableFacts
    case .scene(let id, .screen(let route, .account(.signedIn(let account)))):
      guard case .account(let form)? = state.scenes[id]?.stack[route],
        case .signedIn = form.progress
      else { break }
      return enter(account, in: id, of: state.domain)
    case .scene(let id, .signedOut): return signOut(of: id, in: &state)
    case .scene, .requested: break
    }
    return .none
  }

  // lint:allow only tests compare the actions of effects
  /// Opens the timer of the user of an account, who is created first if there is none.
  private func enter(
    _ account: SignedInAccount, in scene: SceneID, of domain: DomainState
  ) -> Effect<ScenesAction, TrackerEnvironment> {
    if let known = domain.user(of: account) {
      return .send(.scene(scene, .userOpened(known)))
    }
    var user = User(name: account.name)
    user.email = account.email
    return .concatenate([
      .send(.requested(.user(.create(user)))), .send(.scene(scene, .userOpened(account.name))),
    ])
  }

  /// Shows the users, or the first screen if there are none, and removes the token.
  private func signOut(
    of id: SceneID, in state: inout TrackerState
  ) -> Effect<ScenesAction, TrackerEnvironment> {
    guard let shown = state.scenes[id]?.stack.top.user else { return .none }
    let hasUsers = state.domain.users.live(shown) != nil
    state.scenes[id]?.signOut(to: hasUsers ? .users(UsersRoute()) : .welcome(WelcomeRoute()))
    guard let name = state.domain.users[shown]?.name else { return .none }
    return .run(RemoveToken(account: name))
  }
}

extension DomainState {
  /// Returns the name of the user with the address of an account, or else with its name.
  ///
  /// - Complexity: O(users).
  fileprivate func user(of account: SignedInAccount) -> Name? {
    var found: Name?
    users.forEach { _, user in
      guard found == nil, user.deleted == nil, let email = user.email else { return }
      if email.utf8.elementsEqual(account.email.utf8) { found = user.name }
    }
    return found ?? (user(named: account.name) == nil ? nil : account.name)
  }
}

/// The reducer of one scene.
public struct SceneReducer: UpdatingReducer {
  /// The reducer of a screen's action, then of the scene.
  public var body: some Reducer<Scene, SceneChange, TrackerEnvironment> {
    Update(self).forEachRoute({ $0.stack }, action: { $0.screen }) { TrackerScreensReducer() }
  }

  /// Moves between screens, and sets the notice.
  public func update(
    _ scene: inout Scene, _ change: SceneChange, at moment: Moment
  ) -> Effect<SceneChange, TrackerEnvironment> {
    switch change {
    case .terminalSettled: return .none
    case .seen(let frame):
      scene.seen = frame
      return .none
    case .forgot(let sleep):
      scene.forgotten = sleep
      return .none
    case .eventsRead(let changes):
      scene.events.apply(changes)
      return .none
    default: break
    }
    // The notice belongs to the previous input; a question stays while keys do nothing.
    if case .some = scene.notice { scene.notice = nil }
    let tells = if case .told(.some) = change { true } else { false }
    if !tells, case .some = scene.question { scene.question = nil }
    switch change {
    case .screen(let id, .account(.resetSent)):
      guard case .account(let form)? = scene.stack[id], form.purpose == .passwordReset else {
        break
      }
      scene.stack.pop(through: id)
      scene.notice = .resetSent
    case .screen(_, .reports(.groupingSelected(let grouping))): scene.reportGrouping = grouping
    case .screen(_, .reports(.roundingSelected(let rounding))): scene.reportRounding = rounding
    case .screen, .terminalSettled, .seen, .forgot, .eventsRead, .signedOut: break
    case .userOpened: scene.palette = nil
    case .pushed(let route): scene.stack.push(route)
    case .popped(let id), .discarded(let id): scene.stack.pop(through: id)
    case .wentTo(let routes):
      scene.palette = nil
      if let root = routes.first {
        scene.keepForms(at: moment)
        scene.stack.replaceAll(with: root, pushed: Array(routes.dropFirst()))
      }
    case .helpToggled: scene.isHelpShown.toggle()
    case .told(let notice):
      scene.notice = notice
      scene.selectRestored(by: notice)
    case .asked(let question): scene.question = question
    case .draftKept(let id):
      let last = scene.drafts.last?.id
      scene.keepDrafts(from: id, at: moment)
      if scene.drafts.last?.id != last { scene.notice = .draftKept }
    case .draftOpened(let id): scene.openDraft(id, at: moment)
    case .paletteOpened: scene.palette = CommandPalette()
    case .paletteTyped(let edit):
      scene.palette?.text.apply(edit)
      if edit.start != edit.end || !edit.text.utf8.isEmpty { scene.palette?.selected = 0 }
    case .paletteSelected(let row): scene.palette?.selected = row
    case .paletteClosed: scene.palette = nil
    }
    return .none
  }
}
