public import RetraceState

/// The decider of a domain, which passes each command to the module of its entity.
@frozen
public struct EntityDecider<List: EntityList>: Decider {
  /// Creates the decider.
  @inlinable
  public init(_ list: List.Type = List.self) {}

  /// Decides a command.
  ///
  /// - Complexity: As the module. A restore: O(edits^2), and the rules of each edited entity.
  /// - Throws: The refusal of the module, or of a restore that is out of date.
  @inlinable
  public func decide(
    _ command: List.Command, on state: borrowing List.State, at moment: Moment
  ) throws(List.Refusal) -> [EntityFact<List.Edit>] {
    var editor = EntityEditor<List.Edit>(state, at: moment)
    guard let restore = try List.decide(command, in: &editor) else { return editor.facts }
    do throws(StaleRestore) {
      return [
        .restored(
          try restore.decide(on: state, count: state.undoableFacts) { edit, state in
            List.allows(edit, in: state) && List.canRestore(edit, in: state)
          })
      ]
    } catch {
      throw List.staleRestore
    }
  }
}
