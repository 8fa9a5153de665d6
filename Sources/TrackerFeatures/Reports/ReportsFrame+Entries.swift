import CivilTime
import Retrace
import RetraceFilter
import TimeTracking

extension ReportsFrame {
  /// The steps that show the entries of the selected line in the timer.
  var showingEntries: [KeyStep] {
    get throws(KeyProblem) {
      guard let keys = selectedKeys else {
        return try telling(lines.isEmpty ? .noEntries : .noneSelected)
      }
      let text = filter(of: keys).description
      guard text.utf8.count <= FilterExpression.bytesMax else {
        return try telling(.unreadableFilter)
      }
      return [.scene(.pushed(.timer(TimerRoute(user: route.user, filter: text))))]
    }
  }

  /// The groups of the selected line, the outermost first; `nil` without a group.
  private var selectedKeys: [ReportKey]? {
    guard let selected = selectedIndex, let key = lines[selected].key else { return nil }
    var (keys, level) = ([key], lines[selected].level)
    for line in lines[..<selected].reversed() where line.level < level {
      if let key = line.key { keys.insert(key, at: 0) }
      level = line.level
    }
    return keys
  }

  /// Returns the filter of the entries that begin in the range and are in all of the groups.
  private func filter(of keys: [ReportKey]) -> FilterExpression {
    var (parts, dates) = ([FilterExpression](), dates)
    if let typed = try? FilterExpression(route.filter), typed != .all([]) { parts.append(typed) }
    for key in keys {
      if let days = key.dates(startingWeeksOn: calendar.firstWeekday) {
        dates = dates.map { $0.clamped(to: days) } ?? days
      } else {
        parts += terms(of: key)
      }
    }
    if let dates {
      let last = dates.upperBound.adding(days: -1)
      let value: FilterValue =
        dates.lowerBound == last
        ? .text(last.description) : .range(dates.lowerBound.description, last.description)
      parts.append(.term(.field(key: EntryConditionKey.date.rawValue, .equal, value)))
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Returns the terms of a group that is no time.
  private func terms(of key: ReportKey) -> [FilterExpression] {
    func term(_ key: EntryConditionKey, _ name: Name?) -> FilterExpression {
      .term(.field(key: key.rawValue, .equal, name.map { .text($0.text) } ?? .nothing))
    }
    switch key {
    case .workspace(let id):
      return [term(.workspace, id.flatMap { domain.workspaces.read($0) { $0.name } })]
    case .client(let id): return [term(.client, id.flatMap { domain.clients.read($0) { $0.name } })]
    case .project(let id):
      let project = term(.project, id.flatMap { domain.projects.read($0) { $0.name } })
      guard let id, !domain.longNames(ofAll: [id]).isEmpty else { return [project] }
      let client = domain.projects.read(id) { $0.client } ?? nil
      return [project, term(.client, client.flatMap { domain.clients.read($0) { $0.name } })]
    case .task(let id): return [term(.task, id.flatMap { domain.tasks.read($0) { $0.name } })]
    case .eachTag(let id): return [term(.tag, id.flatMap { domain.tags.read($0) { $0.name } })]
    case .tags(let ids):
      let names = ids.compactMap { domain.tags.read($0) { $0.name } }
      return names.isEmpty ? [term(.tag, nil)] : names.map { .term(.tag($0.text)) }
    case .user(let id): return [term(.user, domain.users.read(id) { $0.name })]
    case .description(let text): return [term(.text, text.isEmpty ? nil : Name(text))]
    case .day, .week, .month: return []
    }
  }
}

extension ReportKey {
  /// Returns the days of a day, week or month; `nil` for other groups.
  fileprivate func dates(startingWeeksOn weekday: Int) -> Range<CivilDate>? {
    switch self {
    case .day(let date): date..<date.adding(days: 1)
    case .week(let date): date.week(startingOn: weekday)
    case .month(let date): date.monthDates
    default: nil
    }
  }
}
