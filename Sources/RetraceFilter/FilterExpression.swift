/// A condition that a user typed, such as `project:Acme and (#review or not billable:yes)`.
///
/// Terms beside each other mean `and`. `not` binds tightest, then `and`, then `or`.
public indirect enum FilterExpression: Hashable, Sendable {
  /// All parts must match: two or more, or none in the expression of an empty text.
  case all([FilterExpression])
  /// At least one of two or more parts must match.
  case any([FilterExpression])
  /// The part must not match.
  case not(FilterExpression)
  /// One term must match.
  case term(FilterTerm)

  /// The most bytes of a text.
  public static var bytesMax: Int { 4_096 }
  /// The most levels of parentheses and `not` inside each other.
  public static var depthMax: Int { 100 }

  /// Parses a text; an empty one has the value `.all([])`, which matches everything.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: ``FilterError`` if the text is not in the grammar.
  public init(_ text: String) throws(FilterError) {
    let count = text.utf8.count
    guard count <= Self.bytesMax else { throw .tooLong(bytes: count) }
    var parser = FilterParser(Array(text.utf8))
    self = try parser.parse()
  }

  /// The terms, in order.
  ///
  /// - Complexity: O(terms × levels).
  public var terms: [FilterTerm] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap { $0.terms }
    case .not(let part): part.terms
    case .term(let term): [term]
    }
  }
}

extension FilterExpression: CustomStringConvertible {
  /// The expression as a text; it parses back to the same value if the value came from a text and
  /// the printed text is not too long.
  public var description: String {
    switch self {
    case .all(let parts): parts.map { $0.operandOfAnd }.joined(separator: " ")
    case .any(let parts): parts.map { $0.operandOfOr }.joined(separator: " or ")
    case .not(let part): "not \(part.operandOfNot)"
    case .term(let term): term.description
    }
  }

  private var operandOfOr: String { if case .any = self { "(\(self))" } else { description } }

  private var operandOfAnd: String { if case .all = self { "(\(self))" } else { operandOfOr } }

  private var operandOfNot: String { operandOfAnd }
}
