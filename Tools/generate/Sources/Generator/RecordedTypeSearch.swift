import SwiftSyntax

/// Finds out whether one file has declarations to generate code for, or to refuse.
///
/// Most targets record nothing, so most files need not be parsed. Parsing all of them would take
/// most of the time.
final class RecordedTypeSearch: SyntaxVisitor {
  private var isFound = false

  /// Whether a file has to be parsed: its text may name a protocol with generated code or contain a
  /// comment that looks like `recorded:`.
  static func isNeeded(for text: String) -> Bool {
    ProtocolNames.generated.contains { text.contains($0) }
      || RecordedComments.mayOccur(in: text)
  }

  /// Whether a file declares a conformance that is generated and not written by hand there, or has
  /// a comment that looks like `recorded:`.
  static func finds(in tree: SourceFileSyntax) -> Bool {
    let search = RecordedTypeSearch(viewMode: .sourceAccurate)
    search.walk(tree)
    return search.isFound || !RecordedComments().unusedComments(in: tree, outside: []).isEmpty
  }

  private func look(at node: some DeclGroupSyntax) -> SyntaxVisitorContinueKind {
    if ProtocolNames.needsCode(node.inheritanceClause, node.memberBlock) { isFound = true }
    return isFound ? .skipChildren : .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { look(at: node) }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { look(at: node) }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { look(at: node) }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { look(at: node) }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { look(at: node) }
}
