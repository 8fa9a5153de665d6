public import RetraceAvro
public import RetraceState

/// An edit of one entity of an app's state that can be taken back: usually an enum with one
/// `EntityEdit` for each table.
public protocol UndoableEdit: Recordable, Equatable {
  /// The state of the app.
  associatedtype State

  /// The edit that takes this one back.
  var inverted: Self { get }

  /// The fields that the edit sets, or the whole entity that it inserts or removes.
  var fields: [UnrestoredField] { get }

  /// Returns the part of the edit that overwrites nothing but the values that it expects.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - excluded: The fields and entities that are left as they are.
  func restorable(
    on state: borrowing State, excluding excluded: [UnrestoredField]
  ) -> RestorablePart<Self>

  /// Returns the edit without what is so already; `nil` if nothing would change.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - overwriting: Whether the edit then expects the present values, so that it overwrites them
  ///     and can be taken back like any other edit.
  func rebased(on state: borrowing State, overwriting: Bool) -> Self?

  /// Carries the edit out, if that is possible.
  func apply(to state: inout State)
}
