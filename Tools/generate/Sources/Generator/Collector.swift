import SwiftSyntax

/// Finds the declarations of one file that say they are recorded.
final class Collector: SyntaxVisitor {
  private let path: String
  private let index: TypeIndex
  private let converter: SourceLocationConverter
  private var scope: [(name: String, isGeneric: Bool, isPublic: Bool)] = []
  private var functionDepth = 0
  private var conditionDepth = 0
  var declarations: [Declaration] = []
  var refusals: [Refusal] = []

  /// The protocols whose conformances are generated.
  static let recordableProtocols: Set<String> = ["Recordable", "TableEntity", "NavigationRoute"]

  init(path: String, tree: SourceFileSyntax, index: TypeIndex) {
    self.path = path
    self.index = index
    converter = SourceLocationConverter(fileName: path, tree: tree)
    super.init(viewMode: .sourceAccurate)
    walk(tree)
  }

  private func refusal(_ node: any SyntaxProtocol, _ message: String) -> Refusal {
    let start = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    return Refusal(path: path, line: start.line, message: message)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    collect(node, node.genericParameterClause) { reader, isState in
      let fields = try reader.fields(of: node.memberBlock, inState: isState)
      if isState { return .state(fields) }
      let declaresInit = node.memberBlock.members.contains {
        $0.decl.is(InitializerDeclSyntax.self)
      }
      return .record(fields, isMemberwise: !declaresInit)
    }
    push(node.name.text, isGeneric: node.genericParameterClause != nil, node.modifiers)
    return .visitChildren
  }
  override func visitPost(_ node: StructDeclSyntax) { scope.removeLast() }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    collect(node, node.genericParameterClause) { reader, isState in
      if isState { throw self.refusal(node.name, "an enum cannot be a RecordedState") }
      return try reader.cases(of: node)
    }
    push(node.name.text, isGeneric: node.genericParameterClause != nil, node.modifiers)
    return .visitChildren
  }
  override func visitPost(_ node: EnumDeclSyntax) { scope.removeLast() }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    refuseReference(node.name, node.inheritanceClause)
    push(node.name.text, isGeneric: node.genericParameterClause != nil, node.modifiers)
    return .visitChildren
  }
  override func visitPost(_ node: ClassDeclSyntax) { scope.removeLast() }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    refuseReference(node.name, node.inheritanceClause)
    push(node.name.text, isGeneric: node.genericParameterClause != nil, node.modifiers)
    return .visitChildren
  }
  override func visitPost(_ node: ActorDeclSyntax) { scope.removeLast() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    push(node.extendedType.trimmedDescription, isGeneric: false, node.modifiers)
    return .visitChildren
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { scope.removeLast() }

  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind {
    functionDepth += 1
    return .visitChildren
  }
  override func visitPost(_ node: CodeBlockSyntax) { functionDepth -= 1 }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    functionDepth += 1
    return .visitChildren
  }
  override func visitPost(_ node: ClosureExprSyntax) { functionDepth -= 1 }
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    conditionDepth += 1
    return .visitChildren
  }
  override func visitPost(_ node: IfConfigDeclSyntax) { conditionDepth -= 1 }

  private func push(_ name: String, isGeneric: Bool, _ modifiers: DeclModifierListSyntax) {
    let isPublic = modifiers.contains { $0.name.text == "public" }
    scope.append((name, isGeneric, isPublic))
  }

  private func refuseReference(_ name: TokenSyntax, _ clause: InheritanceClauseSyntax?) {
    let protocols = ProtocolNames.names(in: clause)
    if protocols.contains("RecordedState") || !protocols.isDisjoint(with: Self.recordableProtocols)
    {
      refusals.append(refusal(name, "`\(name.text)` is a reference; record a struct or an enum"))
    }
  }

  private func collect(
    _ node: some DeclGroupSyntax & NamedDeclSyntax, _ generics: GenericParameterClauseSyntax?,
    _ read: (MemberReader, Bool) throws -> Declaration.Kind
  ) {
    let protocols = ProtocolNames.names(in: node.inheritanceClause)
    let isState = protocols.contains("RecordedState")
    let isRecordable = !protocols.isDisjoint(with: Self.recordableProtocols)
    guard isState || isRecordable else { return }
    if ProtocolNames.isWrittenByHand(node.memberBlock) { return }
    do {
      if isState && isRecordable {
        throw refusal(node.name, "`\(node.name.text)` is Recordable or a RecordedState, not both")
      }
      declarations.append(try declaration(node, generics, isState: isState, read))
    } catch let error as Refusal {
      refusals.append(error)
    } catch {
      refusals.append(refusal(node, "\(error)"))
    }
  }

  private func declaration(
    _ node: some DeclGroupSyntax & NamedDeclSyntax, _ generics: GenericParameterClauseSyntax?,
    isState: Bool, _ read: (MemberReader, Bool) throws -> Declaration.Kind
  ) throws -> Declaration {
    let name = node.name.text
    if functionDepth > 0 { throw refusal(node.name, "`\(name)` is local to a function") }
    if conditionDepth > 0 { throw refusal(node.name, "`\(name)` is compiled conditionally") }
    if let outer = scope.first(where: \.isGeneric) {
      throw refusal(node.name, "`\(name)` lies in `\(outer.name)`, which is generic")
    }
    for modifier in node.modifiers where ["private", "fileprivate"].contains(modifier.name.text) {
      throw refusal(modifier, "`\(name)` is \(modifier.name.text); generated code cannot see it")
    }
    let isPublic =
      node.modifiers.contains { $0.name.text == "public" }
      || (scope.last?.isPublic == true && isInExtension(node))
    let isPackage = node.modifiers.contains { $0.name.text == "package" }
    let names = scope.map(\.name) + [name]
    let parameters = generics?.parameters.map(\.name.text) ?? []
    let comment = RecordedComment(in: node.memberBlock.leftBrace.trailingTrivia)
    let recorded =
      comment?.name ?? names.joined(separator: "_").split(separator: ".").joined(separator: "_")
    guard RecordedComment.isName(recorded) else {
      throw refusal(node.name, "`\(recorded)` is not a name in Avro; add `// recorded: NAME`")
    }
    for former in comment?.former ?? [] where !RecordedComment.isName(former) {
      throw refusal(node.name, "`\(former)` is not a name in Avro")
    }
    let types = TypeReader(
      index: index, scope: names, genericParameters: parameters,
      refuse: { self.refusal($0, $1) })
    let kind = try read(MemberReader(types: types, refuse: { self.refusal($0, $1) }), isState)
    return Declaration(
      codeName: names.joined(separator: "."), recordedName: recorded,
      formerNames: comment?.former ?? [],
      genericParameters: parameters, access: isPublic ? "public " : isPackage ? "package " : "",
      kind: kind)
  }

  private func isInExtension(_ node: some SyntaxProtocol) -> Bool {
    var parent = node.parent
    while let current = parent {
      if current.is(ExtensionDeclSyntax.self) { return true }
      if current.isProtocol((any DeclGroupSyntax).self) { return false }
      parent = current.parent
    }
    return false
  }
}

/// Reads inheritance clauses.
enum ProtocolNames {
  /// The names a clause inherits from; of a composition each part, of a member type the last part.
  static func names(in clause: InheritanceClauseSyntax?) -> Set<String> {
    var names: Set<String> = []
    func add(_ type: TypeSyntax) {
      if let type = type.as(IdentifierTypeSyntax.self) { names.insert(type.name.text) }
      if let type = type.as(MemberTypeSyntax.self) { names.insert(type.name.text) }
      if let type = type.as(AttributedTypeSyntax.self) { add(type.baseType) }
      if let type = type.as(CompositionTypeSyntax.self) { type.elements.forEach { add($0.type) } }
    }
    clause?.inheritedTypes.forEach { add($0.type) }
    return names
  }

  /// Whether a declaration has its own `encode(into:)` or `encodeScalars(into:)`.
  static func isWrittenByHand(_ block: MemberBlockSyntax) -> Bool {
    block.members.contains { member in
      guard let function = member.decl.as(FunctionDeclSyntax.self) else { return false }
      return ["encode", "encodeScalars"].contains(function.name.text)
        && function.signature.parameterClause.parameters.first?.firstName.text == "into"
    }
  }
}
