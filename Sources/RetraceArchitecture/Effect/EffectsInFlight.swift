public import RetraceState

/// The leaves in flight after a record: caused by that record or an earlier one, and neither
/// finished nor cancelled since.
///
/// ``Fold`` keeps this value beside the state, so every process that folds a log computes the same
/// one. It holds no ``EffectLeaf`` values: reducing the cause again yields the leaf. Without
/// effects it allocates nothing.
public struct EffectsInFlight: Hashable, Sendable {
  /// A leaf in flight.
  public struct Leaf: Hashable, Sendable {
    /// The record that caused the leaf, and its index among the leaves of that record.
    public var id: EffectLeafID
    /// The moment of its cause plus the delays around it: when it starts, unless it waits for
    /// another leaf.
    public var due: Moment
    /// The feature whose reducer returned the leaf.
    public var scope: EffectScope
    /// The ids by which that feature can cancel it, outermost first.
    public var cancellations: [CancellationID]

    /// Creates the description of a leaf in flight.
    public init(
      id: EffectLeafID, due: Moment, scope: EffectScope = EffectScope(),
      cancellations: [CancellationID] = []
    ) {
      self.id = id
      self.due = due
      self.scope = scope
      self.cancellations = cancellations
    }
  }

  /// The time after the start of throttled work, in which other work does not start.
  struct ThrottleWindow: Hashable, Sendable {
    var scope: EffectScope
    var id: CancellationID
    var time: ElapsedTime
    var end: Moment
    /// The leaves that start at the end of the window, which then begins again.
    var waiting: [EffectLeafID]

    /// Returns the window at a moment: the next one if waiting work has started, `nil` if it is
    /// over.
    func advanced(to moment: Moment) -> ThrottleWindow? {
      guard moment >= end else { return self }
      guard !waiting.isEmpty else { return nil }
      var next = self
      next.end = end.adding(time)
      next.waiting = []
      return moment < next.end ? next : nil
    }

    /// Returns whether the window starts so long after a moment that the wall clock was set back.
    ///
    /// Each sender samples its moment, so moments within a group may go back slightly.
    func isLong(after moment: Moment) -> Bool {
      let slack = max(time, .seconds(1))
      return end.elapsed(since: moment) > time.adding(slack)
    }
  }

  /// The leaves, in the order of their ids.
  public private(set) var leaves: [Leaf] = [] {
    didSet { isIdle = leaves.isEmpty && windows.isEmpty }
  }
  /// The open windows of throttled work, oldest first.
  private(set) var windows: [ThrottleWindow] = [] {
    didSet { isIdle = leaves.isEmpty && windows.isEmpty }
  }

  /// Creates a value with nothing in flight.
  public init() {}

  /// Creates a value from its parts; `nil` if the leaves are not in the order of their ids or two
  /// windows have one key.
  init?(leaves: [Leaf], windows: [ThrottleWindow]) {
    guard zip(leaves, leaves.dropFirst()).allSatisfy({ $0.id < $1.id }) else { return nil }
    for (index, window) in windows.enumerated() {
      let earlier = windows[..<index]
      if earlier.contains(where: { $0.scope == window.scope && $0.id == window.id }) { return nil }
    }
    self.leaves = leaves
    self.windows = windows
    isIdle = leaves.isEmpty && windows.isEmpty
  }

  /// Whether nothing is in flight.
  public var isEmpty: Bool { leaves.isEmpty }

  /// Whether nothing is in flight and no window is open.
  ///
  /// It is stored, because the fold reads it for every action.
  @usableFromInline private(set) var isIdle = true

  /// Returns whether a leaf is in flight.
  ///
  /// - Complexity: O(log leaves).
  public func contains(_ id: EffectLeafID) -> Bool { index(of: id) != nil }

  /// Returns the description of a leaf, or `nil` if it is not in flight.
  ///
  /// - Complexity: O(log leaves).
  public func leaf(_ id: EffectLeafID) -> Leaf? { index(of: id).map { leaves[$0] } }

  /// Returns whether any leaf of a record is in flight.
  ///
  /// - Complexity: O(log leaves).
  public func contains(cause: UInt64) -> Bool {
    let first = insertionPoint(of: EffectLeafID(cause: cause, ordinal: 0))
    return first < leaves.endIndex && leaves[first].id.cause == cause
  }

  @usableFromInline var windowScopes: [EffectScope] { windows.map { $0.scope } }

