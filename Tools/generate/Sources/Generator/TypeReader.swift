import SwiftSyntax

/// Rewrites the types of properties and payloads so that they mean the same in another place.
struct TypeReader {
  let index: TypeIndex
  let scope: [String]
  let genericParameters: [String]
  let refuse: (any SyntaxProtocol, String) -> Refusal

  /// The type as generated code writes it.
  func read(_ type: TypeSyntax) throws -> String {
    switch type.as(TypeSyntaxEnum.self) {
    case .identifierType(let type):
      let arguments = try self.arguments(type.genericArgumentClause)
      if genericParameters.contains(type.name.text) { return type.name.text + arguments }
      return index.qualified(type.name.text, in: scope) + arguments
    case .memberType(let type):
      return try read(type.baseType) + "." + type.name.text
        + self.arguments(type.genericArgumentClause)
    case .arrayType(let type):
      return try "[\(read(type.element))]"
    case .dictionaryType(let type):
      return try "[\(read(type.key)): \(read(type.value))]"
    case .optionalType(let type):
      return try "\(read(type.wrappedType))?"
    case .tupleType(let type):
      if let element = type.elements.first, type.elements.count == 1, element.firstName == nil {
        return try read(element.type)
      }
      throw refuse(type, "a tuple cannot be recorded; declare a struct")
    case .attributedType(let type):
      if type.baseType.is(FunctionTypeSyntax.self) {
        throw refuse(type, "a function cannot be recorded")
      }
      throw refuse(type, "a type with attributes cannot be recorded")
    case .functionType:
      throw refuse(type, "a function cannot be recorded")
    case .someOrAnyType:
      throw refuse(type, "an existential or opaque type cannot be recorded; name the type")
    case .implicitlyUnwrappedOptionalType:
      throw refuse(type, "an implicitly unwrapped optional cannot be recorded; write `?`")
    default:
      throw refuse(type, "the type `\(type.trimmedDescription)` cannot be recorded")
    }
  }

  /// The type of an initial value that says it, such as a literal or `Draft()`.
  func read(initialValue: ExprSyntax) throws -> String? {
    switch initialValue.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr: return "Bool"
    case .integerLiteralExpr: return "Int"
    case .floatLiteralExpr: return "Double"
    case .stringLiteralExpr: return "String"
    case .functionCallExpr(let call): return try read(callee: call.calledExpression)
    default: return nil
    }
  }

  private func read(callee: ExprSyntax) throws -> String? {
    switch callee.as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let reference):
      let name = reference.baseName.text
      guard name.first?.isUppercase == true else { return nil }
      return index.qualified(name, in: scope)
    case .genericSpecializationExpr(let expression):
      guard let base = try read(callee: expression.expression) else { return nil }
      return try base + arguments(expression.genericArgumentClause)
    case .memberAccessExpr(let access):
      guard let base = access.base, let left = try read(callee: base),
        access.declName.baseName.text.first?.isUppercase == true
      else { return nil }
      return "\(left).\(access.declName.baseName.text)"
    default: return nil
    }
  }

  private func arguments(_ clause: GenericArgumentClauseSyntax?) throws -> String {
    guard let clause else { return "" }
    let names = try clause.arguments.map { argument throws -> String in
      guard case .type(let type) = argument.argument else {
        throw refuse(argument, "a value as a generic argument cannot be recorded")
      }
      return try read(type)
    }
    return "<\(names.joined(separator: ", "))>"
  }
}
