import SwiftSyntax

/// Reads the default of a property or payload: what stands for it where it was not recorded.
enum DefaultReader {
  private static let integers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32",
  ]

  /// What makes the default in a schema, as generated code writes it; `nil` where the value is not
  /// plain enough to stand in another place.
  ///
  /// - Parameters:
  ///   - value: The value as it is written.
  ///   - type: The type as generated code writes it.
  static func read(_ value: ExprSyntax, of type: String) -> String? {
    switch value.as(ExprSyntaxEnum.self) {
    case .nilLiteralExpr: return type.hasSuffix("?") ? ".null" : nil
    case .booleanLiteralExpr(let literal) where type == "Bool":
      return ".bool(\(literal.literal.text))"
    case .stringLiteralExpr where type == "String" && isLiteral(value):
      return ".string(\(value.trimmedDescription))"
    case .integerLiteralExpr, .prefixOperatorExpr, .floatLiteralExpr:
      guard isLiteral(value) else { return nil }
      if integers.contains(type) { return ".integer(\(value.trimmedDescription))" }
      return ["Double", "Float"].contains(type) ? ".double(\(value.trimmedDescription))" : nil
    case .arrayExpr(let array) where array.elements.isEmpty: return empty(type)
    case .dictionaryExpr where value.trimmedDescription.filter({ $0 != " " }) == "[:]":
      return empty(type)
    case .memberAccessExpr(let access)
    where access.base == nil && access.declName.argumentNames == nil && !type.hasSuffix("?"):
      return "composer.defaultValue(\(type).\(access.declName.baseName.text))"
    case .functionCallExpr(let call): return read(call, of: type)
    default: return nil
    }
  }

  /// An empty collection of a type that says which one it is.
  private static func empty(_ type: String) -> String? {
    if type == "[UInt8]" { return ".string(\"\")" }
    if type.hasPrefix("[String: ") { return ".object([])" }
    let isCollection = type.hasSuffix("]") || (type.hasPrefix("Set<") && type.hasSuffix(">"))
    return isCollection ? ".array([])" : nil
  }

  /// A value such as `Moment(microseconds: 0)`, made of literals.
  private static func read(_ call: FunctionCallExprSyntax, of type: String) -> String? {
    guard let callee = call.calledExpression.as(DeclReferenceExprSyntax.self),
      callee.argumentNames == nil, call.trailingClosure == nil,
      call.additionalTrailingClosures.isEmpty,
      type == callee.baseName.text || type.hasSuffix(".\(callee.baseName.text)"),
      call.arguments.allSatisfy({ isLiteral($0.expression) })
    else { return nil }
    let arguments = call.arguments.map { argument in
      (argument.label.map { "\($0.text): " } ?? "") + argument.expression.trimmedDescription
    }
    return "composer.defaultValue(\(type)(\(arguments.joined(separator: ", "))))"
  }

  /// Whether an expression means the same in every place.
  private static func isLiteral(_ value: ExprSyntax) -> Bool {
    switch value.as(ExprSyntaxEnum.self) {
    case .nilLiteralExpr, .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr: return true
    case .stringLiteralExpr(let literal):
      return literal.openingQuote.tokenKind == .stringQuote
        && literal.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    case .prefixOperatorExpr(let operation):
      guard operation.operator.text == "-" else { return false }
      return operation.expression.is(IntegerLiteralExprSyntax.self)
        || operation.expression.is(FloatLiteralExprSyntax.self)
    default: return false
    }
  }
}
