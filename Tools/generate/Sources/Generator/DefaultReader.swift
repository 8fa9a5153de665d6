import SwiftParser
import SwiftSyntax

/// Reads the default of a property or payload, which is used for data that was recorded without it.
struct DefaultReader {
  let types: TypeReader

  private static let integers: Set<String> = ["Int", "Int32", "Int64", "UInt8"]

  /// Values of the library that are the same in every process: static members, and initialisers
  /// without arguments, or with one made of integer literals.
  private static let constants: [String: Set<String>] = [
    "Moment": ["init(microseconds:)"], "ElapsedTime": ["zero", "init(microseconds:)"],
    "Digest": ["zero"], "SceneID": ["init(value:)"], "TextDraft": ["init()"],
    "FrameState": ["init()"], "FormState": ["init()"], "ListState": ["init()"],
  ]

  /// Returns the code that creates the default in a schema; `nil` if the schema has none.
  ///
  /// - Parameters:
  ///   - value: The value as it is written.
  ///   - type: The type as generated code writes it.
  ///   - rule: The rule for the default in the comment at the declaration.
  /// - Throws: `Diagnostic` for a value that a schema cannot hold, or that may differ from
  ///   process to process.
  func read(
    _ value: ExprSyntax, of type: String, _ rule: RecordedComment.DefaultRule
  ) throws -> String? {
    if rule == .omitted { return nil }
    if let plain = try plain(value, of: type) { return plain }
    if isConstant(value, of: type) {
      let written = expression(value, of: type) ?? "\(value.trimmedDescription) as \(type)"
      return "composer.defaultValue(\(written))"
    }
    let text = value.trimmedDescription
    if isOfLaterBranch(value, of: type) {
      throw types.diagnose(
        value,
        "Avro allows only values of a union's first branch as default, and `\(text)` is not one; "
          + "change it or add `// recorded: no default`")
    }
    if rule == .constant {
      guard let expression = expression(value, of: type) else {
        throw types.diagnose(
          value,
          "`\(text)` may mean something else in another scope; write `\(type)(…)` or `.member`, or "
            + "add `// recorded: no default`")
      }
      return "composer.defaultValue(\(expression))"
    }
    throw types.diagnose(
      value,
      "the default `\(text)` may differ from process to process, so it cannot be part of a schema; "
        + "write a literal or a case. Or add `// recorded: no default`, or `// recorded: constant "
        + "default` if the value is the same in every process")
  }

  /// Returns the code that creates the default that a comment names.
  ///
  /// - Parameters:
  ///   - name: The name of a case without payloads.
  ///   - type: The type as generated code writes it.
  ///   - node: The declaration with the comment.
  /// - Throws: `Diagnostic` if the type has no such case, or a schema cannot hold it.
  func read(caseNamed name: String, of type: String, at node: some SyntaxProtocol) throws -> String
  {
    guard case .enumeration(let cases) = types.index[type]?.form,
      let index = cases.firstIndex(where: { $0.name == name && !$0.hasPayloads }),
      index == 0 || !cases.contains(where: \.hasPayloads)
    else {
      throw types.diagnose(
        node,
        "`.\(name)` is not a case of `\(type)` that can be a default: name a case of an enum "
          + "of the target without payloads")
    }
    return "composer.defaultValue(\(type).\(name))"
  }

  /// Returns the code of a value as the default of a parameter of a public initialiser.
  ///
  /// It names only what is public: members of the target are as public as their declarations say,
  /// which a default of a parameter may have to surpass.
  ///
  /// - Parameters:
  ///   - value: The value as it is written.
  ///   - type: The type as generated code writes it.
  /// - Returns: `nil` for a value that may mean something else in another scope, or be internal.
  func argument(_ value: ExprSyntax, of type: String) -> String? {
    let text = value.trimmedDescription
    if isPortable(value) || isInteger(value) { return text }
    if let array = value.as(ArrayExprSyntax.self), array.elements.isEmpty { return text }
    if value.is(DictionaryExprSyntax.self), text.filter({ $0 != " " }) == "[:]" { return text }
    if case .enumeration(let cases) = types.index[type]?.form, let name = member(value, of: type),
      cases.contains(where: { $0.name == name && !$0.hasPayloads })
    {
      return "\(type).\(name)"
    }
    // Types of other modules have only public members here, unless the target extends them.
    let base = String(type.prefix { $0 != "<" })
    guard types.isStandard(base), let call = value.as(FunctionCallExprSyntax.self),
      isInitializer(call, of: base), call.arguments.allSatisfy({ isPortable($0.expression) })
    else { return nil }
    let arguments = call.arguments.map { argument in
      (argument.label.map { "\($0.text): " } ?? "") + argument.expression.trimmedDescription
    }
    return "\(type)(\(arguments.joined(separator: ", ")))"
  }

