package import RetraceAvro
import RetraceLog
import RetraceSchema
package import RetraceStorage

/// The records about one entity, read without the app's code.
package struct RecordedHistory: Sendable {
  /// A record about the entity.
  package struct Entry: Sendable {
    /// The envelope of the record.
    let envelope: Envelope
    /// The user and the machine of the record's session, such as `anna@desk`; empty if unknown.
    let user: String
    /// The command that led to the record; `nil` if there is none.
    let command: String?
    /// The fact.
    let fact: String
    /// The changes of the entity; none if the record only mentions its id.
    let edits: [RecordedEdit]
  }

  /// The entity.
  package let entity: MentionedID
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
    let last = try end.sequence(in: storage)
    var users: [UInt64: String] = [:]
    var found: [Entry] = []
    // The command of the current batch, and whether a fact of the batch was found.
    var command: RecordDescription?
    var hasFact = false
    func entry(_ record: RecordDescription, edits: [RecordedEdit], by command: String?) -> Entry {
      Entry(
        envelope: record.envelope, user: users[record.envelope.session] ?? "", command: command,
        fact: record.text, edits: edits)
    }
    func endBatch() {
      // A command that was refused, or whose facts are about others, is a record about the entity.
      if let command, !hasFact, command.mentions(entity.type, entity.id) {
        found.append(entry(command, edits: [], by: nil))
      }
      (command, hasFact) = (nil, false)
    }
    try RecordDescription.forEach(in: storage, from: 1, through: last) { record in
      let envelope = record.envelope
      if envelope.startsBatch { endBatch() }
      switch envelope.kind {
      case .sessionOpened: users[envelope.sequence] = record.user
      case .command: command = record
      case .action:
        let edits = record.edits(of: entity)
        guard !edits.isEmpty || record.mentions(entity.type, entity.id) else { break }
        hasFact = true
        found.append(entry(record, edits: edits, by: command?.command))
      default:
        if record.mentions(entity.type, entity.id) {
          found.append(entry(record, edits: [], by: nil))
        }
      }
      return true
    }
    endBatch()
    entries = found
  }

  /// The fields of the entity after the last record, with the index of the entry that set each.
  ///
  /// `removal` is the index of the entry that removed the entity; its fields are then those before.
  package var fields: (values: [(name: String, value: JSONValue, entry: Int)], removal: Int?) {
    var values: [(name: String, value: JSONValue, entry: Int)] = []
    var removal: Int?
    for (index, entry) in entries.enumerated() {
      for edit in entry.edits {
        switch edit.kind {
        case .inserted(let entity):
          removal = nil
          values = []
          guard case .object(let members) = entity else { break }
          values = members.map { (name: $0.name, value: $0.value, entry: index) }
        case .removed: removal = removal ?? index
        // A fact about a removed entity changes nothing.
        case .changed where removal != nil: break
        case .changed(let field, _, let after):
          let new = (name: field, value: after, entry: index)
          if let known = values.firstIndex(where: { $0.name.utf8.elementsEqual(field.utf8) }) {
            values[known] = new
          } else {
            values.append(new)
          }
        }
      }
    }
    return (values, removal)
  }
}

extension RecordDescription {
  /// The user and the machine that a `sessionOpened` record names, such as `anna@desk`.
  fileprivate var user: String {
    guard case .object(let members) = content,
      case .object(let origin)? = members.first(where: { $0.name == "origin" })?.value
    else { return "" }
    func text(_ name: String) -> String {
      guard case .string(let text)? = origin.first(where: { $0.name == name })?.value else {
        return ""
      }
      return text
    }
    let (login, host) = (text("login"), text("host"))
    return host.isEmpty ? login : "\(login)@\(host)"
  }
}
