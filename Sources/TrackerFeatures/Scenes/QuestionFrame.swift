import Retrace
import TimeTracking

/// A refused command on screen: the refusal, and a preview of adjusting other entries.
///
/// The preview comes from deciding the command with the other policy on the shown state.
struct QuestionFrame: Sendable {
  private let question: Question
  /// Why enter does not perform the command with `Policy.adjust`; `nil` if it does.
  let obstacle: KeyObstacle?
  /// The number of entries that adjusting deletes.
  let deletions: Int
  /// Whether allowing what was refused helps: else there is another reason against the command.
  let isAllowable: Bool
  /// The zone of its times.
  let zone: ZoneRules?
  /// Why the command was refused, in lines that may be wider than the screen.
  let reasons: [Screen.Line]
  /// What adjusting does, in lines that may be wider than the screen.
  let changes: [Screen.Line]

  /// The maximum number of listed changes of other entries.
  private static var changesMax: Int { 3 }

  init(_ question: Question, in domain: DomainState, at moment: Moment, by rules: ZoneRules?) {
    self.question = question
    var (adjusted, refusal) = ([DomainFact](), DomainRefusal?.none)
    do throws(DomainRefusal) {
      adjusted = try DomainDecider().decide(
        .entry(question.command.with(.adjust)), on: domain, at: moment)
    } catch {
      refusal = error
    }
    do throws(DomainRefusal) {
      _ = try DomainDecider().decide(.entry(question.allowed), on: domain, at: moment)
      isAllowable = true
    } catch {
      isAllowable = error.isByPolicy
    }
    let isSame = refusal == .entry(question.refusal)
    let zone =
      rules
      ?? question.command.zone(in: domain).map {
        ZoneRules(id: $0.id, offsetSeconds: $0.offsetSeconds)
      }
    self.zone = zone
    // The last fact is about the entry itself.
    let deleting = adjusted.dropLast().filter { $0.deletesEntry }
    let others = deleting + adjusted.dropLast().filter { !$0.deletesEntry }
    deletions = deleting.count
    if let refusal {
      obstacle = .cannotAdjust(isSame ? nil : refusal)
    } else {
      obstacle = deletions > 0 ? .deletesEntries(Int64(deletions)) : nil
    }
    // Only the times tell entries of one text apart.
    let known = Set(question.refusal.overlapped + others.compactMap { $0.changedEntry })
    let areAlike = Set(known.map { domain.timeEntries[$0]?.description }).count < known.count
    let reason = DomainRefusal.entry(question.refusal)
      .text(in: domain, zone: zone, showsIDs: areAlike).line
    var reasons = [Screen.Line("! \(reason)", .warning)]
    if let hidden = question.command.overlap(behind: question.refusal, in: domain, at: moment) {
      let text = DomainRefusal.entry(hidden).text(in: domain, zone: zone, showsIDs: areAlike).line
      reasons.append(Screen.Line("! \(text)", .warning))
    }
    self.reasons = reasons
    // What adjusting does is no warning.
    let texts = others.compactMap { fact in
      Self.text(of: fact, in: domain, by: rules) { id, entry in
        areAlike ? entry.mention(id, zone: zone ?? .utc) : entry.shortName
      }
    }
    var changes = texts.prefix(Self.changesMax).map { Screen.Line("  \($0)") }
    // A low screen has no room for all changes, but for their number.
    if deletions > 1 {
      changes.insert(Screen.Line("  Adjusting deletes \(deletions) entries."), at: 0)
    }
    if texts.count > Self.changesMax {
      changes.append(Screen.Line("  and \(texts.count - Self.changesMax) more"))
    }
    self.changes = changes
  }

  /// The steps that perform the command with the policy that adjusts other entries.
  var adjusting: [KeyStep] { steps(of: question.command.with(.adjust)) }

  /// The steps that perform the command as it is.
  var allowing: [KeyStep] { steps(of: question.allowed) }

  private func steps(of command: TimeEntryCommand) -> [KeyStep] {
    [.command(.entry(command))] + (question.closes.map { [.scene(.popped($0))] } ?? [])
  }

