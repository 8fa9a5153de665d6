import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

extension Restoring {
  /// Returns the notes about what was left as it is.
  func restNotes(_ changes: EntryChanges) -> [String] {
    var subjects: [UnrestoredField] = []
    for field in changes.unrestored {
      let isKnown = subjects.contains { $0.type == field.type && $0.id == field.id }
      if !isKnown { subjects.append(field) }
    }
    return subjects.map { "note     \(rest(of: $0, changes))" }
  }

  /// Returns what of an entity was left as it is, and why.
  private func rest(of subject: UnrestoredField, _ changes: EntryChanges) -> String {
    let fields = changes.unrestored.filter { $0.type == subject.type && $0.id == subject.id }
    let names = fields.compactMap(\.field).map(RecordedChangeText.Field.word)
    let name = Self.text(of: subject, in: changes.state)
    if names.isEmpty, !isRedo, let uses = Self.uses(of: subject, in: changes.state) {
      return "\(name) stays, because \(uses) it"
    }
    let what = names.isEmpty ? "its values" : "its \(names.joined(separator: ", "))"
    let why =
      isTaking ? "which would break a rule" : "because it was changed since\(takeAdvice(changes))"
    return "\(name) keeps \(what), \(why)"
  }

  private func takeAdvice(_ changes: EntryChanges) -> String {
    guard let change = changes.change else { return "" }
    let verb = isRedo ? "restore" : "undo"
    return "; `track \(verb) \(RecordedChangeText.name(of: change)) --take` sets it"
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
