import SwiftSyntax

/// Rewrites the types of properties and payloads so that they mean the same in any scope.
struct TypeReader {
  let index: TypeIndex
  let scope: [String]
  let genericParameters: [String]
  /// The names that are private in the file, and so unknown to generated code.
  var privateNames: Set<String> = []
  let diagnose: (any SyntaxProtocol, String) -> Diagnostic

  /// Types of the standard library that have no encoding, but that authors are likely to try.
  private static let unsupported: Set<String> = [
    "Int8", "Int16", "Int128", "UInt", "UInt16", "UInt32", "UInt64", "UInt128", "Float16",
    "Float80", "Character", "Substring", "StaticString", "Void", "Never", "Any", "AnyObject",
  ]

  /// Types of the standard library and of Foundation that have no encoding, with what to use.
  private static let replacements: [String: String] = [
    "Date": "`Moment`", "Duration": "`ElapsedTime`", "TimeInterval": "`ElapsedTime`",
    "UUID": "an id of the app, as in `struct BookID: EntityID { var value: Int64 }`, or `String`",
    "URL": "`String`", "Data": "`[UInt8]`", "Decimal": "`Int64`, as for a number of cents",
  ]

  /// Returns the type as generated code writes it, with optionals and collections in short form.
  ///
  /// - Parameter holdsTable: Whether the type may be an `EntityTable`.
  func read(_ type: TypeSyntax, holdsTable: Bool = false) throws -> String {
    switch type.as(TypeSyntaxEnum.self) {
    case .identifierType(let type):
      return try read(
        type.name.text, type.genericArgumentClause, at: type, holdsTable: holdsTable)
    case .memberType(let type):
      let base = try readBase(type.baseType)
      if base == "Foundation", isStandard(base) { try refuse(type.name.text, at: type) }
      if base == "Swift", isStandard(base), isStandard(type.name.text) {
        return try read(
          type.name.text, type.genericArgumentClause, at: type, holdsTable: holdsTable)
      }
      if type.name.text == "EntityTable" && !holdsTable { throw refuseTable(type) }
      if type.name.text == "Type" || type.name.text == "Protocol" {
        throw diagnose(type, "the type `\(type.trimmedDescription)` cannot be recorded")
      }
      return try base + "." + type.name.text + arguments(type.genericArgumentClause)
    case .arrayType(let type):
      return try "[\(read(type.element))]"
    case .dictionaryType(let type):
      return try "[\(read(type.key)): \(read(type.value))]"
    case .optionalType(let type):
      return try "\(read(type.wrappedType))?"
    case .tupleType(let type):
      if let element = type.elements.first, type.elements.count == 1, element.firstName == nil {
        return try read(element.type, holdsTable: holdsTable)
      }
      throw diagnose(type, "a tuple cannot be recorded; declare a struct")
    case .attributedType(let type):
      if type.baseType.is(FunctionTypeSyntax.self) {
        throw diagnose(type, "a function cannot be recorded")
      }
      throw diagnose(type, "a type with attributes cannot be recorded")
    case .functionType:
      throw diagnose(type, "a function cannot be recorded")
    case .someOrAnyType:
      throw diagnose(type, "an existential or opaque type cannot be recorded; name the type")
    case .implicitlyUnwrappedOptionalType:
      throw diagnose(type, "an implicitly unwrapped optional cannot be recorded; write `?`")
    default:
      throw diagnose(type, "the type `\(type.trimmedDescription)` cannot be recorded")
    }
  }

  /// Whether a name means a type of the standard library or of another module, and not a generic
  /// parameter or a type of the target.
  func isStandard(_ name: String) -> Bool {
    !genericParameters.contains(name) && index.qualified(name, in: scope) == name
      && index[name] == nil
  }

  /// Returns the type of an initial value that is a plain literal; `nil` for any other value.
  ///
  /// Only the compiler knows the type of other expressions: `Draft()` may be a `Draft?`.
  func read(initialValue: ExprSyntax) -> String? {
    let (type, alias): (String, String)
    switch initialValue.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr: (type, alias) = ("Bool", "BooleanLiteralType")
    case .integerLiteralExpr: (type, alias) = ("Int", "IntegerLiteralType")
    case .floatLiteralExpr: (type, alias) = ("Double", "FloatLiteralType")
    case .stringLiteralExpr: (type, alias) = ("String", "StringLiteralType")
    default: return nil
    }
    // A module may declare its own `IntegerLiteralType`, or its own type named `Int`.
    return isStandard(type) && isStandard(alias) ? type : nil
  }

  private func read(
    _ name: String, _ generics: GenericArgumentClauseSyntax?, at node: any SyntaxProtocol,
    holdsTable: Bool
  ) throws -> String {
    guard isStandard(name) else {
      if genericParameters.contains(name) { return try name + arguments(generics) }
      return try index.qualified(name, in: scope) + arguments(generics)
    }
    if Self.unsupported.contains(name), !index.isWrittenByHand(name) {
      throw diagnose(node, "`\(name)` has no encoding; use `Int`, `Int32`, `Double` or `String`")
    }
    if !index.isWrittenByHand(name) { try refuse(name, at: node) }
    if name == "EntityTable" && !holdsTable { throw refuseTable(node) }
    let arguments = try generics.map { try self.list($0) } ?? []
    switch (name, arguments.count) {
    case ("Optional", 1): return "\(arguments[0])?"
    case ("Array", 1): return "[\(arguments[0])]"
    case ("Dictionary", 2): return "[\(arguments[0]): \(arguments[1])]"
    default: return name + (arguments.isEmpty ? "" : "<\(arguments.joined(separator: ", "))>")
    }
  }

  /// Refuses a type without an encoding that has a counterpart.
  private func refuse(_ name: String, at node: any SyntaxProtocol) throws {
    guard let replacement = Self.replacements[name] else { return }
    throw diagnose(node, "`\(name)` is not recorded; use \(replacement)")
  }

  private func refuseTable(_ node: any SyntaxProtocol) -> Diagnostic {
    diagnose(
      node, "a table can only be a direct property of a RecordedState, without a wrapper type")
  }

  /// The type before a dot, which may be a module.
  private func readBase(_ type: TypeSyntax) throws -> String {
    if let type = type.as(IdentifierTypeSyntax.self), type.genericArgumentClause == nil {
      if genericParameters.contains(type.name.text) { return type.name.text }
      return index.qualified(type.name.text, in: scope)
    }
    return try read(type)
  }

  private func arguments(_ clause: GenericArgumentClauseSyntax?) throws -> String {
    guard let clause else { return "" }
    return try "<\(list(clause).joined(separator: ", "))>"
  }

  private func list(_ clause: GenericArgumentClauseSyntax) throws -> [String] {
    try clause.arguments.map { argument throws -> String in
      guard case .type(let type) = argument.argument else {
        throw diagnose(argument, "a value as a generic argument cannot be recorded")
      }
      return try read(type)
    }
  }
}