  /// Returns a text about a fact that changes another entry; `nil` for a new project or tag.
  ///
  /// - Parameters:
  ///   - fact: The fact.
  ///   - domain: The entities before it.
  ///   - rules: The rules of the zone in which times are shown; `nil` for the recorded offsets.
  ///   - name: Returns the text that names an entry.
  private static func text(
    of fact: DomainFact, in domain: DomainState, by rules: ZoneRules?,
    naming name: (TimeEntryID, TimeEntry) -> String
  ) -> String? {
    guard case .edited(.entry(let edit)) = fact else { return nil }
    func clock(_ moment: Moment, _ entry: TimeEntry) -> String {
      let local = LocalTime(moment, offsetSeconds: entry.zone.offsetSeconds)
      return (rules?.local(at: moment) ?? local).clock + (rules?.offsetMark(at: moment) ?? "")
    }
    switch edit {
    case .inserted(_, let insertion):
      // The rest of an entry that is split.
      let rest = insertion.entity
      return "Adjusting: \(rest.shortName) goes on at \(clock(rest.start, rest))."
    case .changed(let id, let changes):
      guard let entry = domain.timeEntries[id] else { return nil }
      let subject = "Adjusting: \(name(id, entry))"
      if changes.deleted != nil { return "\(subject) is deleted." }
      if let end = changes.end?.after { return "\(subject) ends at \(clock(end, entry))." }
      return changes.start.map { "\(subject) begins at \(clock($0.after, entry))." }
    case .removed: return nil
    }
  }
}

extension TimeEntryCommand {
  /// Returns the zone in which its times were typed, if the command has one.
  fileprivate func zone(in domain: DomainState) -> RecordedZone? {
    switch self {
    case .start(let draft, at: _, policy: _, rules: _),
      .add(let draft, start: _, end: _, policy: _, rules: _):
      draft.zone
    case .resume(_, at: _, let zone, policy: _, rules: _): zone
    case .correct(let id, let correction, policy: _, rules: _, reason: _):
      correction.changes.zone?.after ?? domain.timeEntries[id]?.zone
    case .stop(let user, at: _, policy: _): domain.runningEntry(of: user)?.entry.zone
    case .delete, .split, .join, .several: nil
    }
  }
}

extension Question {
  /// Whether the command is refused because an entry would run since more than 12 hours ago.
  fileprivate var isAboutRunning: Bool { if case .runsSince = refusal { true } else { false } }

  /// The command that the user confirms by allowing what was refused.
  ///
  /// An early start alone is confirmed, so that an overlap is asked about, too.
  fileprivate var allowed: TimeEntryCommand {
    isAboutRunning ? command.withoutRunningLimit : command.with(.allow)
  }
}

extension DomainFact {
  /// The entry that it changes, if it changes one.
  fileprivate var changedEntry: TimeEntryID? {
    if case .edited(.entry(.changed(let id, _))) = self { id } else { nil }
  }

  /// Whether it deletes an entry.
  fileprivate var deletesEntry: Bool {
    guard case .edited(.entry(.changed(_, let changes))) = self else { return false }
    return changes.deleted != nil
  }
}

extension TimeEntryRefusal {
  /// The entries that are in the way.
  fileprivate var overlapped: [TimeEntryID] {
    if case .overlaps(let ids) = self { ids } else { [] }
  }
}

extension DomainRefusal {
  /// Whether another policy may accept the command.
  var isByPolicy: Bool { if case .entry(let refusal) = self { refusal.isByPolicy } else { false } }
}

extension TimeEntryRefusal {
  /// Whether another policy may accept the command.
  var isByPolicy: Bool {
    switch self {
    case .overlaps, .tooManyOverlaps, .inFuture, .tooLong, .runsSince: true
    case .entity, .nothingRunning, .endsBeforeStart, .invalid, .anotherRuns, .outside,
      .cannotJoin, .apart, .notBillable, .takenByOthers:
      false
    }
  }
}
