/// The handle of an observation; dropping it ends the observation.
///
/// ```swift
/// let observation: Observation = store.select({ $0.counters.count }, map: { $0 }) { print($0) }
/// observation.cancel()
/// ```
public final class Observation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation.
  ///
  /// This can be called on any thread, also within the body. It does not wait: one call of the body
  /// that another thread has already begun may still run after this returns, and no other does. The
  /// body and everything it captures are released.
  public func cancel() { end() }
}
