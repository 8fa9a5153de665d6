import SwiftSyntax

/// Finds out whether an initial value means the same in an extension of its type in another file.
final class MovableCode: SyntaxVisitor {
  private let types: TypeReader
  /// The name of the property's type, which `.init` makes a value of.
  private let type: String
  private(set) var isMovable = true

  init(types: TypeReader, type: String) {
    self.types = types
    self.type = String(type.prefix { $0 != "<" }.split(separator: ".").last ?? "")
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.text == "init" ? type : node.baseName.text
    let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
    if types.privateNames.contains(name) || !isMember && !isVisible(name) { isMovable = false }
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if types.privateNames.contains(node.name.text) || !isVisible(node.name.text) {
      isMovable = false
    }
    return .visitChildren
  }

  // A closure declares names, and a macro such as `#line` depends on its place.
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { refuse() }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { refuse() }

  private func refuse() -> SyntaxVisitorContinueKind {
    isMovable = false
    return .skipChildren
  }

  /// Returns whether a name without a base is found by an extension of the type.
  ///
  /// An extension does not see the members of the types around its type.
  private func isVisible(_ name: String) -> Bool {
    if name == "Self" || types.genericParameters.contains(name) { return true }
    let isNested = types.scope.count > 1
    guard isNested else { return true }
    let found = types.index.qualified(name, in: types.scope)
    let isOwn = found == (types.scope + [name]).joined(separator: ".")
    return (isOwn || found == name) && name.first?.isUppercase == true
  }
}

/// Finds the names that are private in a file.
final class PrivateNames: SyntaxVisitor {
  private var names: Set<String> = []

  /// Returns the names of the private types, functions, variables and cases of a file.
  static func names(in tree: SourceFileSyntax) -> Set<String> {
    let finder = PrivateNames(viewMode: .sourceAccurate)
    finder.walk(tree)
    return finder.names
  }

  private func add(_ name: TokenSyntax, _ modifiers: DeclModifierListSyntax) {
    if AccessLevel(modifiers.filter { $0.detail == nil }) == .file { names.insert(name.text) }
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    add(node.name, node.modifiers)
    return .visitChildren
  }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    add(node.name, node.modifiers)
    return .visitChildren
  }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    add(node.name, node.modifiers)
    return .visitChildren
  }
  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    add(node.name, node.modifiers)
    return .visitChildren
  }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    add(node.name, node.modifiers)
    return .skipChildren
  }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard AccessLevel(node.modifiers) == .file else { return .skipChildren }
    var outer = node.parent
    while let next = outer, next.asProtocol((any DeclGroupSyntax).self) == nil {
      outer = next.parent
    }
    switch outer?.asProtocol((any DeclGroupSyntax).self) {
    case let type as any NamedDeclSyntax: names.insert(type.name.text)
    case let type as ExtensionDeclSyntax: names.insert(type.extendedType.trimmedDescription)
    default: break
    }
    return .skipChildren
  }
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings {
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
      add(pattern.identifier, node.modifiers)
    }
    return .skipChildren
  }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard AccessLevel(node.modifiers) == .file else { return .visitChildren }
    // Its members are private, unless they say otherwise.
    for member in node.memberBlock.members {
      switch member.decl.as(DeclSyntaxEnum.self) {
      case .functionDecl(let function): names.insert(function.name.text)
      case .variableDecl(let variable):
        for binding in variable.bindings { names.insert(binding.pattern.trimmedDescription) }
      default: break
      }
    }
    return .visitChildren
  }
}
