package import RetraceArchitecture
import RetraceAvro
package import RetraceScreen
package import RetraceState

/// The state of the kiosk: the items, which all share, and the windows.
package struct KioskState: RecordedState, ReportsMissingTarget, Composed {
  /// The items.
  package var items: EntityTable<KioskItemID, KioskItem> = EntityTable()
  /// The sum of all stocks.
  package var total: Int64 = 0
  /// The open windows.
  package var windows: [SceneID: KioskWindow] = [:]
  /// The number of facts so far.
  package var factCount: Int64 = 0
  /// How often the window of an action was missing.
  package var missing: Int64 = 0

  /// Counts the missing window.
  package mutating func targetWasMissing(_ target: MissingTarget) { missing += 1 }

  /// Returns the item of a name.
  package func item(named name: String) -> KioskItemID? {
    var found: KioskItemID?
    items.forEach { id, item in
      if item.name.utf8.elementsEqual(name.utf8) { found = id }
    }
    return found
  }
}

extension KioskState {
  /// The items whose prices a window follows, each once, lowest id first.
  package var followedItems: [KioskItemID] {
    var found: Set<KioskItemID> = []
    for window in windows.values where window.followsPrices {
      if let item = window.selection { found.insert(item) }
    }
    return found.sorted()
  }
}

extension KioskState.Parts {
  /// All of the state.
  package var itself: Itself<KioskState> { Itself<KioskState>() }
}

/// A window of the kiosk: one scene.
package struct KioskWindow: Recordable, Hashable {
  /// The name that is typed for a new item.
  package var draft: TextDraft = TextDraft()  // recorded: constant default
  /// The selected item.
  package var selection: KioskItemID?
  /// Whether the list of keys is shown.
  package var isHelpShown: Bool = false
  /// Why the last order failed.
  package var problem: String?
  /// Whether the supplier's prices of the selected item are taken over.
  package var followsPrices: Bool = false
}
