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

  /// Creates a restore.
  public init(links: RestoreLinks, expectedCount: Int64, edits: [Edit]) {
    self.links = links
    self.expectedCount = expectedCount
    self.edits = edits
  }

  /// Decides the restore, leaving out the edits that would overwrite other changes.
  ///
  /// The app's decider calls it, and returns a fact that holds the result. An edit of a field or an
  /// entity is left out if the value is not the expected one, if an earlier edit of it was left
  /// out, or if the state after it would break a rule of the app.
  ///
  /// - Parameters:
  ///   - state: The state right before the facts.
  ///   - count: The number of facts with edits that the state has seen.
  ///   - isAllowed: Whether the state after an edit keeps the rules that span entities, such as
  ///     that names are unique; called after each edit.
  /// - Complexity: O(edits^2), `isAllowed` for each edit, and a copy of the state that shares its
  ///   pages.
  /// - Returns: The edits that are possible, and the fields that are left out. Without a possible
  ///   edit the restore is still accepted, so that the next undo goes on with the change before.
  /// - Throws: ``StaleRestore`` if another fact came first.
  public func decide(
    on state: borrowing Edit.State, count: Int64,
    isAllowed: (Edit, borrowing Edit.State) -> Bool = { _, _ in true }
  ) throws(StaleRestore) -> Restored<Edit> {
    guard count == expectedCount else { throw StaleRestore() }
    var next = copy state
    var restored = Restored<Edit>(links: links, edits: [], unrestored: [])
    for edit in edits {
      var part = edit.restorable(on: next, excluding: restored.unrestored)
      if let edit = part.edit {
        var candidate = next
        edit.apply(to: &candidate)
        if isAllowed(edit, candidate) {
          next = candidate
          restored.edits.append(edit)
        } else {
          part.unrestored += edit.fields
        }
      }
      for field in part.unrestored where !restored.unrestored.contains(field) {
        restored.unrestored.append(field)
      }
    }
    return restored
  }
}
