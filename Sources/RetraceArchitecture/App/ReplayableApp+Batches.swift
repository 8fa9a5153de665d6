public import RetraceAvro
public import RetraceState

/// An effect that a reducer returned, with its cause.
public struct ReducedEffect<App: ReplayableApp>: Sendable {
  /// The sequence of the record whose action caused the effect.
  public let sequence: UInt64
  /// The effect.
  public let effect: Effect<App.Action, App.Environment>

  /// Creates a reduced effect.
  public init(sequence: UInt64, effect: Effect<App.Action, App.Environment>) {
    self.sequence = sequence
    self.effect = effect
  }
}

// The store calls these for each batch. They are defaults of requirements, so that they are
// specialized in the app's module; the store is compiled without the app's types.
extension ReplayableApp {
  /// Appends the encodings of actions, each preceded by its length.
  @inlinable
  public static func encode(_ actions: [Action], into bytes: inout [UInt8]) -> Int {
    var writer = AvroWriter(capacity: 256)
    var longest = 0
    bytes.reserveCapacity(bytes.count + actions.count * 48)
    forEachBorrowed(actions.span) { action in
      writer.removeAll()
      action.encode(into: &writer)
      let count = UInt32(clamping: writer.count)
      bytes.append(UInt8(truncatingIfNeeded: count))
      bytes.append(UInt8(truncatingIfNeeded: count >> 8))
      bytes.append(UInt8(truncatingIfNeeded: count >> 16))
      bytes.append(UInt8(truncatingIfNeeded: count >> 24))
      bytes.append(contentsOf: writer.bytes)
      longest = max(longest, writer.count)
    }
    return longest
  }

  /// Reduces the actions of a batch.
  @inlinable
  public static func reduce(
    _ actions: [Action], into fold: inout Fold<Self>, at moment: Moment
  ) -> [ReducedEffect<Self>] {
    var effects: [ReducedEffect<Self>] = []
    forEachBorrowed(actions.span) { action in
      let sequence = fold.sequence + 1
      let effect = fold.apply(action, at: moment, sequence: sequence)
      if !effect.isNone { effects.append(ReducedEffect(sequence: sequence, effect: effect)) }
    }
    return effects
  }
}

/// Calls `body` with each element in turn.
///
/// `Element` may be noncopyable, so that Swift borrows the element: an element known to be copyable
/// is copied out of the span before each call.
@inlinable @inline(__always)
func forEachBorrowed<Element: ~Copyable>(
  _ elements: Span<Element>, _ body: (borrowing Element) -> Void
) {
  for index in elements.indices { body(elements[index]) }
}
