public import RetraceAvro

/// What lasts of a list with several choices between frames: its selection, its scroll position,
/// and what is chosen.
///
/// Choices have numbers, so they stay chosen while the rows change, such as by a search.
///
/// ```swift
/// var state = ChoiceListState()
/// state.toggle(12)
/// state.toggle(7)
/// print(state.chosen)
/// ```
public struct ChoiceListState: Recordable, Hashable, Sendable {
  /// The selected row and the scroll position.
  public var list: ListState
  /// The numbers of what is chosen, in the order in which it was.
  public var chosen: [Int64]

  /// Creates a state.
  public init(list: ListState = ListState(), chosen: [Int64] = []) {
    self.list = list
    self.chosen = chosen
  }

  /// Returns whether something is chosen.
  ///
  /// - Complexity: O(number of choices).
  public func isChosen(_ id: Int64) -> Bool { chosen.contains(id) }

  /// Chooses something, or takes its choice back.
  ///
  /// - Complexity: O(number of choices).
  public mutating func toggle(_ id: Int64) {
    if let index = chosen.firstIndex(of: id) {
      chosen.remove(at: index)
    } else {
      chosen.append(id)
    }
  }
}
