/// The handle of an observation; dropping it ends the observation.
public final class Observation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation.
  ///
  /// No call of the body begins after this returns. This can be called on any thread, also within
  /// the body. It does not wait for a call of the body in progress on another thread. The body and
  /// everything it captures are released.
  public func cancel() { end() }
}
