public import Retrace
public import TimeTracking
import TrackerFeatures

/// Commands about time entries, prepared and decided on a copy of the entities before they are
/// performed.
///
/// The plan keeps the facts of the decision. Questions and dry runs print the changes that the
/// facts would make. After the commands are performed, the numbers of facts assign the changes to
/// commands.
public struct EntryPlan: Sendable {
  #if DEBUG
    /// Receives each command that the task decides on a copy, in tests that count decisions.
    ///
    /// It is not in the decider, whose sources and compilation conditions are in the fingerprint.
    /// With it there, debug and release builds could not share snapshots.
    @TaskLocal package static var observer: Observer?

    /// What is done with each command that is decided on a copy.
    ///
    /// Optimized programs of Swift 6.3.1 crash on a task-local value that is a function.
    package struct Observer: Sendable {
      fileprivate let receive: @Sendable (TimeEntryCommand) -> Void

      /// Makes an observer of a function.
      package init(_ receive: @escaping @Sendable (TimeEntryCommand) -> Void) {
        self.receive = receive
      }
    }
  #endif

  /// The commands, as they are performed.
  public let commands: [TimeEntryCommand]
  /// The entities on which the first command was decided.
  public let domain: DomainState
  /// The moment of the decision.
  public let moment: Moment
  /// The refusal of the first command that is refused, or of all commands if one takes time that a
  /// correction gives to its entry; `nil` if there is no refusal.
  public private(set) var refusal: DomainRefusal?
  /// The facts of each command before the one that is refused.
  let facts: [[DomainFact]]
  /// The entities before the last command that was decided, or before the first one if all commands
  /// are refused together.
  private var state: DomainState
  /// The commands as they were given, before a whole second replaced the present.
  private let given: [TimeEntryCommand]

  /// Prepares and decides commands.
  ///
  /// - Parameters:
  ///   - given: The commands, in order.
  ///   - domain: The entities.
  ///   - moment: The present.
  ///   - zones: The rules of zones, for the offsets that entries record.
  ///   - known: Rules that are used for entries of their zone, without a lookup.
  /// - Complexity: As the decisions.
  public init(
    _ given: [TimeEntryCommand], on domain: DomainState, at moment: Moment,
    in zones: ZoneRulesCache, known: ZoneRules
  ) {
    self.init(
      given.map { zones.prepared($0, at: moment, in: domain, known: known) }, given, on: domain,
      at: moment)
  }

  private init(
    _ commands: [TimeEntryCommand], _ given: [TimeEntryCommand], on domain: DomainState,
    at moment: Moment
  ) {
    (self.commands, self.given, self.domain, self.moment) = (commands, given, domain, moment)
    let corrections = AdjustingCorrections(of: commands, in: domain)
    var (state, facts) = (domain, [[DomainFact]]())
    for command in commands {
      state.reduce(facts.last ?? [], at: moment)
      #if DEBUG
        Self.observer?.receive(command)
      #endif
      do throws(DomainRefusal) {
        facts.append(try DomainDecider().decide(.entry(command), on: state, at: moment))
      } catch {
        refusal = error
        break
      }
    }
    (self.state, self.facts) = (state, facts)
    // Most plans have one command, so `stateAfter` is computed only if corrections need it.
    guard !corrections.isEmpty else { return }
    let lost = corrections.lost(in: stateAfter)
    guard !lost.isEmpty else { return }
    refusal = .entry(.takenByOthers(lost))
    self.state = domain
  }

  /// Returns a plan of the commands under another policy.
  ///
  /// - Complexity: As the decisions.
  public func with(_ policy: Policy) -> EntryPlan {
    EntryPlan(
      commands.map { $0.with(policy) }, given.map { $0.with(policy) }, on: domain, at: moment)
  }

  /// The plan of the commands after the user has confirmed that an entry runs since more than 12
  /// hours ago.
  ///
  /// - Complexity: As the decisions.
  public var withoutRunningLimit: EntryPlan {
    EntryPlan(
      commands.map(\.withoutRunningLimit), given.map(\.withoutRunningLimit), on: domain,
      at: moment)
  }

  /// The commands as one change, and the given commands as one change, which is performed if the
  /// first is refused because another process has taken the whole second.
  var alternatives: [DomainCommand] {
    (commands == given ? [commands] : [commands, given]).map { commands in
      .entry(commands.count == 1 ? commands[0] : .several(commands))
    }
  }
}

// MARK: - What the commands would change

extension EntryPlan {
  /// The entities after the last command; after a refusal, before the refused command or, if all
  /// commands are refused together, before the first one.
  public var stateAfter: DomainState {
    var after = state
    if refusal == nil { after.reduce(facts.last ?? [], at: moment) }
    return after
  }

