/// An observer's hold on a store: dropping it ends the observation.
public final class Observation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation.
  ///
  /// No call of the body begins after this has returned, whoever calls it: the body itself, or any
  /// thread. A call that is under way on another thread is not waited for. What the body holds is
  /// released.
  public func cancel() { end() }
}
