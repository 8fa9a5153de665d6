/// The part of an edit that can be restored, and the fields that cannot.
public struct RestorablePart<Edit: Sendable>: Sendable {
  /// The part that can be restored, if any.
  public var edit: Edit?
  /// The fields and entities that cannot be restored, because something else changed them.
  public var unrestored: [UnrestoredField]

  /// Creates a value.
  public init(_ edit: Edit?, unrestored: [UnrestoredField] = []) {
    self.edit = edit
    self.unrestored = unrestored
  }

  /// Returns the same part with its edit in another type, such as an app's enum of edits.
  public func map<Other: Sendable>(_ transform: (Edit) -> Other) -> RestorablePart<Other> {
    RestorablePart<Other>(edit.map(transform), unrestored: unrestored)
  }
}
