public import PokeInjection
public import PokeModels
public import Retrace

/// The actions of one creature.
public enum ItemAction: Recordable, Equatable {
  /// The creature became a favourite.
  case favouriteAdded
  /// The creature is a favourite no longer.
  case favouriteRemoved
  /// A window shows the details, which are loaded from a source unless they are there.
  case detailsWanted(CreatureSource)
  /// The details have come.
  case detailsLoaded(CreatureDetails)
  /// The details did not come.
  case detailsFailed(reason: String)
}

/// The reducer of one creature.
///
/// Any number of creatures may load their details at a time.
public struct ItemReducer: Reducer {
  /// Reduces an action.
  public func reduce(
    _ state: inout Creature, _ action: ItemAction, at moment: Moment
  ) -> Effect<ItemAction, PokeEnvironment> {
    switch action {
    case .favouriteAdded: state.isFavourite = true
    case .favouriteRemoved: state.isFavourite = false
    case .detailsWanted(let source):
      switch state.details {
      case .loading, .loaded: break
      case .nothing, .failed:
        state.details = .loading
        return .run(LoadDetails(number: state.number, source: source))
      }
    case .detailsLoaded(let details): state.details = .loaded(details)
    case .detailsFailed(let reason): state.details = .failed(reason)
    }
    return .none
  }
}

/// Loads the details of a creature.
public struct LoadDetails: EffectLeaf {
  /// The number of the creature.
  public var number: Int64
  /// The source.
  public var source: CreatureSource

  /// Answers with the details, or with the reason why they did not come.
  public func run(in environment: PokeEnvironment) async throws -> [ItemAction] {
    do {
      return [.detailsLoaded(try await environment[source].details(number))]
    } catch {
      try Task.checkCancellation()
      return [.detailsFailed(reason: "\(error)")]
    }
  }

  /// Details that were on their way when the program ended are loaded again.
  public var interruptionPolicy: InterruptionPolicy<ItemAction> { .run }
}
