import SwiftSyntax

/// Reads the stored properties of a struct and the cases of an enum.
struct MemberReader {
  let types: TypeReader
  let comments: RecordedComments
  let inState: Bool
  /// Whether the type is recorded; else properties that cannot have a name are left out.
  var isRecorded = true
  let diagnose: (any SyntaxProtocol, String) -> Diagnostic

  /// Attributes of a stored property that do not change what has to be generated.
  private static let harmlessAttributes: Set<String> = ["usableFromInline"]
  /// Modifiers of a stored property that do not change what has to be generated.
  private static let harmlessModifiers: Set<String> = [
    "public", "package", "internal", "package(set)", "internal(set)", "nonisolated",
  ]

  func fields(of block: MemberBlockSyntax) throws -> [Field] {
    var fields: [Field] = []
    for member in block.members {
      try checkDeclared(member)
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
      fields += try self.fields(of: variable, member)
    }
    try requireDistinct(fields, in: block)
    return fields
  }

  /// Refuses a member that may declare other members.
  private func checkDeclared(_ member: MemberBlockItemSyntax) throws {
    if member.decl.is(IfConfigDeclSyntax.self) {
      throw diagnose(member, "a recorded type cannot contain conditional compilation")
    }
    if member.decl.is(MacroExpansionDeclSyntax.self) {
      throw diagnose(
        member, "a macro inside a recorded type may declare members that the generator cannot see")
    }
  }

