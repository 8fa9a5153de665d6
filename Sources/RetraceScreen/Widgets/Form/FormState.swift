public import RetraceAvro

/// Which field of a form has the focus.
public struct FormState: Recordable, Hashable, Sendable {
  /// The index of the field.
  public var focus: Int64

  /// Creates a state.
  public init(focus: Int64 = 0) { self.focus = focus }

  /// Moves the focus to a later or earlier field; after the last one comes the first.
  ///
  /// - Parameters:
  ///   - steps: The number of fields, negative for earlier ones.
  ///   - count: The number of all fields.
  public mutating func move(by steps: Int64, count: Int64) {
    guard count > 0 else { return }
    let sum = focus.clampedIndex(of: count) + steps % count
    focus = (sum % count + count) % count
  }

  /// Gives the focus to a field, such as one that was clicked.
  ///
  /// - Parameters:
  ///   - index: The index of the field; the nearest field is taken for an index without one.
  ///   - count: The number of all fields.
  public mutating func select(_ index: Int64, count: Int64) {
    focus = index.clampedIndex(of: count)
  }
}
