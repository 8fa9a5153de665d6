/// Threads that share the hashing of a table, which pure code gets from a caller that may start
/// them.
///
/// It is a value with a function, and no protocol, because Embedded Swift has no existentials.
public struct WorkerPool: Sendable {
  /// A piece of the work: a function from its number to its results.
  public typealias Piece = @Sendable (Int) -> [PageReference]

  /// The number of pieces that run concurrently, at least 1.
  public let threadCount: Int
  @usableFromInline let body: @Sendable (_ count: Int, _ piece: Piece) -> [[PageReference]]

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - threadCount: The number of pieces that run concurrently, at least 1.
  ///   - body: Runs a number of pieces of work concurrently, from the one with the number 0 on, and
  ///     returns their results, in order. The results must not depend on which thread runs a
  ///     piece, nor on the order.
  public init(
    threadCount: Int,
    body: @escaping @Sendable (_ count: Int, _ piece: Piece) -> [[PageReference]]
  ) {
    self.threadCount = threadCount
    self.body = body
  }

  /// Runs pieces of work concurrently and returns their results, in order.
  @inlinable
  func map(_ count: Int, _ piece: Piece) -> [[PageReference]] { body(count, piece) }
}