  private func fields(
    of variable: VariableDeclSyntax, _ member: MemberBlockItemSyntax
  ) throws -> [Field] {
    let modifiers = variable.modifiers.map { $0.trimmedDescription }
    if modifiers.contains("static") { return [] }
    if let accessor = variable.bindings.lazy.compactMap(initAccessor).first {
      throw diagnose(accessor, "a property with an `init` accessor cannot be recorded")
    }
    if variable.bindings.allSatisfy({ isComputed($0) }) { return [] }
    if !isRecorded {
      let isPlain =
        variable.bindingSpecifier.text == "var" && variable.attributes.isEmpty
        && modifiers.allSatisfy(Self.harmlessModifiers.contains)
      if !isPlain { return [] }
    }
    for modifier in modifiers where !Self.harmlessModifiers.contains(modifier) {
      throw diagnose(variable, "a property that is \(modifier) cannot be recorded")
    }
    for attribute in variable.attributes {
      guard let name = attribute.as(AttributeSyntax.self)?.attributeName.trimmedDescription,
        Self.harmlessAttributes.contains(name)
      else { throw diagnose(attribute, "a property with a wrapper or macro cannot be recorded") }
    }
    let isConstant = variable.bindingSpecifier.text == "let"
    if inState && isConstant {
      throw diagnose(variable, "a constant of a state cannot be read back; declare a var")
    }
    let comment = comments.take(after: member)
    if comment != nil && variable.bindings.count > 1 {
      throw diagnose(variable, "`recorded:` applies to one property; declare one per line")
    }
    return try variable.bindings.map { binding in
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
        throw diagnose(binding, "a pattern cannot be recorded; declare the properties one by one")
      }
      if isConstant && binding.initializer != nil {
        throw diagnose(
          binding, "a constant with a value cannot be read back; make it static or var")
      }
      if isComputed(binding) {
        throw diagnose(binding, "a computed property beside a stored one; declare one per line")
      }
      if inState && binding.accessorBlock != nil {
        throw diagnose(binding, "a property of a state cannot have observers")
      }
      return try field(pattern.identifier.text, comment, of: binding, in: variable)
    }
  }

  private func field(
    _ name: String, _ comment: RecordedComment?, of binding: PatternBindingSyntax,
    in variable: VariableDeclSyntax
  ) throws -> Field {
    let (type, isOptional) = try type(of: binding, in: variable)
    // In Swift, a variable of type `T?` without an initial value is `nil`.
    let isNil =
      isOptional && binding.initializer == nil && variable.bindingSpecifier.text == "var"
    var field = try field(
      name, comment, type: type, value: binding.initializer?.value, isNil: isNil, at: binding)
    if variable.bindingSpecifier.text == "var" {
      field.access = AccessLevel(settingOf: variable.modifiers)
    }
    field.visibility = AccessLevel(variable.modifiers) ?? .module
    field.hasInitialValue = isNil || binding.initializer != nil
    field.argument =
      isNil
      ? "nil"
      : binding.initializer.flatMap { DefaultReader(types: types).argument($0.value, of: type) }
    field.initialValue = binding.initializer.flatMap {
      DefaultReader(types: types).code(of: $0.value, type)
    }
    field.isUsableFromInline = variable.attributes.contains {
      $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "usableFromInline"
    }
    return field
  }

  /// Returns a property or payload with its default in the schema.
  private func field(
    _ name: String, _ comment: RecordedComment?, type: String, value: ExprSyntax?, isNil: Bool,
    at node: any SyntaxProtocol
  ) throws -> Field {
    let rule = comment?.defaultRule ?? .inferred
    let label = try recordedName(name, comment, at: node)
    let former = comment?.former ?? []
    if inState {
      // The schema of a state is compared, never resolved.
      if !former.isEmpty || rule != .inferred {
        throw diagnose(
          node,
          "a state is never read under a former name or with a default; only a name has an effect")
      }
      return Field(codeName: name, recordedName: label, type: type)
    }
    var field = Field(codeName: name, recordedName: label, formerNames: former, type: type)
    if case .named(let name) = rule {
      field.defaultValue = try DefaultReader(types: types).read(caseNamed: name, of: type, at: node)
      return field
    }
    if rule != .inferred && value == nil && !(isNil && rule == .omitted) {
      throw diagnose(node, "`recorded:` sets a rule for a default, but there is no default")
    }
    if let value {
      field.defaultValue = try DefaultReader(types: types).read(value, of: type, rule)
    } else if isNil && rule != .omitted {
      field.defaultValue = ".null"
    }
    return field
  }

  private func initAccessor(_ binding: PatternBindingSyntax) -> AccessorDeclSyntax? {
    guard case .accessors(let accessors) = binding.accessorBlock?.accessors else { return nil }
    return accessors.first { $0.accessorSpecifier.text == "init" }
  }

  private func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    guard let block = binding.accessorBlock else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }

  /// Returns the type of a property, and whether it is written as `T?`.
  private func type(
    of binding: PatternBindingSyntax, in variable: VariableDeclSyntax
  ) throws -> (String, isOptional: Bool) {
    var annotation = binding.typeAnnotation
    if annotation == nil {
      if let value = binding.initializer?.value {
        if let type = types.read(initialValue: value) { return (type, false) }
      } else {
        annotation =
          variable.bindings.first {
            $0.position > binding.position && $0.typeAnnotation != nil
          }?.typeAnnotation
      }
    }
    guard let type = annotation?.type else {
      throw diagnose(binding, "the property has no type annotation; add one")
    }
    return (try types.read(type, holdsTable: inState), isOptional(type))
  }

  private func isOptional(_ type: TypeSyntax) -> Bool {
    if let tuple = type.as(TupleTypeSyntax.self), let element = tuple.elements.first,
      tuple.elements.count == 1
    {
      return isOptional(element.type)
    }
    return type.is(OptionalTypeSyntax.self)
  }

  func cases(of node: EnumDeclSyntax) throws -> Declaration.Kind {
    var cases: [Case] = []
    var isIndirect = node.modifiers.contains { $0.name.text == "indirect" }
    for member in node.memberBlock.members {
      try checkDeclared(member)
      guard let declaration = member.decl.as(EnumCaseDeclSyntax.self) else { continue }
      isIndirect = isIndirect || declaration.modifiers.contains { $0.name.text == "indirect" }
      if let attribute = declaration.attributes.first {
        throw diagnose(attribute, "a case with an attribute cannot be recorded")
      }
      let comment = comments.take(after: member)
      if comment != nil && declaration.elements.count > 1 {
        throw diagnose(declaration, "`recorded:` applies to one case; declare one per line")
      }
      if let comment, comment.defaultRule != .inferred {
        throw diagnose(
          declaration,
          "`no default` and other rules for defaults apply to properties and payloads only")
      }
      for element in declaration.elements {
        cases.append(
          Case(
            codeName: element.name.text,
            recordedName: try recordedName(element.name.text, comment, at: element),
            formerNames: comment?.former ?? [],
            payloads: try payloads(of: element)))
      }
    }
    if cases.isEmpty { throw diagnose(node.name, "an enum without cases cannot be recorded") }
    try requireDistinct(cases.map(\.recordedName), in: node.name)
    try requireDistinct(cases.flatMap(\.formerNames), in: node.name)
    try requireDistinct(cases.map(\.codeName), in: node.name)
    if cases.allSatisfy(\.payloads.isEmpty) {
      if let renamed = cases.first(where: { !$0.formerNames.isEmpty }) {
        throw diagnose(
          node.name,
          "Avro has no aliases of symbols; add `// recorded: \(renamed.formerNames[0])` to "
            + "`\(renamed.codeName.filter { $0 != "`" })` instead, so that its name in the log "
            + "stays `\(renamed.formerNames[0])`")
      }
      return .enumeration(cases)
    }
    return .union(cases, isIndirect: isIndirect)
  }

  private func payloads(of element: EnumCaseElementSyntax) throws -> [Field] {
    guard let clause = element.parameterClause else { return [] }
    if clause.parameters.isEmpty {
      throw diagnose(element, "a case has empty parentheses; remove them")
    }
    var fields: [Field] = []
    for (position, parameter) in clause.parameters.enumerated() {
      let label = parameter.firstName.map(\.text).flatMap { $0 == "_" ? nil : $0 }
      let comment =
        position == clause.parameters.count - 1
        ? parameter.lastToken(viewMode: .sourceAccurate).flatMap { comments.take(after: $0) }
        : comments.take(after: parameter)
      let type = try types.read(parameter.type)
      var field = try field(
        label ?? "_\(position)", comment, type: type, value: parameter.defaultValue?.value,
        isNil: false, at: parameter)
      field.codeName = label ?? ""
      fields.append(field)
    }
    try requireDistinct(fields, in: element)
    return fields
  }

  private func recordedName(
    _ name: String, _ comment: RecordedComment?, at node: any SyntaxProtocol
  ) throws -> String {
    let bare = String(name.filter { $0 != "`" })
    let recorded = comment?.name ?? bare
    guard RecordedComment.isName(recorded) else {
      throw diagnose(node, "`\(recorded)` is not a name in Avro; add `// recorded: NAME`")
    }
    for former in comment?.former ?? [] where !RecordedComment.isName(former) {
      throw diagnose(node, "`\(former)` is not a name in Avro")
    }
    return recorded
  }

  private func requireDistinct(_ fields: [Field], in node: any SyntaxProtocol) throws {
    try requireDistinct(fields.map(\.recordedName), in: node)
    try requireDistinct(fields.flatMap(\.formerNames), in: node)
  }

  private func requireDistinct(_ names: [String], in node: any SyntaxProtocol) throws {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw diagnose(node, "two members have the name `\(name)`, in the code or in the log")
    }
  }
}
