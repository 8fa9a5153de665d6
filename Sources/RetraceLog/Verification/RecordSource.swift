/// Something that holds a log: a store, a copy in memory, a bundle.
public protocol RecordSource: ~Copyable {
  /// Why the source itself could not answer.
  associatedtype Failure: Error

  /// The identity that the chain covers.
  var storeID: StoreID { get }

  /// Where the log ends.
  func readHead() throws(Failure) -> Head

  /// The full JSON of a schema, by its number; `nil` if the source has none of that number.
  func schemaJSON(_ number: UInt32) throws(Failure) -> String?

  /// Lends the blocks in order, from the one that holds a sequence on.
  ///
  /// - Parameters:
  ///   - sequence: A sequence of the first block wanted.
  ///   - body: Takes a block's key and its bytes, and answers whether to go on.
  func forEachBlock(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) -> Bool
  ) throws(Failure)
}
