public import RetraceState

/// The leaves in flight after a record: caused by that record or an earlier one, and neither
/// finished nor cancelled since.
///
/// ``Fold`` keeps this value beside the state, so every process that folds a log computes the same
/// one. It holds no ``EffectLeaf`` values: reducing the cause again yields the leaf. Without
/// effects it is one word and allocates nothing.
public struct EffectsInFlight: Hashable, Sendable {
  /// A leaf in flight.
  public struct Leaf: Hashable, Sendable {
    /// The record that caused the leaf, and its index among the leaves of that record.
    public var id: EffectLeafID
    /// The moment of its cause plus the delays around it: when it starts, unless it waits for
    /// another leaf.
    public var due: Moment
    /// The ids by which it can be cancelled, outermost first.
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

  /// Makes a value with nothing in flight.
  public init() {}

  /// Whether nothing is in flight.
  public var isEmpty: Bool { leaves.isEmpty }

  /// Returns whether a leaf is in flight.
  ///
  /// - Complexity: O(log leaves).
  public func contains(_ id: EffectLeafID) -> Bool { index(of: id) != nil }

  /// Returns whether any leaf of a record is in flight.
  ///
  /// - Complexity: O(log leaves).
  public func contains(cause: UInt64) -> Bool {
    let first = insertionPoint(of: EffectLeafID(cause: cause, ordinal: 0))
    return first < leaves.endIndex && leaves[first].id.cause == cause
  }

  /// Registers the effect of a record: adds its leaves and removes the leaves that it cancels.
  ///
  /// A cancellation takes effect at once, wherever it is in the tree. Of the leaves with its id, it
  /// removes those of earlier records and those further left in the same effect.
  ///
  /// - Complexity: O(parts of the effect), and O(leaves in flight) for each cancellation.
  /// - Precondition: `cause` is later than every cause registered so far.
  public mutating func register<Action, Environment>(
    _ effect: Effect<Action, Environment>, cause: UInt64, at moment: Moment
  ) {
    precondition(
      leaves.last.map { $0.id.cause < cause } ?? true,
      "EffectsInFlight: cause \(cause) is not later than the last one")
    var ordinal: UInt32 = 0
    register(effect, cause: cause, at: moment, delay: .zero, cancellations: [], &ordinal)
  }

  private mutating func register<Action, Environment>(
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
      register(
        inner, cause: cause, at: moment, delay: delay.adding(time), cancellations: cancellations,
        &ordinal)
    case .merge(let parts), .concatenate(let parts):
      for part in parts {
        register(
          part, cause: cause, at: moment, delay: delay, cancellations: cancellations, &ordinal)
      }
    case .cancel(let id):
      cancel(id)
    case .cancellable(let id, let cancelInFlight, let inner):
      if cancelInFlight { cancel(id) }
      register(
        inner, cause: cause, at: moment, delay: delay, cancellations: cancellations + [id],
        &ordinal)
    }
  }

  private mutating func cancel(_ id: CancellationID) {
    leaves.removeAll { $0.cancellations.contains(id) }
  }

  /// Removes a leaf that has finished.
  ///
  /// - Returns: Whether it was in flight.
  /// - Complexity: O(leaves in flight).
  @discardableResult
  public mutating func finish(_ id: EffectLeafID) -> Bool {
    guard let index = index(of: id) else { return false }
    leaves.remove(at: index)
    return true
  }

  /// Appends a leaf and returns `true`, or returns `false` if its id is not the highest.
  mutating func append(_ leaf: Leaf) -> Bool {
    if let last = leaves.last, !(last.id < leaf.id) { return false }
    leaves.append(leaf)
    return true
  }

  private func index(of id: EffectLeafID) -> Int? {
    let index = insertionPoint(of: id)
    return index < leaves.endIndex && leaves[index].id == id ? index : nil
  }

  /// Returns the index of the first leaf whose id is not lower than `id`.
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
