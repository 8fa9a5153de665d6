public import RetraceAvro
public import RetraceState

/// An app whose domain is a list of entities, with its commands, its undo and its invariants.
///
/// The app names the list and the type of its scene actions. Its actions are ``EntityAction``
/// values: an effect asks for a command with ``EntityAction/request(_:)``. The domain is a part of
/// the state that ``Domain`` names, or `Itself<State>`.
///
/// ```swift
/// enum ShelfDeskApp: EntityApp {
///   typealias Entities = ShelfEntities
///   typealias SceneAction = DeskAction
///   typealias Domain = DeskState.Parts._shelf
///   typealias Route = OnlyRoute
///
///   static var name: String { "shelf" }
///   static var build: String { "1" }
///   static var initialState: DeskState { DeskState() }
///   static var reducer: some Reducer<DeskState, EntityAction<DeskAction, ShelfEntities>, Never> {
///     CombineReducers {
///       Scope({ $0.shelf }, action: { $0.fact }) { EntityReducer(ShelfEntities.self) }
///       DeskReducer()
///     }
///   }
///   static func screen(
///     of scene: SceneID, in state: DeskState, at moment: Moment, size: Screen.Size
///   ) -> Screen { Screen(Screen.Line(state.selected), size: size) }
/// }
/// ```
public protocol EntityApp: UndoableApp
where
  Action == EntityAction<SceneAction, Entities>, SceneAction: Recordable & Equatable,
  Edit == Entities.Edit, RootDecider == EntityAppDecider<SceneAction, Entities, Domain>
{
  /// The entities of the domain.
  associatedtype Entities: EntityList
  /// The part of the state that is the domain: `Itself` of the state, or a part by its name.
  associatedtype Domain: StatePart
  where Domain.Whole == State, Domain.Value == Entities.State
}

/// The decider of an ``EntityApp``: the decider of its entities, whose facts become actions.
@frozen
public struct EntityAppDecider<
  SceneAction: Recordable & Equatable, List: EntityList, Domain: StatePart
>: Decider where Domain.Value == List.State {
  /// Creates the decider.
  @inlinable
  public init() {}

  /// Decides a command on the domain.
  ///
  /// - Complexity: As ``EntityDecider``.
  /// - Throws: The refusal.
  @inlinable
  public func decide(
    _ command: List.Command, on state: borrowing Domain.Whole, at moment: Moment
  ) throws(List.Refusal) -> [EntityAction<SceneAction, List>] {
    let facts = try Domain.read(state) { (domain: borrowing List.State) throws(List.Refusal) in
      try EntityDecider<List>().decide(command, on: domain, at: moment)
    }
    return facts.map { .fact($0) }
  }
}

extension EntityApp {
  /// The decider of the entities.
  public static var decider: EntityAppDecider<SceneAction, Entities, Domain> {
    EntityAppDecider()
  }

  /// Returns ``EntityAction/scene(_:)``.
  public static func action(for sceneAction: SceneAction) -> Action { .scene(sceneAction) }

  /// Returns the role that the case of an action says.
  public static func role(of action: Action) -> ActionRole<Entities.Command> {
    switch action {
    case .scene: .scene
    case .fact: .fact
    case .request(let command): .request(command)
    }
  }

  /// Returns the edits of a fact.
  public static func edits(of fact: Action) -> [Edit] {
    if case .fact(let fact) = fact { fact.undoableEdits } else { [] }
  }

  /// Returns the number of facts that can be undone.
  public static func editCount(in state: borrowing State) -> Int64 {
    Domain.read(state) { $0.undoableFacts }
  }

  /// Returns the command that carries out a restore.
  public static func command(for restore: Restore<Edit>) -> Entities.Command {
    Entities.command(for: restore)
  }

  /// Returns the contents of the fact of a restore.
  public static func restored(in fact: Action) -> Restored<Edit>? {
    if case .fact(let fact) = fact { fact.restoredEdits } else { nil }
  }

  /// Returns whether a refusal is the one of a stale restore.
  public static func isStaleRestore(_ refusal: Entities.Refusal) -> Bool {
    refusal == Entities.staleRestore
  }

  /// Returns the domain.
  public static func undoablePart(of state: State) -> Entities.State {
    Domain.read(state) { copy $0 }
  }

  /// Returns the rules of the entities that a state breaks.
  public static func violations(of state: borrowing State) -> [Violation] {
    Domain.read(state) { Entities.violations(of: $0) }
  }
}

extension EntityApp where Edit.State == State {
  /// Returns the state.
  public static func undoablePart(of state: State) -> State { state }
}
