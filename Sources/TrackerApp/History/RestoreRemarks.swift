package import Retrace
package import TimeTracking
import TrackerFeatures

/// What an undo or a redo leaves as it is, and what else a user wants to know before it, for the
/// app and the command line.
package struct RestoreRemarks {
  /// What of an entity is left as it is, and why.
  package struct Rest {
    /// The entity.
    fileprivate var subject: UnrestoredField
    /// Why it is left.
    package var reason: Reason
    /// The fields; empty for the whole entity.
    fileprivate var fields: [String] = []
  }

  /// Why something is left as it is.
  package enum Reason: Hashable {
    /// It was changed since.
    case isChanged
    /// What uses it, with the verb.
    case isUsed(String)
    /// The entry would run for a deleted user.
    case userIsDeleted(UserID)
    /// A rule forbids the values.
    case breaksRule
  }

  /// What is left as it is, by entity and reason.
  package let rests: [Rest]
  private let changes: EntryChanges
  private let isRedo: Bool

  /// Finds the remarks.
  ///
  /// - Parameters:
  ///   - changes: What the undo or redo changes, which may not be done yet.
  ///   - isRedo: Whether it is a redo.
  ///   - isTaking: Whether fields that were changed since are set.
  /// - Complexity: O(fields that are left × edits).
  package init(_ changes: EntryChanges, isRedo: Bool, isTaking: Bool) {
    (self.changes, self.isRedo) = (changes, isRedo)
    rests = Self.rests(of: changes, isRedo: isRedo, isTaking: isTaking)
  }

  /// The notes about what is left as it is, without a final period.
  package var notes: [String] {
    rests.map { rest in
      let advice = rest.reason == .isChanged ? takeCommand.map { "; \($0) sets it" } : nil
      return "\(text(of: rest))\(advice ?? "")"
    }
  }

  /// The command that sets what was changed since, in backquotes; `nil` for an unknown change.
  package var takeCommand: String? {
    changes.change.map { change in
      "`track \(isRedo ? "restore" : "undo") \(RecordedChangeText.name(of: change)) --take`"
    }
  }

  /// Returns the closed periods that are opened again, such as `2026-09 for all`.
  ///
  /// - Parameter rules: The zone of the periods.
  package func reopened(by rules: ZoneRules) -> [String] {
    let closings = changes.edits.compactMap { edit -> Closing? in
      guard case .closing(let edit) = edit else { return nil }
      return switch edit {
      case .removed(_, let removal): removal.entity
      case .changed(let id, let fields):
        fields.deleted?.after == nil ? nil : changes.state.closings[id]
      case .inserted: nil
      }
    }
    return closings.map { "\($0.periodText(by: rules)) \($0.scope.text(in: changes.state))" }
  }

  // MARK: What is left

  private static func rests(
    of changes: EntryChanges, isRedo: Bool, isTaking: Bool
  ) -> [Rest] {
    var edits: [UnrestoredField: DomainEdit] = [:]
    for edit in changes.wanted {
      // An edit that follows one that was left out is left out with it.
      for field in edit.fields where edits[field] == nil { edits[field] = edit }
    }
    var rests: [Rest] = []
    var indices: [UnrestoredField: [Reason: Int]] = [:]
    for field in changes.unrestored {
      var subject = field
      subject.field = nil
      let uses = isRedo ? nil : uses(of: field, in: changes.state)
      let reason =
        uses.map { .isUsed($0) }
        ?? reason(of: field, edits[field], in: changes.state, isTaking: isTaking)
      if let index = indices[subject]?[reason] {
        rests[index].fields += [field.field].compactMap { $0 }
        continue
      }
      indices[subject, default: [:]][reason] = rests.count
      rests.append(
        Rest(subject: subject, reason: reason, fields: [field.field].compactMap { $0 }))
    }
    return rests
  }

  /// Returns why a field that nothing uses is left as it is.
  ///
  /// - Parameters:
  ///   - field: The field, or the whole entity.
  ///   - edit: The edit that was to set it.
  ///   - domain: The state after the undo or redo.
  ///   - isTaking: Whether fields that were changed since are set.
  private static func reason(
    of field: UnrestoredField, _ edit: DomainEdit?, in domain: DomainState, isTaking: Bool
  ) -> Reason {
    // What has the expected value was not changed since.
    guard let edit = edit?.restorable(on: domain, excluding: []).edit, edit.fields.contains(field)
    else { return isTaking ? .breaksRule : .isChanged }
    guard case .entry(let own) = edit else { return .breaksRule }
    var after = domain
    edit.apply(to: &after)
    guard let entry = after.timeEntries[own.id], entry.isRunning, after.isVisible(entry),
      after.users.live(entry.user) == nil
    else { return .breaksRule }
    return .userIsDeleted(entry.user)
  }

  /// Returns what is left and why, as a sentence without its period.
  package func text(of rest: Rest) -> String {
    let domain = changes.state
    let name = Self.text(of: rest.subject, in: domain)
    let names = rest.fields.map(RecordedChangeText.Field.word)
    let what = names.isEmpty ? "its values" : "its \(names.joined(separator: ", "))"
    switch rest.reason {
    case .isChanged: return "\(name) keeps \(what), because it was changed since"
    case .isUsed(let uses): return "\(name) stays, because \(uses) it"
    case .breaksRule: return "\(name) keeps \(what), because a change would break a rule"
    case .userIsDeleted(let user):
      let owner = domain.users.read(user) { " \($0.name.text)" } ?? ""
      let isDeleted = names.isEmpty || rest.fields == ["deleted"]
      return "\(name) \(isDeleted ? "stays deleted" : "keeps \(what)"), "
        + "because no entry of the deleted user\(owner) can run"
    }
  }

  private static func text(of entity: UnrestoredField, in domain: DomainState) -> String {
    if entity.type == TimeEntryID.recordedName { return "#\(entity.id)" }
    if let (noun, name) = domain.named(entity.type, entity.id) { return "\(noun) \(name)" }
    return "\(noun(of: entity.type)) \(entity.id)"
  }

  /// Returns what uses an entity, with the verb, such as `2 entries and 1 goal use`; `nil` for
  /// a field, and for nothing.
  private static func uses(of entity: UnrestoredField, in domain: DomainState) -> String? {
    guard entity.field == nil else { return nil }
    let uses = domain.uses(of: entity).reversed()
    guard let first = uses.first else { return nil }
    let texts = uses.map { use in
      let noun = noun(of: use.type)
      if use.type == PreferenceSetID.recordedName { return noun }
      let plural = noun == "entry" ? "entries" : "\(noun)s"
      return use.count == 1 ? "1 \(noun)" : "\(use.count) \(plural)"
    }
    let isOne = uses.count == 1 && first.count == 1 && first.type != PreferenceSetID.recordedName
    let list = texts.dropLast().joined(separator: ", ")
    return (list.isEmpty ? "" : "\(list) and ") + "\(texts[texts.count - 1])"
      + (isOne ? " uses" : " use")
  }

  private static func noun(of type: String) -> String {
    switch type {
    case TimeEntryID.recordedName: "entry"
    case PreferenceSetID.recordedName: "preferences"
    default: DomainState.noun(of: type)
    }
  }
}
