package import RetraceArchitecture
import RetraceScreen
package import RetraceState

/// The reducer of one window.
package struct KioskWindowReducer: Reducer {
  /// Reduces an action; an order needs a selected item.
  package func reduce(
    _ state: inout KioskWindow, _ action: KioskWindowAction, at moment: Moment
  ) -> Effect<KioskWindowAction, KioskDesk> {
    switch action {
    case .selected(let item): state.selection = item
    case .followed(let follows): state.followsPrices = follows
    case .edited(let replacement): state.draft.apply(replacement)
    case .helpToggled: state.isHelpShown.toggle()
    case .orderPressed:
      state.problem = nil
      guard let item = state.selection else { return .none }
      return .run(KioskOrder(item: item, count: KioskOrder.size))
    case .orderFailed(let problem): state.problem = problem
    case .request: break
    }
    return .none
  }
}

/// The reducer of the windows.
package struct KioskSceneReducer: UpdatingReducer {
  /// The actions of a window, then its opening or closing.
  package var body: some Reducer<KioskState, KioskSceneAction, KioskDesk> {
    Update(self)
      .forEach(\.windows, action: \.window) { KioskWindowReducer() }
  }

  /// Opens and closes windows.
  package func update(
    _ state: inout KioskState, _ action: KioskSceneAction, at moment: Moment
  ) -> Effect<KioskSceneAction, KioskDesk> {
    switch action {
    case .opened(let id): state.windows[id] = state.windows[id] ?? KioskWindow()
    case .closed(let id): state.windows[id] = nil
    case .window: break
    }
    return .none
  }
}

/// The reducer of the facts.
package struct KioskFactReducer: Reducer {
  /// Reduces a fact; one about a missing item changes nothing.
  package func reduce(
    _ state: inout KioskState, _ action: KioskFact, at moment: Moment
  ) -> Effect<KioskFact, KioskDesk> {
    state.factCount &+= 1
    for edit in action.edits { edit.apply(to: &state) }
    return .none
  }
}

/// The root reducer of the kiosk.
package struct KioskReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// The windows, the facts, and then the subscriptions that follow from the state.
  package var body: some Reducer<KioskState, KioskAction, KioskDesk> {
    CombineReducers {
      Scope(\.itself, action: \.scene) { KioskSceneReducer() }
      Scope(\.itself, action: \.fact) { KioskFactReducer() }
    }
    .onChange(FollowedItems())
  }
}

/// Subscribes to the prices of the items that a window follows.
package struct FollowedItems: ChangeHandler {
  /// Returns the followed items.
  package func value(of state: borrowing KioskState) -> [KioskItemID] { state.followedItems }

  /// Starts what is new, and ends what is gone.
  package func changed(
    from old: [KioskItemID], to new: [KioskItemID], in state: inout KioskState, at moment: Moment
  ) -> Effect<KioskAction, KioskDesk> {
    .subscribe(to: new.map { KioskPrices(item: $0) }, insteadOf: old.map { KioskPrices(item: $0) })
  }
}
