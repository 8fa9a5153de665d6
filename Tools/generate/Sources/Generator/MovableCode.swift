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

/// The names that are private in a file.
enum PrivateNames {
  /// Returns the names of the private types, functions and variables of a file, and of the types
  /// with a private initializer.
  static func names(in tree: SourceFileSyntax) -> Set<String> {
    let names = NamedDeclaration.all(in: tree).filter(\.isPrivate).compactMap { declaration in
      guard declaration.isInitializer else { return declaration.name }
      if let outer = declaration.outer?.as(ExtensionDeclSyntax.self) {
        return outer.extendedType.trimmedDescription
      }
      return declaration.outer?.asProtocol((any NamedDeclSyntax).self)?.name.text
    }
    return Set(names)
  }
}
