import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

extension Restoring {
  /// The most things that an error names.
  private static var namesMax: Int { 4 }

  /// What of an entity is left as it is, and why.
  private struct Rest {
    /// The entity.
    var subject: UnrestoredField
    var reason: Reason
    /// The fields; empty for the whole entity.
    var fields: [String] = []
  }

  private enum Reason: Hashable {
    case isChanged
    /// What uses it, with the verb.
    case isUsed(String)
    /// The entry would run for a deleted user.
    case userIsDeleted(UserID)
    case breaksRule
  }

  /// Returns the notes about what was left as it is.
  func restNotes(_ changes: EntryChanges) -> [String] {
    rests(of: changes).map { rest in
      let advice = rest.reason == .isChanged ? takeCommand(changes).map { "; \($0) sets it" } : nil
      return "note     \(text(of: rest, in: changes.state))\(advice ?? "")"
    }
  }

  /// Returns the failure of undos or redos all of which change nothing.
  func failure(ofVoid done: [EntryChanges]) -> ToolFailure {
    var (texts, advice): ([String], [String]) = ([], [])
    for changes in done {
      for rest in rests(of: changes) {
        texts.append(text(of: rest, in: changes.state))
        guard let next = self.advice(on: rest.reason, changes), !advice.contains(next) else {
          continue
        }
        // One example is enough of the changes.
        if rest.reason != .isChanged || advice.isEmpty { advice.append(next) }
      }
    }
    if case .newest(let count?, _) = target, count < Self.countMax {
      let verb = action.rawValue
      advice.append("`track \(verb) \(count + 1)` goes on with the change before.")
    }
    let more = texts.count - Self.namesMax
    let names = texts.prefix(Self.namesMax).joined(separator: "; ")
    return .refused(
      more > 0 ? "\(names); and so do \(more) more." : "\(names).",
      advice: advice.joined(separator: " "), what: what)
  }

  private func advice(on reason: Reason, _ changes: EntryChanges) -> String? {
    switch reason {
    case .isChanged: takeCommand(changes).map { "\($0) sets what was changed since." }
    case .isUsed: "Undo first what uses it; `track history` lists the changes."
    case .userIsDeleted:
      "Undo first the deletion of the user; `track history` lists the changes."
    case .breaksRule: "Change the values with `track edit`."
    }
  }

  /// Returns the command that sets what was changed since, in backquotes.
  private func takeCommand(_ changes: EntryChanges) -> String? {
    changes.change.map { change in
      "`track \(isRedo ? "restore" : "undo") \(RecordedChangeText.name(of: change)) --take`"
    }
  }

  /// Returns what is left as it is, by entity and reason.
  private func rests(of changes: EntryChanges) -> [Rest] {
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
      let reason = reason(of: field, edits[field], in: changes.state)
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

  /// Returns why a field is left as it is.
  ///
  /// - Parameters:
  ///   - field: The field, or the whole entity.
  ///   - edit: The edit that was to set it.
  ///   - domain: The state after the undo or redo.
  private func reason(
    of field: UnrestoredField, _ edit: DomainEdit?, in domain: DomainState
  ) -> Reason {
    if field.field == nil, !isRedo, let uses = Self.uses(of: field, in: domain) {
      return .isUsed(uses)
    }
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

  private func text(of rest: Rest, in domain: DomainState) -> String {
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
  /// nothing.
  private static func uses(of entity: UnrestoredField, in domain: DomainState) -> String? {
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
