import RetraceAvro
package import RetraceStorage

/// An id to search records for: the name of its type in the schemas of the log, and a number.
package struct MentionedID: Sendable {
  /// The name of the id's type.
  package var type: String
  /// The number.
  package var id: Int64

  /// Parses `TYPE=ID`, with the type's name from the schemas; its suffix `ID` may be omitted.
  ///
  /// - Throws: A usage failure for other text, or for a type that no schema of the log has.
  package init(
    _ text: String, in storage: LogStorage, option: String = "--mentions"
  ) throws(ToolFailure) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let id = Int64(parts[1]) else {
      throw .usage(
        "\(option) takes TYPE=ID, such as TimeEntryID=42.", advice: "Correct it and try again.")
    }
    var types: Set<String> = []
    do throws(StoreError) {
      try storage.withReadView { (view) throws(StoreError) in
        for schema in try view.parsedSchemas() { schema.collectIDs(into: &types) }
      }
    } catch {
      throw ToolFailure(error)
    }
    guard let type = [String(parts[0]), "\(parts[0])ID"].first(where: types.contains) else {
      let known = types.sorted().joined(separator: ", ")
      throw .usage(
        "No schema of the log has the id type \(parts[0]).",
        advice: types.isEmpty
          ? "The records of this log contain no ids." : "The id types are: \(known).")
    }
    self.type = type
    self.id = id
  }
}

extension Schema {
  /// Collects the names of id types: Avro records with the single field `value` of type long.
  fileprivate func collectIDs(into names: inout Set<String>) {
    switch self {
    case .array(let items): items.collectIDs(into: &names)
    case .map(let values): values.collectIDs(into: &names)
    case .union(let branches):
      for branch in branches { branch.collectIDs(into: &names) }
    case .record(let name, _, let fields):
      if fields.count == 1, fields[0].name == "value", fields[0].type == .long {
        names.insert(name)
      }
      for field in fields { field.type.collectIDs(into: &names) }
    case .logical(_, let base), .ruled(_, let base): base.collectIDs(into: &names)
    default: break
    }
  }
}
