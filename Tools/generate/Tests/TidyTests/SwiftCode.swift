import Dispatch
import Generator
import SwiftParser
import SwiftSyntax
import Synchronization

/// The parts of a Swift source that the rules check.
///
/// Comments and the text of string literals are left out; code in interpolations is not.
struct SwiftCode: Sendable {
  /// The texts of the tokens, without backquotes, and their offsets in the source.
  let tokens: [(text: String, offset: Int)]
  /// The imported modules, with their lines, and whether they are exported.
  let imports: [(module: String, line: Int, isExported: Bool)]
  /// The types, and the functions and variables outside of types, that other modules can name.
  let declarations: Set<String>
  /// The types at the top level of the file, private ones among them.
  let types: Set<String>
  /// The members that extensions add and other modules can name, by the extended type.
  let extensions: [(type: String, member: String)]
  /// The functions and initializers that have a body, with their lines from the keyword to the
  /// closing brace.
  let functions: [(name: String, line: Int, length: Int)]
  /// Each `try!` and `as!`, with its line.
  let forcedExpressions: [(expression: String, line: Int)]

  private let locations: SourceLocationConverter

  private static let parsed = Mutex<[String: SwiftCode]>([:])

  /// Returns the code of a source, which is parsed unless it has been parsed before.
  static func of(_ source: String) -> SwiftCode {
    if let code = parsed.withLock({ $0[source] }) { return code }
    let code = SwiftCode(source)
    parsed.withLock { $0[source] = code }
    return code
  }

  /// Parses sources on all cores, and keeps the results for ``of(_:)``.
  static func parse(_ sources: [String]) {
    DispatchQueue.concurrentPerform(iterations: sources.count) { _ = of(sources[$0]) }
  }

  init(_ source: String) {
    let tree = Parser.parse(source: source)
    locations = SourceLocationConverter(fileName: "", tree: tree)
    let reader = CodeReader(locations)
    reader.walk(tree)
    tokens = reader.tokens
    imports = reader.imports
    let named = NamedDeclaration.all(in: tree)
    let visible = named.filter { $0.isDeclaredVisible }
    declarations = Set(visible.filter { $0.isType || $0.outer == nil }.map(\.name))
    types = Set(named.filter { $0.isType && $0.isTopLevel }.map(\.name))
    extensions = visible.filter { !$0.isType && !$0.isInitializer }.compactMap { member in
      let type = member.outer?.as(ExtensionDeclSyntax.self)?.extendedType
      return type.map { ($0.trimmedDescription, member.name) }
    }
    functions = reader.functions
    forcedExpressions = reader.forcedExpressions
  }

  /// Returns the lines on which a sequence of tokens begins, from 1.
  func lines(with texts: String...) -> [Int] { lines(with: texts) }

  /// Returns the lines on which a sequence of tokens begins, from 1.
  func lines(with texts: [String]) -> [Int] {
    var lines: [Int] = []
    for (index, token) in tokens.enumerated() where token.text == texts.first {
      guard tokens[index...].prefix(texts.count).map(\.text) == texts else { continue }
      let line = locations.location(for: AbsolutePosition(utf8Offset: token.offset)).line
      if line != lines.last { lines.append(line) }
    }
    return lines
  }
}

/// Collects the parts that the rules check from a syntax tree.
private final class CodeReader: SyntaxVisitor {
  var tokens: [(text: String, offset: Int)] = []
  var imports: [(module: String, line: Int, isExported: Bool)] = []
  var functions: [(name: String, line: Int, length: Int)] = []
  var forcedExpressions: [(expression: String, line: Int)] = []

  private let locations: SourceLocationConverter

  init(_ locations: SourceLocationConverter) {
    self.locations = locations
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: StringSegmentSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: RegexLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    var text = token.text
    if text.utf8.first == UInt8(ascii: "`") { text = String(text.dropFirst().dropLast()) }
    tokens.append((text, token.positionAfterSkippingLeadingTrivia.utf8Offset))
    return .skipChildren
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if let module = node.path.first {
      let isExported = node.attributes.trimmedDescription.contains("@_exported")
      imports.append((module.name.text, line(of: node.importKeyword), isExported))
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    addFunction(node.name.text, from: node.funcKeyword, body: node.body)
    return .visitChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    addFunction("init", from: node.initKeyword, body: node.body)
    return .visitChildren
  }

  override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
    addForced(node.tryKeyword, node.questionOrExclamationMark)
    return .visitChildren
  }

  override func visit(_ node: UnresolvedAsExprSyntax) -> SyntaxVisitorContinueKind {
    addForced(node.asKeyword, node.questionOrExclamationMark)
    return .visitChildren
  }

  private func addFunction(_ name: String, from keyword: TokenSyntax, body: CodeBlockSyntax?) {
    guard let body else { return }
    let first = line(of: keyword)
    functions.append((name, first, line(of: body.rightBrace) - first + 1))
  }

  private func addForced(_ keyword: TokenSyntax, _ mark: TokenSyntax?) {
    if mark?.tokenKind == .exclamationMark {
      forcedExpressions.append((keyword.text + "!", line(of: keyword)))
    }
  }

  private func line(of token: TokenSyntax) -> Int {
    locations.location(for: token.positionAfterSkippingLeadingTrivia).line
  }
}