  /// Returns the code of an initial value; `nil` if it may mean something else in an extension of
  /// the type in another file.
  func code(of value: ExprSyntax, _ type: String) -> String? {
    let reader = MovableCode(types: types, type: type)
    reader.walk(value)
    return reader.isMovable ? value.trimmedDescription : nil
  }

  /// Returns the code of a value that has a short form in JSON; `nil` for any other value.
  private func plain(_ value: ExprSyntax, of type: String) throws -> String? {
    switch value.as(ExprSyntaxEnum.self) {
    case .nilLiteralExpr: return type.hasSuffix("?") ? ".null" : nil
    case .booleanLiteralExpr(let literal) where isStandard(type, "Bool"):
      return ".bool(\(literal.literal.text))"
    case .stringLiteralExpr(let literal) where isStandard(type, "String"):
      return text(of: literal).map { ".string(\($0))" }
    case .arrayExpr(let array) where array.elements.isEmpty: return empty(type)
    case .dictionaryExpr where value.trimmedDescription.filter({ $0 != " " }) == "[:]":
      return empty(type)
    default:
      if Self.integers.contains(type), types.isStandard(type), isInteger(value) {
        return ".integer(\(value.trimmedDescription))"
      }
      if isStandard(type, "Double") || isStandard(type, "Float"), isNumber(value) {
        let digits = value.trimmedDescription.filter { $0 != "_" && $0 != " " }
        let number = type == "Float" ? Float(digits).map(Double.init) : Double(digits)
        if number?.isFinite == false {
          throw types.diagnose(value, "`\(digits)` is not finite; a default in Avro has to be")
        }
        return ".double(\(value.trimmedDescription))"
      }
      return nil
    }
  }

  private func isStandard(_ type: String, _ name: String) -> Bool {
    type == name && types.isStandard(name)
  }

  /// Returns a string literal without interpolations, on one line.
  private func text(of literal: StringLiteralExprSyntax) -> String? {
    guard literal.openingQuote.tokenKind == .stringQuote else {
      return literal.representedLiteralValue?.debugDescription
    }
    let isPlain = literal.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    return isPlain ? literal.trimmedDescription : nil
  }

  /// Returns the code of an empty collection, if the type shows which kind of collection it is.
  private func empty(_ type: String) -> String? {
    if type == "[UInt8]" && types.isStandard("UInt8") { return ".string(\"\")" }
    if type.hasPrefix("[String: ") && types.isStandard("String") { return ".object([])" }
    return isCollection(type) ? ".array([])" : nil
  }

  private func isCollection(_ type: String) -> Bool {
    type.hasSuffix("]")
      || (type.hasPrefix("Set<") && type.hasSuffix(">") && types.isStandard("Set"))
  }

  /// Whether a value is a literal of a number, which may be negative.
  private func isNumber(_ value: ExprSyntax) -> Bool {
    if let operation = value.as(PrefixOperatorExprSyntax.self) {
      return operation.operator.text == "-" && isUnsigned(operation.expression)
    }
    return isUnsigned(value)
  }

  private func isUnsigned(_ value: ExprSyntax) -> Bool {
    value.is(IntegerLiteralExprSyntax.self) || value.is(FloatLiteralExprSyntax.self)
  }

  /// Whether a value is an integer literal, or an expression of integer literals.
  private func isInteger(_ value: ExprSyntax) -> Bool {
    if let sequence = value.as(SequenceExprSyntax.self) {
      return sequence.elements.allSatisfy { element in
        if let operation = element.as(BinaryOperatorExprSyntax.self) {
          return ["+", "-", "*"].contains(operation.operator.text)
        }
        return isInteger(element)
      }
    }
    return isNumber(value)
      && !value.tokens(viewMode: .sourceAccurate).contains {
        if case .floatLiteral = $0.tokenKind { true } else { false }
      }
  }

  /// Whether a value belongs to a branch of its union after the first.
  ///
  /// Avro allows only values of the first branch as default: `nil` for an optional, the first case
  /// for an enum with payloads.
  private func isOfLaterBranch(_ value: ExprSyntax, of type: String) -> Bool {
    if type.hasSuffix("?") { return true }
    guard case .enumeration(let cases) = types.index[type]?.form,
      cases.contains(where: \.hasPayloads), let name = member(value, of: type)
    else { return false }
    return cases.dropFirst().contains { $0.name == name }
  }

