/// An operator of the grammar.
public enum FilterOperator: String, Hashable, Sendable, CaseIterable {
  /// `and` or `&&`.
  case and
  /// `or` or `||`.
  case or
  /// `not` or `!`.
  case not
}

/// The error of a text that is not in the grammar of filters, with the byte where it is wrong.
///
/// It contains parts of the text as they are, so escape them before printing.
public enum FilterError: Error, Hashable, Sendable {
  /// A parenthesis is not closed; the position of the opening one.
  case missingClosingParenthesis(at: Int)
  /// A parenthesis is closed that was not opened.
  case unexpectedClosingParenthesis(at: Int)
  /// Nothing is between two parentheses; the position of the opening one.
  case emptyParentheses(at: Int)
  /// Nothing follows an operator; the position of the operator.
  case missingOperand(after: FilterOperator, at: Int)
  /// `and` or `or` has no left operand; the position of the operator.
  case missingOperandBefore(FilterOperator, at: Int)
  /// Nothing follows a key with its comparison, or one of `#`, `+` and `@`; the position where the
  /// value should be.
  case emptyValue(of: String, at: Int)
  /// No key precedes a comparison; the position of the term.
  case missingKey(before: FilterComparison, at: Int)
  /// A quoted text does not end; the position of its first quote.
  case unclosedQuote(at: Int)
  /// Something follows a closing quote without a blank; its position.
  case textAfterQuote(at: Int)
  /// There are more levels than ``FilterExpression/depthMax``; the position of the first excess.
  case tooDeep(at: Int)
  /// The text has more bytes than ``FilterExpression/bytesMax``.
  case tooLong(bytes: Int)

  /// The position in the UTF-8 of the text.
  public var position: Int {
    switch self {
    case .missingClosingParenthesis(let position), .unexpectedClosingParenthesis(let position),
      .emptyParentheses(let position), .missingOperand(_, let position),
      .missingOperandBefore(_, let position), .emptyValue(_, let position),
      .missingKey(_, let position), .unclosedQuote(let position), .textAfterQuote(let position),
      .tooDeep(let position):
      position
    case .tooLong: FilterExpression.bytesMax
    }
  }
}

extension FilterError: CustomStringConvertible {
  /// The problem and its remedy, in words for the user.
  public var description: String {
    switch self {
    case .missingClosingParenthesis: "A closing parenthesis is missing."
    case .unexpectedClosingParenthesis:
      "There is no opening parenthesis for this closing one. Put quotes around a text with it."
    case .emptyParentheses: "There is nothing between the parentheses."
    case .missingOperand(let name, _): "Something is missing after `\(name.rawValue)`."
    case .missingOperandBefore(let name, _):
      "Something is missing before `\(name.rawValue)`. Put quotes around it if it is a word."
    case .emptyValue(let key, _): "The value after `\(key)` is missing."
    case .missingKey(let comparison, _):
      "There is no key before `\(comparison.rawValue)`. Put quotes around a text with it."
    case .unclosedQuote: "The closing quote is missing."
    case .textAfterQuote: "A blank is missing after the closing quote."
    case .tooDeep:
      "There are more than \(FilterExpression.depthMax) levels of parentheses and `not`."
    case .tooLong(let bytes):
      "The filter has \(bytes) bytes, and may have \(FilterExpression.bytesMax)."
    }
  }
}
