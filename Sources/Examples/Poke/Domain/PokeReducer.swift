public import PokeInjection
public import Retrace

/// The reducer of the app.
public struct PokeReducer: UpdatingReducer {
  /// Makes the reducer.
  public init() {}

  /// The features, and then what concerns all windows.
  public var body: some Reducer<PokeState, PokeAction, PokeEnvironment> {
    Scope(action: { $0.list }) { ListReducer() }
    Update(self)
      .forEach({ $0.creatures }, action: { $0.item }) { ItemReducer() }
      .forEach({ $0.windows }, action: { $0.window }) { WindowReducer() }
  }

  /// Opens windows, and ends the welcome in all of them.
  public func update(
    _ state: inout PokeState, _ action: PokeAction, at moment: Moment
  ) -> Effect<PokeAction, PokeEnvironment> {
    switch action {
    case .windowOpened(let id) where state.windows[id] == nil:
      state.windows[id] = PokeWindow(isWelcoming: !state.isWelcomed)
    case .welcomed:
      state.isWelcomed = true
      for id in state.windows.keys.sorted() { state.windows[id]?.endWelcome() }
    case .list, .item, .window, .windowOpened: break
    }
    return .none
  }
}
