public import PokeModels
public import Retrace

/// The state of the app: what all windows and processes share, and the windows.
public struct PokeState: RecordedState, Composed, ReportsMissingTarget {
  /// The creatures of all pages so far, in the order of the list.
  public var creatures: EntityTable<CreatureID, Creature> = EntityTable()
  /// How far the list is loaded.
  public var list: ListProgress = ListProgress()
  /// Whether a user has read what new users read.
  public var isWelcomed: Bool = false
  /// The windows, open ones and closed ones.
  public var windows: [SceneID: PokeWindow] = [:]
  /// The last target of an action that was missing.
  public var missing: MissingTarget?

  /// Notes a target that was missing.
  public mutating func targetWasMissing(_ target: MissingTarget) { missing = target }

  /// Returns whether the list has a creature with a number.
  public func hasCreature(number: Int64) -> Bool {
    var isFound = false
    creatures.forEach(inSortKeys: number...number) { _, _ in isFound = true }
    return isFound
  }
}

/// The actions of the app.
public enum PokeAction: Recordable, Equatable, Composed {
  /// An action of the list.
  case list(ListAction)
  /// An action of a creature.
  case item(CreatureID, ItemAction)
  /// An action of a window.
  case window(SceneID, WindowAction)
  /// A window was opened.
  case windowOpened(SceneID)
  /// The user has read what new users read.
  case welcomed
}
