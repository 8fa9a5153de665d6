import SwiftSyntax

/// The names of all types that a target declares, with dots for nesting.
///
/// An extension of `Timer.Draft` does not see the types that `Timer` declares, so generated code
/// writes them with their scope.
struct TypeIndex {
  private var names: Set<String> = []

  init(_ files: [SourceFileSyntax]) {
    let collector = NameCollector(viewMode: .sourceAccurate)
    for file in files { collector.walk(file) }
    names = collector.names
  }

  /// The name of a type as it is to be written at the top level of the target.
  ///
  /// - Parameters:
  ///   - first: The first component of the written name.
  ///   - scope: The names of the enclosing declarations, the outermost first.
  func qualified(_ first: String, in scope: [String]) -> String {
    for count in stride(from: scope.count, through: 1, by: -1) {
      let candidate = (scope.prefix(count) + [first]).joined(separator: ".")
      if names.contains(candidate) { return candidate }
    }
    return first
  }
}

private final class NameCollector: SyntaxVisitor {
  var names: Set<String> = []
  private var scope: [String] = []

  private func enter(_ name: String) -> SyntaxVisitorContinueKind {
    scope.append(name)
    names.insert(scope.joined(separator: "."))
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visitPost(_ node: StructDeclSyntax) { scope.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: EnumDeclSyntax) { scope.removeLast() }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visitPost(_ node: ClassDeclSyntax) { scope.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visitPost(_ node: ActorDeclSyntax) { scope.removeLast() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    scope.append(node.extendedType.trimmedDescription)
    return .visitChildren
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { scope.removeLast() }
  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    names.insert((scope + [node.name.text]).joined(separator: "."))
    return .skipChildren
  }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
