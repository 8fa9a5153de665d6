/// What one round of measurements took.
public struct BenchRound: Hashable, Sendable {
  /// Processor time per record of each part, in nanoseconds, in the order of ``BenchPart``.
  public var parts: [BenchPart: Double]
  /// What decoding and reducing took, type by type in the order of the bench's types.
  public var types: [TypeTimes]
  /// The time that passed, in nanoseconds.
  public var wallNanoseconds: Int64
  /// The processor time of it, in nanoseconds; what is missing went to others.
  public var processorNanoseconds: Int64
  /// Processor time of a work that is always the same, in nanoseconds: how fast the machine was.
  public var yardstickNanoseconds: Int64

  /// Makes a round of known figures.
  public init(
    parts: [BenchPart: Double], types: [TypeTimes], wallNanoseconds: Int64,
    processorNanoseconds: Int64, yardstickNanoseconds: Int64
  ) {
    self.parts = parts
    self.types = types
    self.wallNanoseconds = wallNanoseconds
    self.processorNanoseconds = processorNanoseconds
    self.yardstickNanoseconds = yardstickNanoseconds
  }

  /// What decoding and reducing the records of one type took, in nanoseconds of time that passed.
  public struct TypeTimes: Hashable, Sendable {
    /// Both together; for records that are no actions, folding them.
    public var whole: Distribution
    /// Decoding alone.
    public var decode: Distribution
    /// Reducing alone.
    public var reduce: Distribution

    /// Makes times of known figures.
    public init(whole: Distribution, decode: Distribution, reduce: Distribution) {
      self.whole = whole
      self.decode = decode
      self.reduce = reduce
    }

    /// The share that decoding has in what all types took together; 0 for nothing.
    static func decodingShare(of types: [TypeTimes]) -> Double {
      let whole = types.reduce(0) { $0 + $1.whole.total }
      return whole > 0 ? types.reduce(0) { $0 + $1.decode.total } / whole : 0
    }
  }
}

/// A part of what is done with a log.
public enum BenchPart: String, CaseIterable, Hashable, Sendable {
  /// Going through the records: checksums of the blocks, envelopes.
  case scan
  /// Recomputing checksums and chain, and checking every record by itself.
  case verify
  /// Making actions of payloads.
  case decode
  /// Reducing actions.
  case reduce
  /// The state hashes where the log carries one, and that of the last state.
  case hash
  /// Scan, decode and reduce as one, as a program does it that opens its store.
  case fold
  /// All that a verification does: verify, fold and hash.
  case whole
}
