import SwiftSyntax

/// Reads the stored properties of a struct and the cases of an enum.
struct MemberReader {
  let types: TypeReader
  let refuse: (any SyntaxProtocol, String) -> Refusal

  /// Attributes that leave a stored property what it is.
  private static let harmlessAttributes: Set<String> = [
    "available", "usableFromInline", "inlinable", "_spi",
  ]

  func fields(of block: MemberBlockSyntax, inState: Bool) throws -> [Field] {
    var fields: [Field] = []
    for member in block.members {
      if member.decl.is(IfConfigDeclSyntax.self) {
        throw refuse(member, "conditional compilation inside a recorded type")
      }
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
      fields += try self.fields(of: variable, member, inState: inState)
    }
    try requireDistinct(fields, in: block)
    return fields
  }

  private func fields(
    of variable: VariableDeclSyntax, _ member: MemberBlockItemSyntax, inState: Bool
  ) throws -> [Field] {
    let modifiers = variable.modifiers.map { $0.trimmedDescription }
    if modifiers.contains("static") { return [] }
    if variable.bindings.allSatisfy({ isComputed($0) }) { return [] }
    for modifier in ["lazy", "weak", "unowned", "private", "fileprivate"]
    where modifiers.contains(where: { $0.hasPrefix(modifier) }) {
      throw refuse(variable, "a property that is \(modifier) cannot be recorded")
    }
    for attribute in variable.attributes {
      guard let name = attribute.as(AttributeSyntax.self)?.attributeName.trimmedDescription,
        Self.harmlessAttributes.contains(name)
      else { throw refuse(attribute, "a property with a wrapper or macro cannot be recorded") }
    }
    let isConstant = variable.bindingSpecifier.text == "let"
    let comment = RecordedComment(after: member)
    if comment != nil && variable.bindings.count > 1 {
      throw refuse(variable, "`recorded:` after several properties; declare one a line")
    }
    return try variable.bindings.map { binding in
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
        throw refuse(binding, "a pattern cannot be recorded; declare the properties one by one")
      }
      if isConstant && binding.initializer != nil {
        throw refuse(binding, "a constant with a value cannot be read back; make it static or var")
      }
      if inState && binding.accessorBlock != nil {
        throw refuse(binding, "a property of a state cannot have observers")
      }
      let name = pattern.identifier.text
      let type = try type(of: binding, in: variable)
      let value = binding.initializer.flatMap { DefaultReader.read($0.value, of: type) }
      // Swift takes a variable without a value for `nil` too.
      let isNil = binding.initializer == nil && !isConstant && type.hasSuffix("?")
      return Field(
        codeName: name, recordedName: try recorded(name, comment, at: binding),
        formerNames: comment?.former ?? [], type: type, isMutable: !isConstant,
        defaultValue: isNil ? ".null" : value)
    }
  }

  private func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    guard let block = binding.accessorBlock else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }

  private func type(
    of binding: PatternBindingSyntax, in variable: VariableDeclSyntax
  ) throws -> String {
    if let annotation = binding.typeAnnotation { return try types.read(annotation.type) }
    if let value = binding.initializer?.value {
      if let type = try types.read(initialValue: value) { return type }
    } else if let later = variable.bindings.first(where: {
      $0.position > binding.position && $0.typeAnnotation != nil
    }), let annotation = later.typeAnnotation {
      return try types.read(annotation.type)
    }
    throw refuse(binding, "the type of the property is not written; add it")
  }

  func cases(of node: EnumDeclSyntax) throws -> Declaration.Kind {
    var cases: [Case] = []
    var isIndirect = node.modifiers.contains { $0.name.text == "indirect" }
    for member in node.memberBlock.members {
      if member.decl.is(IfConfigDeclSyntax.self) {
        throw refuse(member, "conditional compilation inside a recorded type")
      }
      guard let declaration = member.decl.as(EnumCaseDeclSyntax.self) else { continue }
      isIndirect = isIndirect || declaration.modifiers.contains { $0.name.text == "indirect" }
      let comment = RecordedComment(after: member)
      if comment != nil && declaration.elements.count > 1 {
        throw refuse(declaration, "`recorded:` after several cases; declare one a line")
      }
      for element in declaration.elements {
        cases.append(
          Case(
            codeName: element.name.text,
            recordedName: try recorded(element.name.text, comment, at: element),
            formerNames: comment?.former ?? [],
            payloads: try payloads(of: element)))
      }
    }
    if cases.isEmpty { throw refuse(node.name, "an enum without cases cannot be recorded") }
    try requireDistinct(cases.map(\.recordedName), in: node.name)
    try requireDistinct(cases.flatMap(\.formerNames), in: node.name)
    if cases.allSatisfy(\.payloads.isEmpty) {
      if let renamed = cases.first(where: { !$0.formerNames.isEmpty }) {
        throw refuse(
          node.name,
          "Avro has no aliases of symbols; let `\(renamed.codeName.filter { $0 != "`" })` keep "
            + "its name with "
            + "`// recorded: \(renamed.formerNames[0])`")
      }
      return .enumeration(cases)
    }
    return .union(cases, isIndirect: isIndirect)
  }

  private func payloads(of element: EnumCaseElementSyntax) throws -> [Field] {
    guard let parameters = element.parameterClause?.parameters else { return [] }
    var fields: [Field] = []
    for (position, parameter) in parameters.enumerated() {
      let label = parameter.firstName.map(\.text).flatMap { $0 == "_" ? nil : $0 }
      let comment =
        position == parameters.count - 1
        ? RecordedComment(in: parameter.trailingTrivia) : RecordedComment(after: parameter)
      let type = try types.read(parameter.type)
      fields.append(
        Field(
          codeName: label ?? "",
          recordedName: try recorded(label ?? "_\(position)", comment, at: parameter),
          formerNames: comment?.former ?? [], type: type,
          defaultValue: parameter.defaultValue.flatMap { DefaultReader.read($0.value, of: type) }))
    }
    try requireDistinct(fields, in: element)
    return fields
  }

  private func recorded(
    _ name: String, _ comment: RecordedComment?, at node: any SyntaxProtocol
  ) throws -> String {
    let bare = String(name.filter { $0 != "`" })
    let recorded = comment?.name ?? bare
    guard RecordedComment.isName(recorded) else {
      throw refuse(node, "`\(recorded)` is not a name in Avro; add `// recorded: NAME`")
    }
    for former in comment?.former ?? [] where !RecordedComment.isName(former) {
      throw refuse(node, "`\(former)` is not a name in Avro")
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
      throw refuse(node, "two parts have the recorded name `\(name)`")
    }
  }
}
