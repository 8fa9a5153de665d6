import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

extension EntityVerb {
  /// Adds the time spent to the details of the entities that have an estimate.
  ///
  /// - Complexity: O(entries) if there is an estimate, about 0.3 seconds for a million.
  private func addSpent(
    to rows: inout [(id: Int64, entity: Entity, details: [EntityDetail])], in domain: DomainState,
    at moment: Moment
  ) {
    var spent: [Int64: ElapsedTime] = [:]
    for row in rows where row.details.contains(where: { $0.estimate != nil }) {
      spent[row.id] = .zero
    }
    guard !spent.isEmpty else { return }
    var visible = VisibleEntries(domain)
    var aliases = AliasResolver(domain)
    domain.timeEntries.forEach { _, entry in
      guard visible.contains(entry) else { return }
      for owner in owners(of: entry, &aliases) {
        if let time = spent[owner.value] {
          spent[owner.value] = time.adding(entry.elapsed(at: moment))
        }
      }
    }
    for index in rows.indices {
      guard let time = spent[rows[index].id] else { continue }
      rows[index].details = rows[index].details.flatMap { $0.with(spent: time) }
    }
  }

  /// Lists the entities, with a column for each detail.
  func list() throws(ToolFailure) {
    let options = options.shared
    let listsAll = self.options.listsArchived
    let moment = try options.currentMoment()
    let rows: [(id: Int64, entity: Entity, details: [EntityDetail])] = try options.read {
      (domain) throws(ToolFailure) in
      var rows: [(id: Int64, entity: Entity, details: [EntityDetail])] = []
      let isIn = try place(in: domain)
      table(in: domain).forEach { id, entity in
        guard entity.deleted == nil, isIn(entity), listsAll || !entity.isArchived else {
          return
        }
        rows.append((id.value, entity, []))
      }
      let longNames = domain.longNames(ofAll: rows.compactMap { project(of: $0.entity) })
      for index in rows.indices {
        rows[index].details = details(of: rows[index].entity, in: domain, longNames)
      }
      addSpent(to: &rows, in: domain, at: moment)
      return rows
    }
    let sorted = rows.sorted { ($0.entity.name.key, $0.id) < ($1.entity.name.key, $1.id) }
    if options.json {
      return options.output.print(
        .array(
          sorted.map { row in
            .object(
              [
                .init("id", .integer(row.id)), .init("name", .string(row.entity.name.text)),
                .init("archived", .bool(row.entity.isArchived)),
              ] + row.details.map { .init($0.name, .string($0.value)) })
          }))
    }
    if sorted.isEmpty { return options.output.print("There are no \(Self.noun)s.") }
    let used = Set(sorted.flatMap(\.details).filter(\.isListed).map(\.name))
    let names = EntityDetail.order.filter(used.contains)
    var rowsTable = TextTable([.text] + names.map { _ in .text } + [.left])
    for row in sorted {
      let cells = names.map { name in
        row.details.first { $0.name == name && $0.isListed }?.shown ?? ""
      }
      let state = row.entity.isArchived ? "archived" : ""
      rowsTable.add([row.entity.name.text] + cells + [state])
    }
    rowsTable.print(options.context.style())
  }
}
