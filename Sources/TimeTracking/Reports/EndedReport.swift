public import RetraceState

/// The ended entries of a report, counted once, so that a report at a later moment counts only what
/// runs.
public struct EndedReport: Sendable {
  /// The query.
  public let query: ReportQuery
  /// The report of the ended entries alone.
  package let ended: Report
  private let domain: DomainState
  private let builder: ReportBuilder

  /// Counts the ended entries of a state.
  ///
  /// - Complexity: O(*n* × levels + *n* log *n*), as ``DomainState/report(_:at:)``.
  public init(_ query: ReportQuery, in domain: DomainState) {
    self = Self.counted(query, by: [], in: domain)[0]
  }

  private init(_ counted: ReportBuilder, of query: ReportQuery, in domain: DomainState) {
    var builder = counted
    builder.seal()
    ended = builder.finish()
    // Rounded times do not add up, so what runs is added to the entries themselves.
    if query.rounding == nil { builder.removeGroups() }
    (self.query, self.domain, self.builder) = (query, domain, builder)
  }

  /// Counts the ended entries of a query, and the same entries in other groups, in one pass.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - groupings: The other groups.
  ///   - domain: The state.
  /// - Returns: The report of the query, and then that of each grouping.
  /// - Complexity: As ``init(_:in:)``, but the entries are read once.
  package static func counted(
    _ query: ReportQuery, by groupings: [[ReportGrouping]], in domain: DomainState
  ) -> [EndedReport] {
    let queries = [query.grouping] + groupings
    var builders = queries.map { grouping in
      var query = query
      query.grouping = grouping
      return ReportBuilder(query, in: domain)
    }
    // No condition on an ended entry depends on the present.
    builders.add(query, of: domain, isRunning: false, at: query.range.lowerBound)
    return zip(queries, builders).map { grouping, builder in
      var query = query
      query.grouping = grouping
      return EndedReport(builder, of: query, in: domain)
    }
  }

  /// Returns whether this is of a query and a state.
  ///
  /// - Complexity: O(1) if the states share their tables or their tables are hashed.
  public func isOf(_ query: ReportQuery, in domain: DomainState) -> Bool {
    self.query == query && isOf(domain)
  }

  /// Returns whether this is of a state.
  ///
  /// - Complexity: As ``isOf(_:in:)``.
  package func isOf(_ domain: DomainState) -> Bool { self.domain == domain }

  /// Returns the report at a moment, as ``DomainState/report(_:at:)`` does.
  ///
  /// - Parameter moment: The end of running entries.
  /// - Complexity: O(1) if nothing runs, else O(groups + running entries).
  public func report(at moment: Moment) -> Report {
    query.rounding == nil ? report(with: running(at: moment)) : counted(at: moment)
  }

  /// Returns the report of the running entries alone, but with the overlap of all entries.
  ///
  /// - Parameter moment: The end of running entries.
  /// - Complexity: O(running entries).
  /// - Precondition: No times are rounded.
  package func running(at moment: Moment) -> Report { counted(at: moment) }

  /// Returns the report of what the builder has and of the running entries.
  private func counted(at moment: Moment) -> Report {
    var builders = [builder]
    builders.add(query, of: domain, isRunning: true, at: moment)
    return builders[0].finish()
  }

  /// Returns the report of the ended entries and of running ones.
  ///
  /// - Parameter running: What ``running(at:)`` returned.
  /// - Complexity: O(1) if nothing runs, else O(groups).
  package func report(with running: Report) -> Report {
    guard running.total.entries > 0 else { return ended }
    var report = ended
    report.total.add(running.total)
    report.overlap = running.overlap
    report.groups.add(running.groups)
    return report
  }
}

extension ReportFigures {
  /// Adds the exact figures of other entries.
  fileprivate mutating func add(_ other: ReportFigures) {
    entries += other.entries
    exact.add(other.exact)
    exact.sortAmounts()
  }
}

extension [ReportGroup] {
  /// Adds the groups of other entries, and keeps the order.
  fileprivate mutating func add(_ others: [ReportGroup]) {
    for other in others {
      var group = other
      if let index = firstIndex(where: { $0.key == other.key }) {
        group = remove(at: index)
        group.figures.add(other.figures)
        group.groups.add(other.groups)
      }
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if self[middle].precedes(group) { low = middle + 1 } else { high = middle }
      }
      insert(group, at: low)
    }
  }
}

extension [ReportBuilder] {
  /// Adds the entries of a state that match a query, either all that run or all that have ended.
  mutating func add(
    _ query: ReportQuery, of domain: DomainState, isRunning: Bool, at moment: Moment
  ) {
    var matcher = EntryMatcher(query.filter, in: domain, at: moment)
    domain.forEachPart(in: query.range, isRunning: isRunning, at: moment) { id, entry, part in
      guard matcher.matches(id, entry) else { return }
      let span = entry.span(at: moment)
      for index in indices { self[index].add(id, entry, part, of: span) }
    }
  }
}
