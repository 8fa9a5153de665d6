/// Which snapshot a state was opened from, and why; for `doctor` and for one line of notice.
public struct SnapshotUse: Hashable, Sendable {
  /// What became of a stored snapshot.
  public enum Verdict: Hashable, Sendable {
    /// The state was opened from it.
    case used
    /// Its reducer is another one.
    case otherReducer
    /// Its state has another schema.
    case otherStateSchema
    /// Its records were turned into actions in another way.
    case otherDecoding
    /// The log is not the one that it was made of.
    case otherLog
    /// Bytes are not what was written.
    case damaged(String)

    /// Whether it holds for all snapshots: all that are stored were made in the same way.
    var isForAll: Bool {
      switch self {
      case .otherReducer, .otherStateSchema, .otherDecoding: true
      case .used, .otherLog, .damaged: false
      }
    }
  }

  /// A snapshot that was looked at.
  public struct Candidate: Hashable, Sendable {
    /// Its sequence.
    public var sequence: UInt64
    /// What became of it.
    public var verdict: Verdict

    /// Makes a candidate.
    public init(sequence: UInt64, verdict: Verdict) {
      self.sequence = sequence
      self.verdict = verdict
    }

    /// What became of it, in a few words for a person.
    public var reason: String {
      switch verdict {
      case .used: "used"
      case .otherReducer: "made by another build of the app"
      case .otherStateSchema: "its state has another schema"
      case .otherDecoding: "this build reads records in another way"
      case .otherLog: "made of another log"
      case .damaged(let detail): "damaged (\(detail))"
      }
    }
  }

  /// The sequences of all snapshots that are stored, lowest first.
  public var stored: [UInt64] = []
  /// Those that were looked at, in that order.
  public var candidates: [Candidate] = []
  /// How many records were folded behind the snapshot, or from the start.
  public var folded: UInt64 = 0
  /// Why nothing at all could be read, if so.
  public var failure: String?

  /// Makes a report that says nothing.
  public init() {}

  /// Adds a snapshot that was looked at.
  package mutating func note(_ verdict: Verdict, at sequence: UInt64) {
    candidates.append(Candidate(sequence: sequence, verdict: verdict))
  }

  /// Says that the snapshot that was used turned out to be damaged.
  package mutating func condemn(_ detail: String) {
    guard let index = candidates.lastIndex(where: { $0.verdict == .used }) else { return }
    candidates[index].verdict = .damaged(detail)
  }

  /// The sequence of the snapshot that was used, if one was.
  public var used: UInt64? { candidates.last { $0.verdict == .used }?.sequence }

  /// What a person is told, once: that something stored could not be used; `nil` if all is well.
  public var notice: String? {
    if let failure { return "Snapshots could not be used: \(failure). The log was folded." }
    let worst = candidates.last { $0.verdict != .used }
    guard let worst else { return nil }
    let instead = used.map { "the one at record \($0) was used" } ?? "the log was folded"
    return "The snapshot after record \(worst.sequence) was dropped: \(worst.reason); \(instead)."
  }
}
