import Retrace

/// The state: the items, and the only window.
struct StarterState: RecordedState, Composed, SingleScene {
  var domain: ItemsState = ItemsState()
  var stack: BackStack<StarterRoute> = BackStack(root: .list(newName: TextDraft()))
  var selection: ItemID?
  /// What the user was told last.
  var message: String?
  var showsKeys: Bool = false
}

/// A place in the app, with what is being typed there.
enum StarterRoute: NavigationRoute {
  case list(newName: TextDraft)
  case item(ItemID, name: TextDraft)

  var path: String {
    switch self {
    case .list: "items"
    case .item(let id, _): "items/\(id.number)"
    }
  }
}

/// What happens in the window.
enum StarterSceneAction: Recordable, Equatable {
  case selected(ItemID?)
  case opened(ItemID)
  case closed
  case typed(TextReplacement)
  case nameTaken
  case told(String)
  case keysShown(Bool)
}

/// All actions: what happens in the window, and the facts about items.
typealias StarterAction = EntityAction<StarterSceneAction, StarterEntities>

/// The work that asks for an item to be put away.
struct PutAway: EffectLeaf, Hashable {
  var item: ItemID

  func run(in environment: StarterEnvironment) async throws -> [StarterAction] {
    [.request(.item(.putAway(item)))]
  }

  /// After a crash it runs again.
  var interruptionPolicy: InterruptionPolicy<StarterAction> { .run }
}

/// What effects need of the outside world: add your services here.
struct StarterEnvironment: Sendable {}

/// The reducer of the window.
struct StarterReducer: Reducer {
  func reduce(
    _ state: inout StarterState, _ action: StarterAction, at moment: Moment
  ) -> Effect<StarterAction, StarterEnvironment> {
    state.message = nil
    switch action {
    case .scene(let action): reduce(&state, action)
    case .fact(.edited(.item(.changed(let id, let changes)))):
      if changes.isDone?.after == true { return .run(PutAway(item: id)).delayed(by: .seconds(5)) }
    case .fact(.restored(let restored)) where restored.edits.isEmpty:
      state.message = "It has changed since, so nothing was restored."
    case .fact, .request: break
    }
    return .none
  }

  private func reduce(_ state: inout StarterState, _ action: StarterSceneAction) {
    state.showsKeys = if case .keysShown(true) = action { true } else { false }
    switch action {
    case .selected(let item): state.selection = item
    case .opened(let id):
      let name = state.domain.items[id]?.name ?? ""
      state.stack.push(.item(id, name: TextDraft(name)))
    case .closed: state.stack.pop()
    case .typed(let edit):
      state.stack.modify(state.stack.topID) { route in
        switch route {
        case .list(var name):
          name.apply(edit)
          route = .list(newName: name)
        case .item(let id, var name):
          name.apply(edit)
          route = .item(id, name: name)
        }
      }
    case .nameTaken:
      state.stack.modify(state.stack.topID) { $0 = .list(newName: TextDraft()) }
    case .told(let text): state.message = text
    case .keysShown: break
    }
  }
}

/// The app.
enum StarterApp: EntityApp, InteractiveApp {
  typealias Entities = StarterEntities
  typealias Frame = StarterFrame
  typealias SceneAction = StarterSceneAction
  typealias Domain = StarterState.Parts._domain

  static var name: String { "starter" }
  static var build: String { "1" }
  static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  static var initialState: StarterState { StarterState() }
  static var reducer: some Reducer<StarterState, StarterAction, StarterEnvironment> {
    CombineReducers {
      Scope({ $0.domain }, action: { $0.fact }) { EntityReducer(StarterEntities.self) }
      StarterReducer()
    }
  }
}
