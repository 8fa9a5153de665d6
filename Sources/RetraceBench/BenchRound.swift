/// The measurements of one round.
public struct BenchRound: Hashable, Sendable {
  /// The processor time of each ``BenchPart``, in nanoseconds per record.
  public var parts: [BenchPart: Double]
  /// The times of decoding and reducing, in the order of the bench's types.
  public var types: [TypeTimes]
  /// The wall-clock time of the round, in nanoseconds.
  public var wallNanoseconds: Int64
  /// The processor time of the round, in nanoseconds.
  ///
  /// The remaining wall-clock time belongs to other programs, or was spent waiting for the disk.
  public var processorNanoseconds: Int64
  /// The processor time of a constant piece of work, in nanoseconds, which shows the machine's
  /// speed.
  public var calibrationNanoseconds: Int64

  /// Creates a round from figures.
  public init(
    parts: [BenchPart: Double], types: [TypeTimes], wallNanoseconds: Int64,
    processorNanoseconds: Int64, calibrationNanoseconds: Int64
  ) {
    self.parts = parts
    self.types = types
    self.wallNanoseconds = wallNanoseconds
    self.processorNanoseconds = processorNanoseconds
    self.calibrationNanoseconds = calibrationNanoseconds
  }

  /// The wall-clock times of decoding and reducing the records of one type, in nanoseconds.
  public struct TypeTimes: Hashable, Sendable {
    /// Decoding and reducing together; for records other than actions, folding them.
    public var whole: Distribution
    /// Decoding alone.
    public var decode: Distribution
    /// Reducing alone.
    public var reduce: Distribution

    /// Creates times from figures.
    public init(whole: Distribution, decode: Distribution, reduce: Distribution) {
      self.whole = whole
      self.decode = decode
      self.reduce = reduce
    }

    /// Returns the share of decoding in the total time of all types; 0 if that is 0.
    static func decodingShare(of types: [TypeTimes]) -> Double {
      let whole = types.reduce(0) { $0 + $1.whole.total }
      return whole > 0 ? types.reduce(0) { $0 + $1.decode.total } / whole : 0
    }
  }
}

/// A part of the work on a log.
public enum BenchPart: String, CaseIterable, Hashable, Sendable {
  /// Reading the records: checksums of the blocks, envelopes.
  case scan
  /// Recomputing checksums and chain, and checking every record by itself.
  case verify
  /// Decoding payloads into actions.
  case decode
  /// Reducing actions.
  case reduce
  /// Hashing the state after each record with a recorded state hash, and after the last record.
  case hash
  /// Scan, decode and reduce together, as a program does when it opens its store.
  case fold
  /// All work of a verification: verify, fold and hash.
  case whole
}
