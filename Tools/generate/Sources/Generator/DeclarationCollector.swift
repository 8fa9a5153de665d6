import SwiftSyntax

/// Finds the declarations of one file for which code is generated.
final class DeclarationCollector: SyntaxVisitor {
  private let path: String
  private let index: TypeIndex
  private let converter: SourceLocationConverter
  private let comments = RecordedComments()
  private let privateNames: Set<String>
  private var scope: [String] = []
  private var codeDepth = 0
  private var conditionDepth = 0
  /// The ranges of refused declarations, whose `recorded:` comments have not been read.
  private var refused: [Range<AbsolutePosition>] = []
  var declarations: [Declaration] = []
  var diagnostics: [Diagnostic] = []

  init(path: String, tree: SourceFileSyntax, index: TypeIndex) {
    self.path = path
    self.index = index
    converter = SourceLocationConverter(fileName: path, tree: tree)
    privateNames = PrivateNames.names(in: tree)
    super.init(viewMode: .sourceAccurate)
    walk(tree)
    for position in comments.unusedComments(in: tree, outside: refused) {
      diagnostics.append(
        diagnostic(
          position,
          "this `recorded:` has no effect; write `// recorded: NAME` or `// recorded: was NAME` at "
            + "the end of the line of one property, case or payload of a recorded type, or after "
            + "the brace that opens the type"))
    }
    diagnostics.sort { $0.line < $1.line }
  }

  private func diagnostic(_ node: any SyntaxProtocol, _ message: String) -> Diagnostic {
    diagnostic(node.positionAfterSkippingLeadingTrivia, message)
  }

