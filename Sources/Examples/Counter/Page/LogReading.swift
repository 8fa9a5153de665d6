import Retrace

/// A log that a host hands over piece by piece: it is verified and folded as it comes.
struct LogReading<App: ReplayableApp> {
  /// The reason why the log cannot be read.
  struct Failure: Error {
    var text: String
  }

  private var verifier: LogVerifier<SwiftHasher>
  private var fold = RecordFold<App>(plan: DecodingPlan())

  /// Begins with the 16 bytes of the store's identity.
  init(store bytes: [UInt8]) throws(Failure) {
    guard let store = StoreID(bytes.span) else { throw Failure(text: "no identity of a store") }
    verifier = LogVerifier(store: store)
  }

  /// Adds the next schema of actions.
  mutating func add(schema bytes: [UInt8]) throws(Failure) {
    do throws(AvroError) {
      try fold.plan.append(Schema(parsing: bytes.span), hashing: SwiftHasher.self)
    } catch {
      throw Failure(text: error.description)
    }
  }

  /// Verifies and folds the next block.
  ///
  /// - Parameters:
  ///   - bytes: The block.
  ///   - key: The sequence under which it is stored.
  mutating func add(block bytes: [UInt8], at key: UInt64) throws(Failure) {
    do throws(LogError) {
      try verifier.check(bytes.span, at: key)
      var cursor = try RecordCursor(bytes.span, at: key)
      while try cursor.next() { try advance(cursor) }
    } catch {
      throw Failure(text: error.description)
    }
  }

  private mutating func advance(_ record: borrowing RecordCursor) throws(LogError) {
    do throws(FoldError) {
      try fold.advance(record)
    } catch {
      throw .damaged(sequence: record.sequence, detail: "the record cannot be folded")
    }
  }

  /// The first lines of `replay verify`.
  mutating func report() -> [String] {
    let hash = StateHasher.hash(&fold.fold.state, with: SwiftHasher.self)
    return [
      "records         \(verifier.records)", "chain           \(verifier.chain.hex)",
      "state hash      \(hash.hex)",
    ]
  }
}
