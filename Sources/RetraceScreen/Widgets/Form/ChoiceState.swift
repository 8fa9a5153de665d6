public import RetraceAvro

/// Which of several values is chosen.
public struct ChoiceState: Recordable, Hashable, Sendable {
  /// The index of the value.
  public var selected: Int64

  /// Creates a state.
  public init(selected: Int64 = 0) { self.selected = selected }

  /// Chooses a value before or after the chosen one, as far as there are any.
  ///
  /// - Parameters:
  ///   - steps: The number of values, negative for those before.
  ///   - count: The number of all values.
  public mutating func move(by steps: Int64, count: Int64) {
    selected = selected.clampedIndex(of: count).saturatingAdd(steps).clampedIndex(of: count)
  }
}