  /// What each command would change, with the state after all of them.
  ///
  /// - Complexity: O(facts).
  public var changes: [EntryChanges] {
    EntryChanges.parts(
      of: facts.joined().map { .fact($0) }, counts: facts.map(\.count), state: stateAfter,
      sequence: 0)
  }

  /// The entries that the commands would delete although the user did not name them.
  public var deletions: [TimeEntryID] {
    let named = Set(commands.compactMap(\.target) + commands.compactMap(\.joined))
    return facts.joined().flatMap(\.undoableEdits).compactMap { edit in
      guard case .entry(.changed(let id, let changes)) = edit, changes.deleted?.after != nil
      else { return nil }
      return named.contains(id) ? nil : id
    }
  }
}

// MARK: - Questions

extension EntryPlan {
  /// A question that the user confirms before the commands are performed.
  public enum Question: Hashable, Sendable {
    /// Commands change or delete the entries that a filter selects.
    case selected(Int, isDeletion: Bool)
    /// Several entries get one description.
    case described(Int, String)
    /// Several entries get one annotation; an empty text removes their annotations.
    case annotated(Int, String)
    /// Whole entries are deleted by the policy of the preferences.
    case deleted([TimeEntryID])
  }

  /// The questions that only some verbs of the command line ask, or ask in another way.
  public struct Questions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates a set of the bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Whether an entry may start more than 12 hours ago.
    ///
    /// A policy that the user gave is an answer.
    public static let longAgo = Questions(rawValue: 1)
    /// Whether the selected entries may be changed.
    public static let selected = Questions(rawValue: 2)
    /// Whether several entries may get one description.
    public static let described = Questions(rawValue: 4)
    /// Whether several entries may get one annotation.
    public static let annotated = Questions(rawValue: 8)
  }

  /// Returns the questions that the user confirms before the commands are performed, in order.
  ///
  /// - Parameters:
  ///   - asked: The questions of the verb.
  ///   - policy: The policy of the commands.
  ///   - isGiven: Whether the policy comes from an option, and not from the preferences.
  public func questions(
    _ asked: Questions, under policy: Policy, isGiven: Bool
  ) -> [Question] {
    var questions: [Question] = []
    let texts = asked.contains(.described) ? commands.compactMap(\.description) : []
    if asked.contains(.selected) {
      let isDeletion = commands.allSatisfy { if case .delete = $0 { true } else { false } }
      questions.append(.selected(commands.count, isDeletion: isDeletion))
    } else if texts.count > 1 {
      questions.append(.described(texts.count, texts[0]))
    } else if asked.contains(.annotated), commands.count > 1 {
      questions.append(.annotated(commands.count, commands[0].annotation ?? ""))
    }
    let deletions = !isGiven && policy == .adjust ? deletions : []
    if !deletions.isEmpty { questions.append(.deleted(deletions)) }
    return questions
  }

  /// The refusal of an overlap that allowing the refused command allows, too; `nil` for none.
  ///
  /// - Complexity: As two decisions.
  public var hiddenOverlap: DomainRefusal? {
    guard case .entry(let reason)? = refusal, commands.indices.contains(facts.count) else {
      return nil
    }
    return commands[facts.count].overlap(behind: reason, in: stateAfter, at: moment)
      .map { .entry($0) }
  }

  /// The start of the entry that would run since more than 12 hours ago; `nil` if the commands are
  /// not refused for that.
  public var longAgo: Moment? {
    if case .entry(.runsSince(let start)) = refusal { start } else { nil }
  }

  /// The policy under which the commands may be accepted after the refusal, if any.
  public var otherPolicy: Policy? {
    switch refusal {
    case .entry(.overlaps): .adjust
    case .entry(.inFuture): .allow
    case .entry(.tooLong(let time)): time <= TimeEntry.durationMax ? .allow : nil
    default: nil
    }
  }
}

extension TimeEntryCommand {
  /// The description that the command gives to an entry; `nil` if it keeps the one that it has.
  fileprivate var description: String? {
    guard case .correct(_, let correction, policy: _, rules: _, reason: _) = self else {
      return nil
    }
    return correction.changes.description?.after
  }

  /// The last annotation that the command gives to an entry; `nil` if it gives none.
  fileprivate var annotation: String? {
    guard case .correct(_, let correction, policy: _, rules: _, reason: _) = self else {
      return nil
    }
    return correction.changes.annotations?.after.last
  }

  /// The entry that the user named.
  public var target: TimeEntryID? {
    switch self {
    case .start, .stop, .add, .resume, .several: nil
    case .correct(let id, _, _, _, _), .delete(let id, _), .split(let id, _, _, _): id
    case .join(let id, _, _, _, _): id
    }
  }

  /// The entry that the command removes besides its target; `nil` if it removes none.
  fileprivate var joined: TimeEntryID? {
    if case .join(_, let id, _, _, _) = self { id } else { nil }
  }
}