  /// Whether every cause is a record up to `last`.
  ///
  /// - Complexity: O(windows).
  package func isCaused(upTo last: UInt64) -> Bool {
    (leaves.last?.id.cause ?? 0) <= last
      && windows.allSatisfy { $0.waiting.allSatisfy { $0.cause <= last } }
  }

  // MARK: Starting and ending

  /// Registers the effect of a record: adds its leaves and removes the leaves that it cancels.
  ///
  /// The steps take effect in order. A cancellation removes the leaves of its scope that have its
  /// id, of earlier records and of earlier steps.
  ///
  /// - Complexity: O(parts of the effect), and O(leaves in flight) for each cancellation.
  /// - Precondition: `cause` is later than every cause registered so far.
  public mutating func register<Action, Environment>(
    _ effect: Effect<Action, Environment>, cause: UInt64, at moment: Moment
  ) {
    precondition(
      leaves.last.map { $0.id.cause < cause } ?? true,
      "EffectsInFlight: cause \(cause) is not later than the last one")
    advanceWindows(to: moment)
    var ordinal: UInt32 = 0
    for step in effect.steps {
      switch step.content {
      case .work(let work):
        add(work, of: cause, due: moment, in: step.scope, [], from: ordinal)
      case .throttle(let throttle, let work):
        let end = ordinal + UInt32(work.leafCount)
        let ids = (ordinal..<end).map { EffectLeafID(cause: cause, ordinal: $0) }
        if let due = admit(throttle, in: step.scope, ids, at: moment) {
          add(work, of: cause, due: due, in: step.scope, [throttle.id], from: ordinal)
        }
      case .cancel(let id):
        cancel(id, in: step.scope)
      case .cancelAll:
        end(step.scope)
      }
      ordinal += UInt32(step.work?.leafCount ?? 0)
    }
  }

  private mutating func add<Action, Environment>(
    _ work: EffectWork<Action, Environment>, of cause: UInt64, due: Moment, in scope: EffectScope,
    _ ids: [CancellationID], from first: UInt32
  ) {
    var ordinal = first
    work.forEachLeaf(cancellations: ids) { _, delay, cancellations in
      leaves.append(
        Leaf(
          id: EffectLeafID(cause: cause, ordinal: ordinal), due: due.adding(delay), scope: scope,
          cancellations: cancellations))
      ordinal += 1
    }
  }

  /// Begins the next window where waiting work has started, and removes the windows that are over.
  ///
  /// - Complexity: O(windows).
  @usableFromInline
  mutating func advanceWindows(to moment: Moment) {
    if !windows.isEmpty { windows = windows.compactMap { $0.advanced(to: moment) } }
  }

  /// Opens or extends the window of throttled work.
  ///
  /// - Returns: When the work starts; `nil` if it does not.
  private mutating func admit(
    _ throttle: EffectThrottle, in scope: EffectScope, _ ids: [EffectLeafID], at moment: Moment
  ) -> Moment? {
    let index = windows.firstIndex { $0.scope == scope && $0.id == throttle.id }
    guard let index else {
      windows.append(
        ThrottleWindow(
          scope: scope, id: throttle.id, time: throttle.time,
          end: moment.adding(throttle.time), waiting: []))
      return moment
    }
    if windows[index].time != throttle.time || windows[index].isLong(after: moment) {
      removeWaiting(windows.remove(at: index).waiting)
      return admit(throttle, in: scope, ids, at: moment)
    }
    guard throttle.latest else { return nil }
    removeWaiting(windows[index].waiting)
    windows[index].waiting = ids
    return windows[index].end
  }

  private mutating func removeWaiting(_ ids: [EffectLeafID]) {
    if !ids.isEmpty { leaves.removeAll { ids.contains($0.id) } }
  }

  private mutating func cancel(_ id: CancellationID, in scope: EffectScope) {
    leaves.removeAll { $0.scope == scope && $0.cancellations.contains(id) }
    for index in windows.indices where windows[index].scope == scope && windows[index].id == id {
      windows[index].waiting = []
    }
  }

  /// Removes the leaves of a feature and of its children.
  ///
  /// - Complexity: O(leaves in flight).
  @usableFromInline
  mutating func end(_ scope: EffectScope) {
    leaves.removeAll { $0.scope.isWithin(scope) }
    windows.removeAll { $0.scope.isWithin(scope) }
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

  private func index(of id: EffectLeafID) -> Int? {
    let index = insertionPoint(of: id)
    return index < leaves.endIndex && leaves[index].id == id ? index : nil
  }

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
