/// Threads among which pieces of work are shared out, lent to pure code by whoever may start them.
///
/// What is computed by them must not depend on which of them computes a piece, nor when.
public protocol WorkSharing: Sendable {
  /// How many pieces are worked on at a time, at least 1.
  var width: Int { get }

  /// Runs pieces of work at a time and answers what they answered, in order, when all are through.
  ///
  /// - Parameters:
  ///   - count: How many pieces there are.
  ///   - piece: Does the piece of a number from 0.
  func map<Result: Sendable>(
    _ count: Int, _ piece: @Sendable (Int) -> Result
  ) -> [Result]
}
