package struct BenchRound: Hashable, Sendable {
  /// The processor time of each ``BenchPart``, in nanoseconds per record.
  package var parts: [BenchPart: Double]
  /// The times of decoding and reducing, in the order of the bench's types.
  package var types: [TypeTimes]
  package var wallNanoseconds: Int64
  /// The processor time of the round, in nanoseconds.
  ///
  /// The rest of ``wallNanoseconds`` went to other programs, or to waiting for the disk.
  package var processorNanoseconds: Int64
  /// The processor time of a fixed workload, in nanoseconds: a measure of the machine's speed.
  package var calibrationNanoseconds: Int64

  /// The wall-clock times of decoding and reducing the records of one type, in nanoseconds.
  package struct TypeTimes: Hashable, Sendable {
    /// Decoding and reducing together; for records other than actions, folding them.
    package var whole: Distribution
    package var decode: Distribution
    package var reduce: Distribution

    /// Returns the share of decoding in the total time of all types; 0 if the total is 0.
    static func decodingShare(of types: [TypeTimes]) -> Double {
      let whole = types.reduce(0) { $0 + $1.whole.total }
      return whole > 0 ? types.reduce(0) { $0 + $1.decode.total } / whole : 0
    }
  }
}

/// A part of the work on a log.
package enum BenchPart: String, CaseIterable, Hashable, Sendable {
  /// Reading the records: checksums of the blocks, envelopes.
  case scan
  /// Recomputing checksums and chain, and checking every record by itself.
  case verify
  case decode
  case reduce
  /// Hashing the state after each record with a recorded state hash, and after the last record.
  case hash
  /// Scan, decode and reduce together, as a program does when it opens its store.
  case fold
  /// All work of a verification: verify, fold and hash.
  case total = "whole"
}
