public import RetraceState

/// Which leaves are in flight after a record: answered by a record up to there, and neither
/// finished nor cancelled since.
///
/// The value stands beside the state in ``Fold``, so every process that folds a log has the same
/// one. It holds no leaves: a leaf is found again by reducing the record that caused it once more.
/// Without effects it is one word, and nothing is allocated.
public struct EffectsInFlight: Hashable, Sendable {
  /// A leaf in flight.
  public struct Leaf: Hashable, Sendable {
    /// The record that caused it, and its place among the leaves of that record.
    public var id: EffectLeafID
    /// The moment of its cause and the delays around it added up; when it starts, unless it waits
    /// for another leaf.
    public var due: Moment
    /// The ids by which it can be cancelled, the outermost first.
    public var cancellations: [CancellationID]

    /// Makes the description of a leaf in flight.
    public init(id: EffectLeafID, due: Moment, cancellations: [CancellationID]) {
      self.id = id
      self.due = due
      self.cancellations = cancellations
    }
  }

  /// The leaves, in the order of their ids.
  public private(set) var leaves: [Leaf] = []

  /// Nothing is in flight.
  public init() {}

  /// Whether nothing is in flight.
  public var isEmpty: Bool { leaves.isEmpty }

  /// Whether a leaf is in flight.
  ///
  /// - Complexity: O(log leaves).
  public func contains(_ id: EffectLeafID) -> Bool { place(of: id) != nil }

  /// Whether any leaf of a record is in flight.
  ///
  /// - Complexity: O(log leaves).
  public func contains(cause: UInt64) -> Bool {
    let first = insertionPoint(of: EffectLeafID(cause: cause, ordinal: 0))
    return first < leaves.endIndex && leaves[first].id.cause == cause
  }

  /// Takes note of what a record answered: its leaves are in flight, and what it cancels is not.
  ///
  /// A cancellation counts at once, wherever in the effect it stands; it ends what earlier records
  /// and what the same effect further to the left had put in flight under the id.
  ///
  /// - Complexity: O(parts of the effect), and O(leaves in flight) for each cancellation.
  /// - Precondition: `cause` is later than every cause noted so far.
  public mutating func note<Action, Environment>(
    _ effect: Effect<Action, Environment>, cause: UInt64, at moment: Moment
  ) {
    precondition(
      leaves.last.map { $0.id.cause < cause } ?? true, "EffectsInFlight: cause \(cause) again")
    var ordinal: UInt32 = 0
    note(effect, cause: cause, at: moment, delay: .zero, cancellations: [], &ordinal)
  }

  private mutating func note<Action, Environment>(
    _ effect: Effect<Action, Environment>, cause: UInt64, at moment: Moment, delay: ElapsedTime,
    cancellations: [CancellationID], _ ordinal: inout UInt32
  ) {
    switch effect.content {
    case nil: break
    case .leaf:
      leaves.append(
        Leaf(
          id: EffectLeafID(cause: cause, ordinal: ordinal), due: moment.adding(delay),
          cancellations: cancellations))
      ordinal += 1
    case .delay(let time, let inner):
      note(
        inner, cause: cause, at: moment, delay: delay.adding(time), cancellations: cancellations,
        &ordinal)
    case .merge(let parts), .concatenate(let parts):
      for part in parts {
        note(
          part, cause: cause, at: moment, delay: delay, cancellations: cancellations, &ordinal)
      }
    case .cancel(let id):
      cancel(id)
    case .cancellable(let id, let cancelInFlight, let inner):
      if cancelInFlight { cancel(id) }
      note(
        inner, cause: cause, at: moment, delay: delay, cancellations: cancellations + [id],
        &ordinal)
    }
  }

  private mutating func cancel(_ id: CancellationID) {
    leaves.removeAll { $0.cancellations.contains(id) }
  }

  /// Takes note that a leaf came to its end.
  ///
  /// - Returns: Whether it was in flight.
  /// - Complexity: O(leaves in flight).
  @discardableResult
  public mutating func finish(_ id: EffectLeafID) -> Bool {
    guard let place = place(of: id) else { return false }
    leaves.remove(at: place)
    return true
  }

  /// Adds a leaf behind all others; answers whether its id is the highest.
  mutating func append(_ leaf: Leaf) -> Bool {
    if let last = leaves.last, !(last.id < leaf.id) { return false }
    leaves.append(leaf)
    return true
  }

  private func place(of id: EffectLeafID) -> Int? {
    let place = insertionPoint(of: id)
    return place < leaves.endIndex && leaves[place].id == id ? place : nil
  }

  /// The place of the first leaf whose id is not lower.
  private func insertionPoint(of id: EffectLeafID) -> Int {
    var low = leaves.startIndex
    var high = leaves.endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if leaves[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
