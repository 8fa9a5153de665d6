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
  /// The number of these of which the record has only the first four bytes.
  ///
  /// Two different states have the same four bytes with a probability of 2^-32.
  public var comparedShort = 0
  /// The number of hashes recorded under another state schema, which cannot be compared.
  public var notComparable: Int
  /// The largest number of records from one compared hash to the next, or from the start of the log
  /// to the first one; 1 if every record has a compared hash, and 0 if none was compared.
  ///
  /// A wrong state after a record shows in the next compared hash, unless it is right again there.
  public var largestDistance: UInt64 = 0
  /// The number of records after the last compared hash: no state after them was compared.
  public var recordsAfterLastHash: UInt64 = 0
  /// The number of records skipped because their case is retired, by case.
  public var skipped: [CaseName: UInt64] = [:]
  /// The first divergence of the fold from the recording, if there is one.
  public var firstDivergence: Divergence?
  /// The results of comparing the effects of the fold with what the log says of effects.
  public var effects = Effects()
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
    /// The values that differ, by their paths in both decisions, with instants as RFC 3339.
    package var differences: [ValueDifference] = []

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

  /// The results of comparing the effects of the fold with what the log says of effects.
  ///
  /// The log says which actions had an effect, and how and when leaves ended. It has neither the
  /// names of leaves nor their delays, so it does not contradict a shorter delay.
  public struct Effects: Hashable, Sendable {
    /// The number of actions that had an effect when they were recorded, or have one in this fold.
    public var actions = 0
    /// The number of recorded ends of leaves.
    public var ends = 0
    /// The number of records at which the fold contradicts the log.
    public var divergences = 0
    /// The first of these records, if there is one.
    public var firstDivergence: EffectDivergence?

    /// Creates the results for a log without effects.
    public init() {}
  }

  /// A record at which the effects of the fold contradict the log.
  public struct EffectDivergence: Hashable, Sendable {
    /// The contradiction.
    public enum Kind: Hashable, Sendable {
      /// The action had an effect when it was recorded, and the fold returns none.
      case missing
      /// The action had no effect when it was recorded, and the fold returns one with these leaves.
      case unrecorded(leaves: [String])
      /// The record is the end of a leaf that the fold does not have in flight.
      case endOfUnknownLeaf(EffectLeafID)
      /// The record is an answer of an effect of which the fold has no leaf in flight.
      case answerOfUnknownLeaf(cause: UInt64)
      /// The leaf ended before it is due in the fold.
      ///
      /// Only ends of sessions with a running clock are compared, and only if no record since the
      /// cause has an earlier moment than its predecessor.
      case endedEarly(EffectLeafID, due: Moment)
    }

    /// The sequence of the record.
    public var sequence: UInt64
    /// The contradiction.
    public var kind: Kind

    /// Creates a divergence.
    public init(sequence: UInt64, kind: Kind) {
      self.sequence = sequence
      self.kind = kind
    }
  }
}
