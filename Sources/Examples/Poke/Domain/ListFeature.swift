public import PokeInjection
public import PokeModels
public import Retrace

/// How far the list is loaded; its creatures are a table of the app's state.
public struct ListProgress: Recordable, Hashable {
  /// The number of pages that the list has.
  public var pageCount: Int64 = 0
  /// Whether the list has all pages.
  public var isComplete: Bool = false
  /// Whether the next page is on its way.
  public var isLoading: Bool = false
  /// Why the next page did not come.
  public var problem: String?
  /// Where pages and details come from.
  public var source: CreatureSource = .bundle  // recorded: constant default
}

/// The actions of the list.
public enum ListAction: Recordable, Equatable {
  /// A window shows the list, which loads its first page unless it has one.
  case appeared
  /// The next page is wanted.
  case moreWanted
  /// A page has come.
  case pageLoaded(Int64, CreaturePage)
  /// A page did not come.
  case pageFailed(Int64, reason: String)
  /// Pages and details come from a source from now on.
  case sourceChosen(CreatureSource)
}

/// The reducer of the list: pages accumulate in the state.
public struct ListReducer: Reducer {
  /// Reduces an action; the answer for a page that the list has already changes nothing.
  public func reduce(
    _ state: inout PokeState, _ action: ListAction, at moment: Moment
  ) -> Effect<ListAction, PokeEnvironment> {
    switch action {
    case .appeared:
      if state.list.pageCount == 0 { return loadMore(&state.list) }
    case .moreWanted:
      return loadMore(&state.list)
    case .pageLoaded(let number, let page):
      guard number == state.list.pageCount + 1 else { break }
      for item in page.creatures where !state.hasCreature(number: item.number) {
        state.creatures.insert(Creature(number: item.number, name: item.name, details: .nothing))
      }
      state.list.pageCount = number
      state.list.isComplete = !page.hasMore
      state.list.isLoading = false
    case .pageFailed(let number, let reason):
      guard number == state.list.pageCount + 1 else { break }
      state.list.isLoading = false
      state.list.problem = reason
    case .sourceChosen(let source):
      state.list.source = source
      let isWaiting = state.list.isLoading || state.list.problem != nil
      state.list.isLoading = false
      if isWaiting { return loadMore(&state.list) }
    }
    return .none
  }

  /// Loads the next page in place of one on its way, of another source.
  private func loadMore(_ list: inout ListProgress) -> Effect<ListAction, PokeEnvironment> {
    if list.isLoading || list.isComplete { return .none }
    list.isLoading = true
    list.problem = nil
    return .run(LoadPage(number: list.pageCount + 1, source: list.source))
      .cancellable("page", cancelInFlight: true)
  }
}

/// Loads a page.
public struct LoadPage: EffectLeaf {
  /// The number of the page, from 1.
  public var number: Int64
  /// The source.
  public var source: CreatureSource

  /// Answers with the page, or with the reason why it did not come.
  public func run(in environment: PokeEnvironment) async throws -> [ListAction] {
    do {
      return [.pageLoaded(number, try await environment[source].page(number))]
    } catch {
      try Task.checkCancellation()
      return [.pageFailed(number, reason: "\(error)")]
    }
  }

  /// A page that was on its way when the program ended is loaded again.
  public var interruptionPolicy: InterruptionPolicy<ListAction> { .run }
}
