package import RetraceAvro

/// The former and present names of records and fields, from the aliases in the schemas of a log.
package struct FormerNames: Sendable {
  /// The newer name for each older name, without cycles.
  private struct Renames {
    var newer: [String: String] = [:]

    /// Registers the former names of something that is called `name` now.
    ///
    /// - Parameter isTaken: Whether a name means something else in the same schema.
    mutating func add(_ aliases: [String], of name: String, unless isTaken: (String) -> Bool) {
      // A name that a schema defines is the present one until a later schema says otherwise.
      newer[name] = nil
      for alias in aliases where alias != name && !isTaken(alias) { newer[alias] = name }
    }

    func present(_ name: String) -> String {
      var name = name
      while let next = newer[name] { name = next }
      return name
    }
  }

  private var records = Renames()
  /// The renames of fields, by the present name of their record.
  private var fields: [String: Renames] = [:]

  /// Reads the aliases of schemas, the oldest first.
  ///
  /// - Complexity: O(size of the schemas).
  package init(_ schemas: [Schema]) {
    for schema in schemas {
      var found: [Schema] = []
      schema.collectRecords(into: &found)
      let names = Set(found.compactMap { $0.recordName })
      for case .record(let name, let aliases, _) in found {
        records.add(aliases, of: name, unless: names.contains)
      }
    }
    for schema in schemas {
      var found: [Schema] = []
      schema.collectRecords(into: &found)
      for case .record(let name, _, let fields) in found {
        let names = Set(fields.map { $0.name })
        for field in fields {
          self.fields[records.present(name), default: Renames()]
            .add(field.aliases, of: field.name, unless: names.contains)
        }
      }
    }
  }

  /// Returns the names that a record has had, the present one included.
  ///
  /// - Complexity: O(renames).
  package func names(ofRecord name: String) -> Set<String> {
    let present = records.present(name)
    return Set(records.newer.keys.filter { records.present($0) == present } + [name, present])
  }

  package func field(_ name: String, of record: String) -> String {
    fields[records.present(record)]?.present(name) ?? name
  }
}

extension Schema {
  fileprivate var recordName: String? {
    if case .record(let name, _, _) = self { name } else { nil }
  }

  /// Collects the records in a schema, outermost first.
  fileprivate func collectRecords(into records: inout [Schema]) {
    switch self {
    case .array(let items): items.collectRecords(into: &records)
    case .map(let values): values.collectRecords(into: &records)
    case .union(let branches):
      for branch in branches { branch.collectRecords(into: &records) }
    case .record(_, _, let fields):
      records.append(self)
      for field in fields { field.type.collectRecords(into: &records) }
    case .logical(_, let base), .ruled(_, let base): base.collectRecords(into: &records)
    default: break
    }
  }
}
