import RetraceArchitecture
import RetraceState

extension WorkloadState {
  /// A checksum of everything in the state, which the C program computes as well.
  ///
  /// - Complexity: O(ids given in all tables).
  public var checksum: UInt64 {
    var sum = StateChecksum()
    sum.add(timeline)
    sum.add(projects, tags, clients)
    sum.add(projects.order.number)
    sum.add(projects.missing)
    sum.add(tags.query)
    sum.add(tags.missing)
    sum.add(clients.missing)
    sum.add(calendar)
    sum.add(reports)
    sum.add(settings)
    sum.add(navigation)
    sum.add(sync)
    return sum.value
  }
}

/// A checksum that is being computed.
private struct StateChecksum {
  var value: UInt64 = 1

  mutating func add(_ number: Int64) {
    value = (value ^ UInt64(bitPattern: number)) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  mutating func add(_ flag: Bool) { add(Int64(flag ? 1 : 0)) }

  mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  mutating func add(_ number: Int64?) {
    add(number != nil)
    if let number { add(number) }
  }

  mutating func add(_ timeline: Timeline) {
    timeline.entries.forEach { id, entry in
      add(id.value)
      add(entry.description)
      add(entry.project?.value)
      add(entry.task)
      add(Int64(entry.tags.count))
      for tag in entry.tags { add(tag.value) }
      add(entry.start.microseconds)
      add(entry.duration?.microseconds)
      add(entry.isBillable)
      add(Int64(entry.color))
      add(Int64(entry.revision))
    }
    add(timeline.limit)
    add(timeline.oldest)
    add(timeline.missing)
  }

  mutating func add(_ projects: Projects, _ tags: Tags, _ clients: Clients) {
    projects.table.forEach { _, project in
      add(project.name)
      add(Int64(project.color))
      add(project.isArchived)
      add(project.isFavorite)
    }
    tags.table.forEach { _, tag in
      add(tag.name)
      add(tag.uses)
    }
    clients.table.forEach { _, client in
      add(client.name)
      add(client.notes)
      add(client.rate)
      add(client.billed)
      add(client.isArchived)
    }
  }

  mutating func add(_ calendar: Calendar) {
    add(calendar.day)
    add(calendar.week)
    add(Int64(calendar.zoom))
    add(Int64(calendar.offset))
    add(calendar.selected?.value)
    add(calendar.appointment)
    add(calendar.appointed.microseconds)
  }

  mutating func add(_ reports: Reports) {
    add(reports.from.microseconds)
    add(reports.to.microseconds)
    add(reports.grouping.number)
    add(reports.project?.value)
    add(reports.tag?.value)
    add(reports.rounding.microseconds)
    add(reports.file)
    add(reports.exports)
  }

  mutating func add(_ settings: Settings) {
    add(settings.theme.number)
    add(Int64(settings.weekStart))
    add(settings.dateFormat)
    add(settings.rounds)
    add(settings.idle.microseconds)
    add(settings.language)
    add(settings.notifies)
  }

  mutating func add(_ navigation: Navigation) {
    add(Int64(navigation.places.count))
    for place in navigation.places {
      let (number, id, query): (Int64, Int64, String) =
        switch place {
        case .log: (0, 0, "")
        case .entry(let id): (1, id.value, "")
        case .project(let id): (2, id.value, "")
        case .search(let query): (3, 0, query)
        }
      add(number)
      add(id)
      add(query)
    }
    add(Int64(navigation.tab))
    add(navigation.sheet != nil)
    add(navigation.sheet ?? "")
  }

  mutating func add(_ sync: Sync) {
    add(sync.pending)
    add(sync.revision)
    add(sync.changes)
    add(sync.failures)
    add(sync.message)
    add(sync.conflict?.value)
    add(sync.kept)
    add(sync.next?.microseconds)
  }
}

extension SortOrder {
  fileprivate var number: Int64 {
    switch self {
    case .name: 0
    case .recent: 1
    case .color: 2
    }
  }
}

extension Grouping {
  fileprivate var number: Int64 {
    switch self {
    case .day: 0
    case .project: 1
    case .client: 2
    case .tag: 3
    }
  }
}

extension Theme {
  fileprivate var number: Int64 {
    switch self {
    case .system: 0
    case .light: 1
    case .dark: 2
    }
  }
}
