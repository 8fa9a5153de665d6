public import Retrace

/// The results of verifying a whole log; damage of the log itself is thrown instead.
///
/// ```swift
/// let verification: Verification = try Verifier<CounterApp>.verify(storage)
/// if let divergence = verification.firstDivergence { print("up to record \(divergence.upTo)") }
/// ```
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
  /// The number of records after which the app's invariants were checked.
  public var invariantChecks = 0
  /// The invariants broken after the first checked record at which the state breaks any.
  public var firstViolations: Violations?
  /// The results of deciding the commands again; `nil` if that was not asked for.
  public var decisions: Decisions?

  /// The records after which a verification checks the app's invariants.
  ///
  /// A check costs what the app's `violations(of:)` costs, often O(entities).
  public enum InvariantChecks: Hashable, Sendable {
    /// No records.
    case omitted
    /// At most 64 records spread evenly over the log, the last one included.
    case spread
    /// All records.
    case everyRecord
  }

  /// The interval of records in which the fold diverged from the recording.
  public struct Divergence: Hashable, Sendable {
    /// The last record at which the hashes agreed, or 0.
    public var after: UInt64
    /// The first record at which they differed.
    public var upTo: UInt64

    /// Creates a divergence.
    public init(after: UInt64, upTo: UInt64) {
      self.after = after
      self.upTo = upTo
    }
  }

  /// The invariants of the app that a state breaks.
  public struct Violations: Hashable, Sendable {
    /// The record after which the state breaks them.
    public var sequence: UInt64
    /// The violations.
    public var violations: [Violation]

    /// Creates the violations after a record.
    public init(sequence: UInt64, violations: [Violation]) {
      self.sequence = sequence
      self.violations = violations
    }
  }

  /// The results of deciding the commands of a log again, each on the state before it.
  public struct Decisions: Hashable, Sendable {
    /// The number of commands that were decided again.
    public var decided = 0
    /// The number of commands that could not be decided or compared: those for which the app's
    /// `canDecideAgain(_:)` returns `false`, those that this build cannot read or that no decider
    /// handles, and those with a fact whose case is retired.
    public var notComparable = 0
    /// The number of commands whose new decision differs from the recorded one.
    public var divergences = 0
    /// The first command whose new decision differs from the recorded one, if there is one.
    public var firstDivergence: DecisionDivergence?

    /// Creates the results for a log without commands.
    public init() {}
  }

  /// A command whose decision in this build differs from the recorded one.
  public struct DecisionDivergence: Hashable, Sendable {
    /// The sequence of the command's record.
    public var sequence: UInt64
    /// The command.
    public var command: JSONValue
    /// The recorded facts under `facts`, or the recorded refusal under `refusal`.
    public var recorded: JSONValue
    /// The same for the decision of this build.
    public var decided: JSONValue

    /// Creates a divergence.
    public init(
      sequence: UInt64, command: JSONValue, recorded: JSONValue, decided: JSONValue
    ) {
      self.sequence = sequence
      self.command = command
      self.recorded = recorded
      self.decided = decided
    }
  }
}
