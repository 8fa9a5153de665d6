/// An executor of parallel work, which pure code gets from a caller that may start threads.
///
/// The results must not depend on which thread runs a piece of work, nor on the order.
public protocol WorkerPool: Sendable {
  /// The number of pieces that run concurrently, at least 1.
  var threadCount: Int { get }

  /// Runs the pieces of work concurrently and returns their results, in order.
  ///
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - piece: Runs the piece with the given number, from 0.
  func map<Result: Sendable>(
    _ count: Int, _ piece: @Sendable (Int) -> Result
  ) -> [Result]
}
