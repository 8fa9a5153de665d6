public import RetraceAvro
public import RetraceSchema

/// The results of verifying a whole log; damage of the log itself is thrown instead.
public struct Verification: Hashable, Sendable {
  /// The number of records.
  public var records: UInt64
  /// The recomputed chain after the last record.
  public var chain: Digest
  /// The hash of the state after the last record.
  public var stateHash: Digest
  /// The number of recorded state hashes that were recomputed and compared.
  public var compared: Int
  /// The number of hashes recorded under another state schema, which cannot be compared.
  public var notComparable: Int
  /// The number of records skipped because their case is retired, by case.
  public var skipped: [CaseName: UInt64] = [:]
  /// The first divergence of the fold from the recording, if there is one.
  public var firstDivergence: Divergence?

  /// The interval of records in which the fold diverged from the recording.
  public struct Divergence: Hashable, Sendable {
    /// The last record at which the hashes agreed; 0 if there is none.
    public var after: UInt64
    /// The first record at which they differed.
    public var upTo: UInt64

    /// Creates a divergence.
    public init(after: UInt64, upTo: UInt64) {
      self.after = after
      self.upTo = upTo
    }
  }
}
