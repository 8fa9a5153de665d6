/// A container of a log, such as a store or a copy in memory.
package protocol LogSource: ~Copyable {
  /// The error of a source that could not be read.
  associatedtype Failure: Error

  /// The identity of the store, which the chain covers.
  var storeID: StoreID { get }

  /// Returns the end of the log.
  func readHead() throws(Failure) -> Head

  /// Returns the full JSON of a schema by number, or `nil` if the source has no such schema.
  func schemaJSON(_ number: UInt32) throws(Failure) -> String?

  /// Calls `body` with the blocks in order, starting with the one that contains a sequence.
  ///
  /// - Parameters:
  ///   - sequence: A sequence in the first block.
  ///   - body: Called with a block's key and bytes; returns whether to continue.
  func forEachBlock(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) -> Bool
  ) throws(Failure)
}
