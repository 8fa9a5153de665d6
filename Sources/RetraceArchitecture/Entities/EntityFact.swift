public import RetraceAvro
import RetraceState

/// A fact about the entities of a domain.
///
/// The command before it in the log says why it happened; the fact says what changed, with the
/// values before and after.
@frozen
public enum EntityFact<Edit: UndoableEdit>: Recordable, Equatable {
  /// An entity was inserted, changed or removed.
  case edited(Edit)
  /// An entity was edited in bulk; undo does not take such edits back one by one.
  ///
  /// An example is a large import, whose entities are shown and hidden together.
  case bulkEdited(Edit)
  /// A change was undone or redone.
  case restored(Restored<Edit>)

  /// The edits of the fact that undo takes back, in order.
  @inlinable public var undoableEdits: [Edit] {
    switch self {
    case .edited(let edit): [edit]
    case .bulkEdited: []
    case .restored(let restored): restored.edits
    }
  }

  /// The contents of a fact that a restore led to; `nil` for another fact.
  @inlinable public var restoredEdits: Restored<Edit>? {
    if case .restored(let restored) = self { restored } else { nil }
  }
}