  /// The name of a member of a type: `.name` or `Kind.name`.
  private func member(_ value: ExprSyntax, of type: String) -> String? {
    guard let access = value.as(MemberAccessExprSyntax.self),
      access.declName.argumentNames == nil, isType(access.base, type)
    else { return nil }
    return access.declName.baseName.text
  }

  /// Whether a value is the same in every process, and can be written in a schema.
  private func isConstant(_ value: ExprSyntax, of type: String) -> Bool {
    switch value.as(ExprSyntaxEnum.self) {
    case .memberAccessExpr:
      guard let name = member(value, of: type) else { return false }
      if types.genericParameters.contains(type) { return false }
      if case .enumeration(let cases) = types.index[type]?.form {
        return !isOfLaterBranch(value, of: type)
          && cases.contains { $0.name == name && !$0.hasPayloads }
      }
      return types.isStandard(type) && Self.constants[type]?.contains(name) == true
    case .functionCallExpr(let call) where call.arguments.isEmpty:
      return isInitializer(call, of: type) && types.isStandard(type)
        && !types.genericParameters.contains(type)
        && Self.constants[type]?.contains("init()") == true
    case .functionCallExpr(let call):
      guard isInitializer(call, of: type), call.arguments.count == 1,
        let argument = call.arguments.first, let label = argument.label?.text,
        isInteger(argument.expression)
      else { return false }
      if types.genericParameters.contains(type) { return false }
      if let declared = types.index[type] {
        return label == "value" && declared.protocols.contains("EntityID")
      }
      return types.isStandard(type) && Self.constants[type]?.contains("init(\(label):)") == true
    case .arrayExpr(let array):
      guard isCollection(type), !type.hasPrefix("[") || !type.contains(": ") else { return false }
      let item =
        type.hasPrefix("[") ? type.dropFirst().dropLast() : type.dropFirst("Set<".count).dropLast()
      return array.elements.allSatisfy { element in
        let text = try? plain(element.expression, of: String(item))
        return text != nil || isConstant(element.expression, of: String(item))
      }
    default: return false
    }
  }

  /// Whether the expression before a dot names a type; if it is omitted, the type is implied.
  private func isType(_ base: ExprSyntax?, _ type: String) -> Bool {
    guard let base else { return !type.hasSuffix("?") }
    return name(of: base) == type
  }

  private func name(of expression: ExprSyntax) -> String? {
    if let reference = expression.as(DeclReferenceExprSyntax.self), reference.argumentNames == nil {
      return types.index.qualified(reference.baseName.text, in: types.scope)
    }
    guard let access = expression.as(MemberAccessExprSyntax.self), let base = access.base,
      access.declName.argumentNames == nil
    else { return nil }
    return name(of: base).map { "\($0).\(access.declName.baseName.text)" }
  }

  /// Whether a call makes a value of a type: `Moment(…)`, `.init(…)` or `Moment.init(…)`.
  private func isInitializer(_ call: FunctionCallExprSyntax, of type: String) -> Bool {
    guard call.trailingClosure == nil, call.additionalTrailingClosures.isEmpty else { return false }
    if let access = call.calledExpression.as(MemberAccessExprSyntax.self),
      access.declName.baseName.text == "init"
    {
      return access.declName.argumentNames == nil && isType(access.base, type)
    }
    return name(of: call.calledExpression) == type
  }

  /// Returns the code of a member or an initialised value that is valid in any scope.
  private func expression(_ value: ExprSyntax, of type: String) -> String? {
    if let name = member(value, of: type) { return "\(type).\(name)" }
    guard let call = value.as(FunctionCallExprSyntax.self), isInitializer(call, of: type),
      call.arguments.allSatisfy({ isPortable($0.expression) })
    else { return nil }
    let arguments = call.arguments.map { argument in
      (argument.label.map { "\($0.text): " } ?? "") + argument.expression.trimmedDescription
    }
    return "\(type)(\(arguments.joined(separator: ", ")))"
  }

  /// Whether an expression means the same in every scope.
  private func isPortable(_ value: ExprSyntax) -> Bool {
    if let literal = value.as(StringLiteralExprSyntax.self) {
      return literal.openingQuote.tokenKind == .stringQuote && text(of: literal) != nil
    }
    return value.is(NilLiteralExprSyntax.self) || value.is(BooleanLiteralExprSyntax.self)
      || isNumber(value)
  }
}
