/// The snapshot that a state was opened from, and why; for `doctor` and a one-line notice.
///
/// ```swift
/// let count = try storage.withState(of: CounterApp.self) { (state, use: SnapshotUse) in
///   print(use.used.map { "from the snapshot after record \($0)" } ?? "from all records")
///   return state.counters.count
/// }
/// print(count)
/// ```
public struct SnapshotUse: Hashable, Sendable {
  /// The verdict on a stored snapshot.
  public enum Verdict: Hashable, Sendable {
    /// The state was opened from it.
    case used
    /// It was made by another reducer.
    case otherReducer
    /// Its state has another schema.
    case otherStateSchema
    /// Its records were decoded as actions in another way.
    case otherDecoding
    /// It was made from another log.
    case otherLog
    /// Its bytes differ from those written.
    case damaged(String)

    /// Whether the verdict applies to all stored snapshots, because they share one fingerprint.
    var appliesToAll: Bool {
      switch self {
      case .otherReducer, .otherStateSchema, .otherDecoding: true
      case .used, .otherLog, .damaged: false
      }
    }
  }

  /// An examined snapshot.
  public struct Candidate: Hashable, Sendable {
    /// Its sequence.
    public var sequence: UInt64
    /// The verdict on it.
    public var verdict: Verdict

    /// The verdict in a few words for people.
    public var reason: String {
      switch verdict {
      case .used: "used"
      case .otherReducer: "made by another build of the app"
      case .otherStateSchema: "its state has another schema"
      case .otherDecoding: "this build decodes records differently"
      case .otherLog: "made from another log"
      case .damaged(let detail): "damaged (\(detail))"
      }
    }
  }

  /// The sequences of all stored snapshots, in ascending order; empty if they were not listed.
  package var stored: [UInt64] = []
  /// The examined snapshots, in the order of their examination: newest first.
  public var candidates: [Candidate] = []
  /// The number of records folded after the snapshot, or from the start.
  public var folded: UInt64 = 0
  /// The reason why no snapshot could be read at all; `nil` if they could be.
  public var failure: String?

  package init() {}

  package mutating func note(_ verdict: Verdict, at sequence: UInt64) {
    candidates.append(Candidate(sequence: sequence, verdict: verdict))
  }

  package mutating func markDamaged(_ detail: String) {
    guard let index = candidates.lastIndex(where: { $0.verdict == .used }) else { return }
    candidates[index].verdict = .damaged(detail)
  }

  /// The sequence of the used snapshot; `nil` if none was used.
  public var used: UInt64? { candidates.last { $0.verdict == .used }?.sequence }

  /// The sequence of the last record in the state that was opened.
  package var sequence: UInt64 { (used ?? 0) + folded }

  /// Whether snapshots were not used only because another build of the app made them, as after an
  /// upgrade; the next one that is saved can be used.
  public var isOfOtherBuild: Bool {
    failure == nil && !candidates.isEmpty
      && candidates.allSatisfy { $0.verdict == .used || $0.verdict.appliesToAll }
  }

  /// The message that a stored snapshot was unusable; `nil` if there is nothing to report.
  public var notice: String? {
    if let failure {
      return "The snapshot file could not be used: \(failure). The log was folded."
    }
    let worst = candidates.last { $0.verdict != .used }
    guard let worst else { return nil }
    let instead = used.map { "the one at record \($0) was used" } ?? "the log was folded"
    return "The snapshot after record \(worst.sequence) was not used: \(worst.reason); \(instead)."
  }
}
