/// What the total of the lines of a report is.
public enum ReportTotal: String, Hashable, Sendable, CaseIterable {
  /// The exact sum, rounded once. The difference to the sum of the lines is a line of its own.
  case exact
  /// The sum of the lines as they are printed.
  case lines
}

/// A line of a report: a group, or the report itself, with the numbers that are printed.
///
/// A printed number is a whole number of its unit, such as minutes or cents, so a column of exact
/// times or amounts may not add up once each is rounded. With the ``difference`` it does: the
/// numbers of ``lines``, and the difference if there is one, add up to ``values``.
public struct ReportLine: Hashable, Sendable {
  /// The group; `nil` for the report.
  public var key: ReportKey?
  /// The exact figures.
  public var figures: ReportFigures
  /// The numbers that are printed.
  public var values: [Int64]
  /// The lines of the groups of the next level.
  public var lines: [ReportLine]
  /// What the numbers of the lines lack to be the numbers of this line; `nil` if they add up, and
  /// for groups of each tag, which need not add up.
  public var difference: [Int64]?

  /// The name of a difference in place of that of a group.
  package static let differenceLabel = "(rounding)"
}

extension Report {
  /// Returns the report as lines, which add up at every level but the one of each tag.
  ///
  /// - Parameters:
  ///   - total: What the total of lines is. A line above groups of each tag has its exact figures.
  ///   - printed: Returns the numbers that are printed of figures, always the same number of them.
  /// - Complexity: O(groups × numbers).
  public func lines(
    _ total: ReportTotal, _ printed: (ReportFigures) -> [Int64]
  ) -> ReportLine {
    Self.line(nil, self.total, groups, total, printed)
  }

  private static func line(
    _ key: ReportKey?, _ figures: ReportFigures, _ groups: [ReportGroup], _ total: ReportTotal,
    _ printed: (ReportFigures) -> [Int64]
  ) -> ReportLine {
    let lines = groups.map { Self.line($0.key, $0.figures, $0.groups, total, printed) }
    var made = ReportLine(
      key: key, figures: figures, values: printed(figures), lines: lines, difference: nil)
    guard let first = lines.first, first.key?.isOfEachTag == false else { return made }
    var sum = first.values
    for other in lines.dropFirst() {
      for index in sum.indices { sum[index] = sum[index].addingClamped(other.values[index]) }
    }
    switch total {
    case .lines: made.values = sum
    case .exact:
      let rest = zip(made.values, sum).map { $0.subtractingClamped($1) }
      if rest.contains(where: { $0 != 0 }) { made.difference = rest }
    }
    return made
  }
}

extension ReportKey {
  /// Whether the group is one of each tag, so that others may count the same time.
  package var isOfEachTag: Bool { if case .eachTag = self { true } else { false } }
}

extension Int64 {
  /// Returns the sum, clamped to the range of the type.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the difference, clamped to the range of the type.
  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other > 0 ? .min : .max) : difference
  }
}
