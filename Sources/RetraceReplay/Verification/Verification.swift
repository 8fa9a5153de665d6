public import RetraceAvro
public import RetraceSchema

/// What a verification of a whole log found; damage of the log itself is thrown instead.
public struct Verification: Hashable, Sendable {
  /// The number of records.
  public var records: UInt64
  /// The recomputed chain after the last record.
  public var chain: Digest
  /// The hash of the state after the last record.
  public var stateHash: Digest
  /// How many recorded state hashes were recomputed and compared.
  public var compared: Int
  /// How many were recorded under another state schema and could not be compared.
  public var notComparable: Int
  /// How many records were passed over because their case was retired, by case.
  public var ignored: [CaseName: UInt64] = [:]
  /// Where the fold first left the recording, if it did.
  public var firstDivergence: Divergence?

  /// The records among which a fold left the recording.
  public struct Divergence: Hashable, Sendable {
    /// The last record at which the hashes agreed; 0 if they never did.
    public var after: UInt64
    /// The first record at which they did not.
    public var upTo: UInt64

    /// Makes a divergence.
    public init(after: UInt64, upTo: UInt64) {
      self.after = after
      self.upTo = upTo
    }
  }
}