  private func diagnostic(_ position: AbsolutePosition, _ message: String) -> Diagnostic {
    Diagnostic(path: path, line: converter.location(for: position).line, message: message)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    collect(node, node.genericParameterClause, node.genericWhereClause) { reader, isState in
      let fields = try reader.fields(of: node.memberBlock)
      let declaresInit = node.memberBlock.members.contains {
        $0.decl.is(InitializerDeclSyntax.self)
      }
      return isState
        ? .state(fields, isMemberwise: !declaresInit)
        : .record(fields, isMemberwise: !declaresInit)
    }
    scope.append(node.name.text)
    return .visitChildren
  }
  override func visitPost(_ node: StructDeclSyntax) { scope.removeLast() }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    collect(node, node.genericParameterClause, node.genericWhereClause) { reader, isState in
      if isState { throw self.diagnostic(node.name, "an enum cannot be a RecordedState") }
      return try reader.cases(of: node)
    }
    scope.append(node.name.text)
    return .visitChildren
  }
  override func visitPost(_ node: EnumDeclSyntax) { scope.removeLast() }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    refuseReference(node.name, node.inheritanceClause)
    scope.append(node.name.text)
    return .visitChildren
  }
  override func visitPost(_ node: ClassDeclSyntax) { scope.removeLast() }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    refuseReference(node.name, node.inheritanceClause)
    scope.append(node.name.text)
    return .visitChildren
  }
  override func visitPost(_ node: ActorDeclSyntax) { scope.removeLast() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let name = TypeNames.name(of: node.extendedType)
    refuseConformance(node, of: name)
    scope.append(name)
    return .visitChildren
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { scope.removeLast() }

  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enterCode() }
  override func visitPost(_ node: CodeBlockSyntax) { codeDepth -= 1 }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterCode() }
  override func visitPost(_ node: ClosureExprSyntax) { codeDepth -= 1 }
  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enterCode() }
  override func visitPost(_ node: AccessorBlockSyntax) { codeDepth -= 1 }
  override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { enterCode() }
  override func visitPost(_ node: SwitchCaseSyntax) { codeDepth -= 1 }
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    conditionDepth += 1
    return .visitChildren
  }
  override func visitPost(_ node: IfConfigDeclSyntax) { conditionDepth -= 1 }

  private func enterCode() -> SyntaxVisitorContinueKind {
    codeDepth += 1
    return .visitChildren
  }

  private func refuseReference(_ name: TokenSyntax, _ clause: InheritanceClauseSyntax?) {
    let names = ProtocolNames.names(in: clause)
    if !names.isDisjoint(with: ProtocolNames.recorded) {
      diagnostics.append(
        diagnostic(name, "`\(name.text)` is a reference type; record a struct or an enum"))
    } else if names.contains(ProtocolNames.composed) {
      diagnostics.append(
        diagnostic(name, "`\(name.text)` is a reference type; compose a struct or an enum"))
    }
  }

  /// Protocols of the standard library; none of their extensions implements a recorded protocol.
  private static let plainProtocols: Set<String> = [
    "Hashable", "Equatable", "Comparable", "Sendable", "Codable", "CaseIterable", "Identifiable",
    "Error", "CustomStringConvertible", "RawRepresentable",
  ]

  /// Refuses an extension that declares a recorded conformance which nothing implements.
  private func refuseConformance(_ node: ExtensionDeclSyntax, of name: String) {
    let protocols = ProtocolNames.names(in: node.inheritanceClause)
    if protocols.contains(ProtocolNames.composed), index["\(name).Parts"] == nil {
      diagnostics.append(
        diagnostic(
          node.extendedType,
          "names of parts are generated for declarations only; add `: Composed` to the declaration "
            + "of `\(name)`, or write `Parts` by hand"))
    }
    guard let named = protocols.intersection(ProtocolNames.recorded).sorted().first,
      !index.isWrittenByHand(name)
    else { return }
    let declared = index[name]
    // Such an extension may refine a conformance that already exists: at the declaration, or in the
    // other module that declares the type.
    if named != "Recordable" && named != "RecordedState" {
      guard let declared, declared.protocols.isDisjoint(with: ProtocolNames.recorded) else {
        return
      }
    }
    // Any other protocol may have an extension that implements the conformance, as `EntityID` has.
    let others = protocols.union(declared?.protocols ?? [])
    guard others.subtracting(ProtocolNames.recorded).isSubset(of: Self.plainProtocols) else {
      return
    }
    diagnostics.append(
      diagnostic(
        node.extendedType,
        "conformances are generated for declarations only; add `: \(named)` to the declaration of "
          + "`\(name)`, or write `encode(into:)` by hand"))
  }

  private func collect(
    _ node: some DeclGroupSyntax & NamedDeclSyntax, _ generics: GenericParameterClauseSyntax?,
    _ requirements: GenericWhereClauseSyntax?,
    _ read: (MemberReader, Bool) throws -> Declaration.Kind
  ) {
    let protocols = ProtocolNames.names(in: node.inheritanceClause)
    let codeName = (scope + [node.name.text]).joined(separator: ".")
    let isRecorded =
      !protocols.isDisjoint(with: ProtocolNames.recorded)
      && !ProtocolNames.isWrittenByHand(node.memberBlock)
    let isComposed =
      protocols.contains(ProtocolNames.composed) && index["\(codeName).Parts"] == nil
    let isIdentifier =
      !isRecorded && protocols.contains(ProtocolNames.identifier)
      && protocols.isDisjoint(with: ProtocolNames.recorded) && !index.isNamedByHand(codeName)
    guard isRecorded || isComposed || isIdentifier else { return }
    do {
      try checkNesting(node)
      try checkDeclaration(node, isRecorded: isRecorded)
      if isIdentifier { return declarations.append(try identifier(node, generics)) }
      if isComposed, let generics {
        throw diagnostic(
          generics, "the parts of a generic type cannot get names; write `Parts` by hand")
      }
      let parameters = try self.parameters(of: generics, requirements)
      // A type that is only composed may have tables, as a state may.
      let isState =
        isRecorded ? protocols.contains("RecordedState") : node.is(StructDeclSyntax.self)
      var declaration = try declaration(
        node, parameters, isState: isState, isRecorded: isRecorded, read)
      declaration.isRecorded = isRecorded
      declaration.isComposed = isComposed
      declarations.append(declaration)
    } catch let error as Diagnostic {
      diagnostics.append(error)
      refused.append(node.position..<node.endPosition)
    } catch {
      diagnostics.append(diagnostic(node, "\(error)"))
      refused.append(node.position..<node.endPosition)
    }
  }

  /// Refuses a type that an extension in another file cannot name, or whose name is ambiguous.
  private func checkNesting(_ node: some DeclGroupSyntax & NamedDeclSyntax) throws {
    let name = node.name.text
    if codeDepth > 0 {
      throw diagnostic(
        node.name, "`\(name)` is a local type; declare it outside functions and closures")
    }
    if conditionDepth > 0 {
      throw diagnostic(node.name, "`\(name)` is inside `#if`; move it out")
    }
    let codeName = (scope + [name]).joined(separator: ".")
    for (outer, type) in index.path(to: codeName).dropLast() {
      guard let type else {
        throw diagnostic(
          node.name,
          "`\(name)` is nested in `\(outer)`, which another module declares; move `\(name)` out of "
            + "it")
      }
      if type.form == .alias {
        throw diagnostic(
          node.name,
          "`\(name)` is declared in an extension of the typealias `\(outer)`; extend the type "
            + "itself")
      }
      if type.isGeneric {
        throw diagnostic(node.name, "`\(name)` is nested in `\(outer)`, which is generic")
      }
      if type.access == .file {
        throw diagnostic(
          node.name,
          "`\(name)` is nested in `\(outer)`, which is private; generated code cannot see it")
      }
    }
    if index[codeName]?.access == .file {
      throw diagnostic(node.name, "`\(name)` is private; generated code cannot see it")
    }
  }

  /// Attributes that do not change what has to be generated for a type.
  private static let harmlessAttributes: Set<String> = [
    "frozen", "usableFromInline", "dynamicMemberLookup", "dynamicCallable", "propertyWrapper",
  ]

  private func checkDeclaration(
    _ node: some DeclGroupSyntax & NamedDeclSyntax, isRecorded: Bool
  ) throws {
    let name = node.name.text
    if node.hasError { throw diagnostic(node.name, "`\(name)` does not parse") }
    guard isRecorded else { return }
    for attribute in node.attributes {
      guard let called = attribute.as(AttributeSyntax.self)?.attributeName.trimmedDescription,
        Self.harmlessAttributes.contains(called)
      else {
        throw diagnostic(
          attribute,
          "`\(attribute.trimmedDescription)` may require other generated code; remove it, or write "
            + "the conformance by hand")
      }
    }
    for inherited in node.inheritanceClause?.inheritedTypes ?? [] {
      if inherited.type.is(SuppressedTypeSyntax.self) {
        throw diagnostic(inherited, "a type that cannot be copied or escape cannot be recorded")
      }
      if let type = inherited.type.as(AttributedTypeSyntax.self),
        !ProtocolNames.names(of: type.baseType).isDisjoint(with: ProtocolNames.recorded)
      {
        throw diagnostic(inherited, "a conformance with attributes cannot be generated")
      }
    }
    let protocols = ProtocolNames.names(in: node.inheritanceClause)
    if protocols.contains("RecordedState"), !protocols.isDisjoint(with: ProtocolNames.recordable) {
      throw diagnostic(node.name, "`\(name)` cannot be both Recordable and a RecordedState")
    }
    if let member = ProtocolNames.generatedMember(in: node.memberBlock) {
      throw diagnostic(
        member,
        "the generator writes this member; remove it, or write the whole conformance by hand, with "
          + "`encode(into:)`")
    }
  }

  /// Returns the names of the generic parameters, each of which has to have a constraint.
  private func parameters(
    of generics: GenericParameterClauseSyntax?, _ requirements: GenericWhereClauseSyntax?
  ) throws -> [String] {
    let constrained = Set(
      (requirements?.requirements ?? []).compactMap { requirement -> String? in
        guard case .conformanceRequirement(let conformance) = requirement.requirement else {
          return nil
        }
        return conformance.leftType.trimmedDescription
      })
    return try (generics?.parameters ?? []).map { parameter in
      let name = parameter.name.text
      if let specifier = parameter.specifier {
        throw diagnostic(
          parameter, "a generic parameter with `\(specifier.text)` cannot be recorded")
      }
      guard parameter.inheritedType != nil || constrained.contains(name) else {
        throw diagnostic(
          parameter, "`\(name)` may be a type that is not Recordable; constrain it to Recordable")
      }
      return name
    }
  }

  private func declaration(
    _ node: some DeclGroupSyntax & NamedDeclSyntax, _ parameters: [String], isState: Bool,
    isRecorded: Bool = true, _ read: (MemberReader, Bool) throws -> Declaration.Kind
  ) throws -> Declaration {
    let comments = isRecorded ? self.comments : RecordedComments()
    let names = scope + [node.name.text]
    let codeName = names.joined(separator: ".")
    let comment = comments.take(after: node.memberBlock.leftBrace)
    let recorded = comment?.name ?? codeName.split(separator: ".").joined(separator: "_")
    guard RecordedComment.isName(recorded) else {
      throw diagnostic(node.name, "`\(recorded)` is not a name in Avro; add `// recorded: NAME`")
    }
    for former in comment?.former ?? [] where !RecordedComment.isName(former) {
      throw diagnostic(node.name, "`\(former)` is not a name in Avro")
    }
    if let comment, comment.defaultRule != .inferred {
      throw diagnostic(
        node.name, "`no default` and other rules for defaults apply to properties and payloads only"
      )
    }
    if isState, let former = comment?.former, !former.isEmpty {
      throw diagnostic(node.name, "a state is never read under a former name; remove `was`")
    }
    let types = TypeReader(
      index: index, scope: names, genericParameters: parameters,
      privateNames: privateNames, diagnose: { self.diagnostic($0, $1) })
    let reader = MemberReader(
      types: types, comments: comments, inState: isState, isRecorded: isRecorded,
      diagnose: { self.diagnostic($0, $1) })
    let kind = try read(reader, isState)
    try checkCaseNames(of: kind, recorded, codeName, at: node.name)
    let accessLevel = index.path(to: codeName).compactMap(\.type?.access).min() ?? .module
    let isEntityChanges = ProtocolNames.names(in: node.inheritanceClause).contains("EntityChanges")
    if isEntityChanges {
      try checkChanges(kind, at: node.name)
      try checkFields(of: node.memberBlock, scope: names)
    }
    return Declaration(
      codeName: codeName, recordedName: recorded, formerNames: comment?.former ?? [],
      genericParameters: parameters, accessLevel: accessLevel, kind: kind,
      isEntityChanges: isEntityChanges)
  }

  /// Refuses an `EntityChanges` with a property that is not an optional `Change`.
  private func checkChanges(_ kind: Declaration.Kind, at node: TokenSyntax) throws {
    guard case .record(let fields, _) = kind else {
      throw diagnostic(node, "`\(node.text)` is an EntityChanges, so it has to be a struct")
    }
    for field in fields
    where !(field.type.hasPrefix("Change<") && field.type.hasSuffix(">?")) {
      throw diagnostic(
        node, "`\(field.codeName)` of an EntityChanges has to be of a type `Change<…>?`")
    }
  }

  /// Refuses a property of an `EntityChanges` that its entity does not have.
  private func checkFields(of block: MemberBlockSyntax, scope: [String]) throws {
    let alias = block.members.lazy.compactMap { $0.decl.as(TypeAliasDeclSyntax.self) }
      .first { $0.name.text == "Entity" }
    guard let type = alias?.initializer.value else { return }
    let entity = index.qualified(TypeNames.name(of: type), in: scope)
    guard let known = index.properties(of: entity) else { return }
    for variable in block.members.compactMap({ $0.decl.as(VariableDeclSyntax.self) }) {
      for name in TypeNames.properties(of: variable) where !known.contains(name) {
        let names = known.sorted().map { "`\($0)`" }.joined(separator: ", ")
        throw diagnostic(
          variable,
          "`\(entity)` has no property `\(name)`; the properties of an EntityChanges have the "
            + "names of its entity's: \(names)")
      }
    }
  }

  /// Returns an id, which has one stored property.
  private func identifier(
    _ node: some DeclGroupSyntax & NamedDeclSyntax, _ generics: GenericParameterClauseSyntax?
  ) throws -> Declaration {
    if let generics {
      throw diagnostic(generics, "the name of a generic id cannot be generated; write it by hand")
    }
    let declaresInit = node.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
    var declaration = try declaration(node, [], isState: false) { reader, _ in
      let fields = try reader.fields(of: node.memberBlock)
      guard node.is(StructDeclSyntax.self), fields.count == 1, fields[0].type == "Int64" else {
        throw self.diagnostic(
          node.name,
          "an id is a struct with one property of type Int64, or has its own `recordedName`")
      }
      return .identifier(number: declaresInit ? nil : fields[0])
    }
    declaration.isRecorded = false
    // Swift allows no other `init(value:)` than the memberwise one, which is internal.
    if case .identifier(let number?) = declaration.kind, number.codeName == "value" {
      if !declaration.modifier.isEmpty {
        throw diagnostic(
          node.name,
          "`init(value:)` is internal; rename the property, as in `var number: Int64`, so that "
            + "`value` and the initialiser are generated")
      }
      declaration.kind = .identifier(number: nil)
    }
    return declaration
  }

  /// Refuses a case whose record would have the same name as a type inside the enum.
  ///
  /// One schema may contain both.
  private func checkCaseNames(
    of kind: Declaration.Kind, _ recorded: String, _ codeName: String, at node: TokenSyntax
  ) throws {
    guard case .union(let cases, _) = kind else { return }
    for element in cases
    where index["\(codeName).\(element.recordedName)"] != nil {
      throw diagnostic(
        node,
        "the case `\(element.recordedName)` and the type of that name would both be recorded as "
          + "`\(recorded)_\(element.recordedName)`; add `// recorded: NAME` to the case")
    }
  }
}
