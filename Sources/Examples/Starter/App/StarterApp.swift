import Retrace

/// The state: the items, and the only window.
struct StarterState: RecordedState, Composed, SingleScene {
  var domain: ItemsState = ItemsState()
  var stack: BackStack<StarterRoute> = BackStack(root: .list(newName: TextDraft()))
  var selection: ItemID?
  var frame: FrameState = FrameState()
}

/// A place in the app, with what is being typed there.
enum StarterRoute: NavigationRoute {
  case list(newName: TextDraft)
  case item(ItemID, name: TextDraft)

  /// The name that is being typed.
  var draft: TextDraft {
    get {
      switch self {
      case .list(let name), .item(_, let name): name
      }
    }
    set {
      switch self {
      case .list: self = .list(newName: newValue)
      case .item(let id, _): self = .item(id, name: newValue)
      }
    }
  }

  var path: String {
    switch self {
    case .list: "items"
    case .item(let id, _): "items/\(id.number)"
    }
  }
}

/// What happens in the window.
enum StarterSceneAction: FrameSceneAction {
  case selected(ItemID)
  case opened(ItemID)
  case closed
  case typed(TextReplacement)
  case nameTaken
  case frame(FrameAction)
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
    state.frame.message = nil
    switch action {
    case .scene(.frame(let action)): state.frame.apply(action)
    case .scene(.selected(let item)): state.selection = item
    case .scene(.opened(let id)):
      state.stack.push(.item(id, name: TextDraft(state.domain.items[id]?.name ?? "")))
    case .scene(.closed): state.stack.pop()
    case .scene(.typed(let edit)): state.stack.modify(state.stack.topID) { $0.draft.apply(edit) }
    case .scene(.nameTaken): state.stack.modify(state.stack.topID) { $0.draft = TextDraft() }
    case .fact(.edited(.item(.changed(let id, let changes)))):
      if changes.isDone?.after == true { return .run(PutAway(item: id)).delayed(by: .seconds(5)) }
    case .fact(.restored(let restored)) where restored.edits.isEmpty:
      state.frame.message = "It has changed since, so nothing was restored."
    case .fact, .request: break
    }
    return .none
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
