package import SwiftSyntax

/// A declaration of a file outside of code: of a type, a function, a variable or an initializer.
package struct NamedDeclaration {
  /// The name; `init` of an initializer.
  package let name: String
  /// The declaration.
  package let node: DeclSyntax
  /// The level that its modifiers name.
  private let level: AccessLevel?

  fileprivate init(_ name: String, _ node: some DeclSyntaxProtocol & WithModifiersSyntax) {
    self.name = name
    self.node = DeclSyntax(node)
    level = AccessLevel(node.modifiers)
  }

  /// Returns the declarations of a file.
  package static func all(in tree: SourceFileSyntax) -> [NamedDeclaration] {
    let reader = NamedDeclarationReader(viewMode: .sourceAccurate)
    reader.walk(tree)
    return reader.found
  }

  /// The type or the extension that it is a member of, also of one under a condition.
  package var outer: DeclSyntax? {
    var next = node.parent
    while let node = next, node.asProtocol((any DeclGroupSyntax).self) == nil { next = node.parent }
    return next?.as(DeclSyntax.self)
  }

  /// Whether it is at the top level of the file, under no condition.
  package var isTopLevel: Bool {
    node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
  }

  /// Whether it declares an initializer.
  package var isInitializer: Bool { node.is(InitializerDeclSyntax.self) }

  /// Whether it declares a type.
  package var isType: Bool {
    !isInitializer && !node.is(FunctionDeclSyntax.self) && !node.is(VariableDeclSyntax.self)
  }

  /// Whether its modifiers say that other modules can name it.
  package var isDeclaredVisible: Bool { level ?? .module >= .package }

  /// Whether only its file can name it, as it says itself or, if it has a name, its extension says.
  var isPrivate: Bool {
    if isInitializer || level != nil { return level == .file }
    return outer?.as(ExtensionDeclSyntax.self).map { AccessLevel($0.modifiers) == .file } ?? false
  }
}

/// Collects the declarations of a file.
private final class NamedDeclarationReader: SyntaxVisitor {
  var found: [NamedDeclaration] = []

  private func add(
    _ node: some DeclSyntaxProtocol & NamedDeclSyntax & WithModifiersSyntax
  ) -> SyntaxVisitorContinueKind {
    found.append(NamedDeclaration(node.name.text, node))
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    found.append(NamedDeclaration("init", node))
    return .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings {
      found.append(NamedDeclaration(binding.pattern.trimmedDescription, node))
    }
    return .skipChildren
  }

  // A declaration in code has no name outside of it.
  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
