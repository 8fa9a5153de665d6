import SwiftParser
import SwiftSyntax

/// The targets in the text of a manifest.
///
/// The package manager prints the dependencies that the manifest's code has computed, the text has
/// those that each target lists.
struct ManifestCode {
  /// The names of the targets that each target lists, plugins left out.
  let dependencies: [String: [String]]

  init(_ manifest: String) {
    let reader = TargetReader(viewMode: .sourceAccurate)
    reader.walk(Parser.parse(source: manifest))
    dependencies = reader.dependencies
  }
}

/// Collects the calls that make a target.
private final class TargetReader: SyntaxVisitor {
  var dependencies: [String: [String]] = [:]

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let made = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
    guard made.hasSuffix("arget") || made == "systemLibrary" || made == "plugin",
      let first = node.arguments.first, first.label?.text == "name",
      let name = text(of: first.expression)
    else { return .visitChildren }
    // A product has targets.
    guard !node.arguments.contains(where: { $0.label?.text == "targets" }) else {
      return .skipChildren
    }
    let list = node.arguments.first { $0.label?.text == "dependencies" }
    let items = list?.expression.as(ArrayExprSyntax.self)?.elements ?? []
    dependencies[name] = items.compactMap { text(of: $0.expression) }
    return .skipChildren
  }

  private func text(of expression: ExprSyntax) -> String? {
    expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }
}
