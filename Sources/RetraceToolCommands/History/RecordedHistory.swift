package import Retrace
package import RetraceStorage
package import RetraceToolSupport

/// The records about one entity, read without the app's code.
package struct RecordedHistory: Sendable {
  package struct Entry: Sendable {
    let envelope: Envelope
    fileprivate(set) var clock: RecordClocks.Remark?
    /// The user and the machine of the record's session, such as `anna@desk`; empty if unknown.
    fileprivate(set) var user = ""
    /// The command that led to the record, if any.
    let command: String?
    let fact: String
    /// The changes of the entity; none if the record only mentions its id.
    let edits: [RecordedEdit]
  }

  package let entity: MentionedID
  /// The records that were looked at.
  package let past: RecordClocks.Past
  /// The records, oldest first.
  package private(set) var entries: [Entry] = []

  /// Reads the records about an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - end: The last record, or the moment of the last record, to look at.
  ///   - storage: The log.
  /// - Complexity: O(bytes of the log up to the end), decoded.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package init(
    of entity: MentionedID, asOf end: HistoryEnd, in storage: LogStorage
  ) throws(StoreError) {
    self.entity = entity
    let (past, names) = try storage.withReadView { view throws(StoreError) in
      (try end.past(in: view), FormerNames(try view.parsedSchemas()))
    }
    self.past = past
    var found: [Entry] = []
    // The command of the current batch, and whether a fact of the batch was found.
    var command: RecordDescription?
    var hasFact = false
    func entry(_ record: RecordDescription, edits: [RecordedEdit], by command: String?) -> Entry {
      Entry(
        envelope: record.envelope, command: command, fact: record.text, edits: edits)
    }
    func endBatch() {
      // A command is listed by itself if no fact of its batch is: it was refused, or its facts are
      // about other entities.
      if let command, !hasFact, command.mentions(entity) {
        found.append(entry(command, edits: [], by: nil))
      }
      (command, hasFact) = (nil, false)
    }
    try RecordDescription.forEach(in: storage, from: 1, through: past.last) { record in
      let envelope = record.envelope
      if envelope.startsBatch { endBatch() }
      switch envelope.kind {
      case .command: command = record
      case .action:
        let edits = record.edits(of: entity, names)
        guard !edits.isEmpty || record.mentions(entity) else { break }
        hasFact = true
        found.append(entry(record, edits: edits, by: command?.command))
      default:
        if record.mentions(entity) {
          found.append(entry(record, edits: [], by: nil))
        }
      }
      return true
    }
    endBatch()
    try storage.withReadView { view throws(StoreError) in
      var clocks = RecordClocks()
      for index in found.indices {
        let envelope = found[index].envelope
        found[index].clock = try clocks.remark(onChange: envelope, in: view)
        found[index].user = try clocks.origins.user(of: envelope.session, in: view)
      }
    }
    entries = found
  }

  /// A field of the entity, with the index of the entry that set it, if a fact has it.
  ///
  /// `mayHaveChanged` says that facts changed other fields since, and tell no changes of this one.
  package typealias Field = (name: String, value: JSONValue, entry: Int?, mayHaveChanged: Bool)

  /// The fields of the entity after the last record.
  ///
  /// `removal` is the index of the entry that removed the entity. `values` are then the fields
  /// before the removal.
  package var fields: (values: [Field], removal: Int?) {
    var values: [Field] = []
    var removal: Int?
    for (index, entry) in entries.enumerated() {
      for edit in entry.edits {
        switch edit.kind {
        case .inserted(let entity):
          removal = nil
          values = []
          guard case .object(let members) = entity else { break }
          values = members.map {
            (name: $0.name, value: $0.value, entry: index, mayHaveChanged: false)
          }
        // A fact about a removed entity changes nothing.
        case .removed where removal != nil: break
        case .removed(let entity):
          removal = index
          guard case .object(let members) = entity else { break }
          for member in members { Self.set(member, by: nil, in: &values) }
        case .changed where removal != nil: break
        case .changed(let field, _, let after):
          Self.set(JSONValue.Member(field, after), by: index, in: &values)
          guard !edit.told.isEmpty else { break }
          for position in values.indices where !edit.tells(values[position].name) {
            values[position].mayHaveChanged = true
          }
        }
      }
    }
    return (values, removal)
  }

  /// Sets the value of a field.
  ///
  /// - Parameter entry: The entry that set it; `nil` if only the value is known.
  private static func set(
    _ member: JSONValue.Member, by entry: Int?, in fields: inout [Field]
  ) {
    let known = fields.firstIndex { $0.name.utf8.elementsEqual(member.name.utf8) }
    if let known, entry == nil, fields[known].value.text() == member.value.text() {
      fields[known].mayHaveChanged = false
      return
    }
    let new = (name: member.name, value: member.value, entry: entry, mayHaveChanged: false)
    if let known { fields[known] = new } else { fields.append(new) }
  }
}

extension RecordedEdit {
  /// Returns whether such a fact would tell the change of a field, or of an entry of a dictionary.
  fileprivate func tells(_ field: String) -> Bool {
    let name = field.utf8.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: ".") }
    return told.contains { $0.utf8.elementsEqual(name) }
  }
}
