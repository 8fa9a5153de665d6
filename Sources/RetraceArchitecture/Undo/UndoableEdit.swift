public import RetraceAvro
public import RetraceState

/// An edit of one entity of an app's state that can be taken back: usually an enum with one
/// ``EntityEdit`` for each table.
public protocol UndoableEdit: Recordable, Equatable {
  /// The state of the app.
  associatedtype State

  /// The edit that takes this one back.
  var inverted: Self { get }

  /// Returns the part of the edit that overwrites nothing but the values that it expects.
  func restorable(on state: borrowing State) -> RestorablePart<Self>

  /// Carries the edit out, if that is possible.
  func apply(to state: inout State)
}
