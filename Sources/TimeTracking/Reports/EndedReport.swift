public import RetraceState

/// The ended entries of a report, counted once, so that a report at a later moment counts only what
/// runs.
public struct EndedReport: Sendable {
  /// The query.
  public let query: ReportQuery
  private let domain: DomainState
  private let builder: ReportBuilder

  /// Counts the ended entries of a state.
  ///
  /// - Complexity: O(*n* × levels + *n* log *n*), as ``DomainState/report(_:at:)``.
  public init(_ query: ReportQuery, in domain: DomainState) {
    var builder = ReportBuilder(query, in: domain)
    // No condition on an ended entry depends on the present.
    builder.add(of: domain, isRunning: false, at: query.range.lowerBound)
    builder.seal()
    (self.query, self.domain, self.builder) = (query, domain, builder)
  }

  /// Returns whether this is of a query and a state.
  ///
  /// - Complexity: O(1) if the states share their tables or their tables are hashed.
  public func isOf(_ query: ReportQuery, in domain: DomainState) -> Bool {
    self.query == query && self.domain == domain
  }

  /// Returns the report at a moment, as ``DomainState/report(_:at:)`` does.
  ///
  /// - Parameter moment: The end of running entries.
  /// - Complexity: O(groups + running entries).
  public func report(at moment: Moment) -> Report {
    var builder = builder
    builder.add(of: domain, isRunning: true, at: moment)
    return builder.finish()
  }
}

extension ReportBuilder {
  /// Adds the entries of a state that match the query, either all that run or all that have ended.
  mutating func add(of domain: DomainState, isRunning: Bool, at moment: Moment) {
    var matcher = EntryMatcher(query.filter, in: domain, at: moment)
    domain.forEachPart(in: query.range, isRunning: isRunning, at: moment) { id, entry, part in
      if matcher.matches(id, entry) { add(id, entry, part, of: entry.span(at: moment)) }
    }
  }
}
