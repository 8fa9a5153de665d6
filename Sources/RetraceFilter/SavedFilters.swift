/// Filters by their names, which stand for terms such as `saved:deep` in other filters.
public struct SavedFilters: Sendable {
  /// The key of a term that stands for a filter.
  public static var key: String { "saved" }
  /// The most terms of a filter after all names were replaced.
  public static var termsMax: Int { 1_000 }
  /// The most filters inside each other.
  public static var depthMax: Int { 16 }

  /// The names, in order.
  public let names: [String]
  private let filters: [[UInt8]: FilterExpression]

  /// Creates a list of filters; of several with the same bytes as their name, the first counts.
  public init(_ filters: [(name: String, expression: FilterExpression)]) {
    names = filters.map { $0.name }
    var known: [[UInt8]: FilterExpression] = [:]
    for filter in filters where known[Array(filter.name.utf8)] == nil {
      known[Array(filter.name.utf8)] = filter.expression
    }
    self.filters = known
  }

  /// Returns a filter in which each term `saved:NAME` is the filter of the name.
  ///
  /// - Complexity: O(terms of the result).
  /// - Throws: ``SavedFilterError`` for an unknown name, and for a filter that contains itself.
  public func resolved(
    _ expression: FilterExpression
  ) throws(SavedFilterError) -> FilterExpression {
    var left = Self.termsMax
    return try resolved(expression, inside: [], &left)
  }

  private func resolved(
    _ expression: FilterExpression, inside outer: [String], _ left: inout Int
  ) throws(SavedFilterError) -> FilterExpression {
    switch expression {
    case .all(let parts): return .all(try resolved(parts, inside: outer, &left))
    case .any(let parts): return .any(try resolved(parts, inside: outer, &left))
    case .not(let part): return .not(try resolved(part, inside: outer, &left))
    case .term(let term):
      left -= 1
      guard left >= 0 else { throw .tooManyTerms }
      guard let name = try Self.name(term) else { return expression }
      guard let found = filters[Array(name.utf8)] else { throw .unknownName(name, known: names) }
      if let first = outer.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) {
        throw .recursive(Array(outer[first...]) + [name])
      }
      guard outer.count < Self.depthMax else { throw .tooDeep }
      return try resolved(found, inside: outer + [name], &left)
    }
  }

  private func resolved(
    _ parts: [FilterExpression], inside outer: [String], _ left: inout Int
  ) throws(SavedFilterError) -> [FilterExpression] {
    try parts.map { part throws(SavedFilterError) in try resolved(part, inside: outer, &left) }
  }

  /// Returns the name that a term stands for; `nil` for any other term.
  private static func name(_ term: FilterTerm) throws(SavedFilterError) -> String? {
    guard case .field(let name, let comparison, let value) = term,
      FilterText.isWord(name.utf8, key)
    else { return nil }
    switch (comparison, value) {
    case (.equal, .text(let name)): return name
    case (.equal, .nothing): return FilterText.none
    default: throw .notAName
    }
  }
}

/// A reason why the names of a filter cannot be replaced.
///
/// It contains names as they are, so escape them before printing.
public enum SavedFilterError: Error, Hashable, Sendable {
  /// No filter has the name; the names that there are.
  case unknownName(String, known: [String])
  /// The key is compared, or has a range.
  case notAName
  /// A filter contains itself; the names from the filter to itself.
  case recursive([String])
  /// There are more filters inside each other than ``SavedFilters/depthMax``.
  case tooDeep
  /// There are more terms than ``SavedFilters/termsMax``.
  case tooManyTerms
}

extension SavedFilterError: CustomStringConvertible {
  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .unknownName(let name, _): "There is no saved filter `\(name)`."
    case .notAName: "`\(SavedFilters.key)` takes one name. Write `\(SavedFilters.key):` before it."
    case .recursive(let names):
      "The saved filter `\(names.first ?? "")` contains itself: \(names.joined(separator: ", "))."
    case .tooDeep: "More than \(SavedFilters.depthMax) saved filters are inside each other."
    case .tooManyTerms: "The filter has more than \(SavedFilters.termsMax) terms."
    }
  }
}
