import Retrace
package import RetraceStorage

/// An id to search records for: the name of its type in the schemas of the log, and a number.
package struct MentionedID: Sendable {
  package var type: String
  /// The names that the type has had, this one included.
  package var names: Set<String>
  package var id: Int64

  /// Parses `TYPE=ID`, with the name of the id's type from the schemas, of which the suffix `ID`
  /// may be omitted, or with the name of the entity's type.
  ///
  /// - Throws: A usage failure for other text, or for a type that no schema of the log has.
  package init(
    _ text: String, in storage: LogStorage, option: String = "--mentions"
  ) throws(ToolFailure) {
    var types: Set<String> = []
    var entities: [String: String] = [:]
    let former = try orFail(
      try storage.withReadView { (view) throws(StoreError) in
        let schemas = try view.parsedSchemas(ofCommands: true) + view.parsedSchemas()
        for schema in schemas { schema.collectIDs(into: &types, of: &entities) }
        return FormerNames(schemas)
      })
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let id = Int64(parts[1]) else {
      let example = types.min().map { ", such as \($0)=0" } ?? ""
      throw .usage("\(option) takes TYPE=ID\(example).", advice: "Correct it and try again.")
    }
    let name = String(parts[0])
    let candidates = [name, "\(name)ID", entities[name] ?? name]
    guard let type = candidates.first(where: types.contains) else {
      let known = types.sorted().joined(separator: ", ")
      throw .usage(
        "No schema of the log has the id type \(parts[0]).",
        advice: types.isEmpty
          ? "The records of this log contain no ids." : "The id types are: \(known).")
    }
    self.type = type
    names = former.names(ofRecord: type)
    self.id = id
  }
}

extension Schema {
  /// Collects the present and former names of id types: Avro records with the single field `value`
  /// of type long.
  ///
  /// - Parameters:
  ///   - names: Receives the names.
  ///   - entities: Receives the type of the id for each type of entity that facts insert or remove.
  fileprivate func collectIDs(
    into names: inout Set<String>, of entities: inout [String: String]
  ) {
    switch self {
    case .array(let items): items.collectIDs(into: &names, of: &entities)
    case .map(let values): values.collectIDs(into: &names, of: &entities)
    case .union(let branches):
      for branch in branches { branch.collectIDs(into: &names, of: &entities) }
    case .record(let name, let aliases, let fields):
      if fields.count == 1, fields[0].name == "value", fields[0].type == .long {
        names.formUnion(aliases + [name])
      }
      for (id, content) in zip(fields, fields.dropFirst()) {
        for kind in ["Insertion__", "Removal__"] {
          let content = content.type.branchName
          guard content.hasPrefix(kind) else { continue }
          entities[String(content.dropFirst(kind.count))] = id.type.branchName
        }
      }
      for field in fields { field.type.collectIDs(into: &names, of: &entities) }
    case .logical(_, let base), .ruled(_, let base):
      base.collectIDs(into: &names, of: &entities)
    default: break
    }
  }
}
