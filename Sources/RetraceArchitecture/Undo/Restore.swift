public import RetraceAvro
import RetraceState

/// The contents of a command that takes back the facts of an earlier batch: an undo, or the redo of
/// an undo.
///
/// A store makes it outside the write transaction, from the log; the decider checks it inside.
public struct Restore<Edit: UndoableEdit>: Recordable, Equatable {
  /// The place of the restore in the user's history.
  public var links: RestoreLinks
  /// The number of facts with edits that the state had seen when the restore was made.
  public var expectedCount: Int64
  /// The edits to carry out, in order.
  public var edits: [Edit]

  /// Makes a restore.
  public init(links: RestoreLinks, expectedCount: Int64, edits: [Edit]) {
    self.links = links
    self.expectedCount = expectedCount
    self.edits = edits
  }

  /// Decides the restore: leaves out what would overwrite the changes of others.
  ///
  /// The app's decider calls it, checks the result against rules that span entities, such as that
  /// names are unique, and returns a fact that holds it.
  ///
  /// - Parameters:
  ///   - state: The state right before the facts.
  ///   - count: The number of facts with edits that the state has seen.
  /// - Complexity: O(edits), and a copy of the state that shares its pages.
  /// - Returns: The edits that are possible, and the fields that are left out. Without a possible
  ///   edit the restore is still accepted, so that the next undo goes on with the change before.
  /// - Throws: ``StaleRestore`` if another fact came first.
  public func decide(
    on state: borrowing Edit.State, count: Int64
  ) throws(StaleRestore) -> Restored<Edit> {
    guard count == expectedCount else { throw StaleRestore() }
    var next = copy state
    var restored = Restored<Edit>(links: links, edits: [], unrestored: [])
    for edit in edits {
      let part = edit.restorable(on: next)
      restored.unrestored += part.unrestored
      if let edit = part.edit {
        edit.apply(to: &next)
        restored.edits.append(edit)
      }
    }
    return restored
  }
}
