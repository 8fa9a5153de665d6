import SwiftParser
import SwiftSyntax

/// Rules on tests that would depend on the hour or on the day at which they run.
///
/// A test that gives `track` a time of the day on the real clock fails as long as that time is in
/// the future, and one that gives it a day such as yesterday may fail at midnight. So such a test
/// gives `--now`, or a date.
struct ClockRules {
  /// The texts of a file that are no times, each file with the reason.
  static let otherTexts: [String: (texts: Set<String>, reason: String)] = [
    "Tests/TrackerCommandLineTests/Importing/ImportFileTests.swift": (
      ["1:30", "0:05"], "durations in an imported file"
    ),
    "Tests/TrackerCommandLineTests/Importing/ImportProgramTests.swift": (
      ["today", "02:30", "8:00"],
      "an end in a file that has to be wrong, one that is expected, and lines of a file"
    ),
  ]

  let tree: SourceTree

  init(_ tree: SourceTree) { self.tree = tree }

  /// Each command of `track` with a time of the day, or with a day that the present decides, has a
  /// fixed clock.
  func timesOfDay() -> [Finding] {
    tree.files.sorted { $0.key < $1.key }.flatMap { path, text -> [Finding] in
      let isTest = path.hasPrefix("Tests/") || path.hasPrefix("Benchmarks/")
      let isScript = path.hasSuffix(".py") || !(path.split(separator: "/").last ?? "").contains(".")
      let found: [(line: Int, text: String)]
      if isScript, isTest || path.hasPrefix("Tools/"), text.contains("track ") {
        found = Self.times(inScript: text)
      } else if isTest, path.hasSuffix(".swift"), text.contains("import ToolTestSupport") {
        found = ClockReader(text).times()
      } else {
        return []
      }
      return found.filter { Self.otherTexts[path]?.texts.contains($0.text) != true }
        .map { line, text in
          Finding(
            path: path, line: line,
            problem: "gives track `\(text)` on the real clock; add --now, or a date")
        }
    }
  }

  /// Returns the times that a script gives to `track`, unless it fixes the clock somewhere.
  private static func times(inScript text: String) -> [(line: Int, text: String)] {
    guard !text.contains("--now") else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .compactMap { index, line in
        guard line.contains("track "), let time = TimeText.first(in: String(line)) else {
          return nil
        }
        return (index + 1, time)
      }
  }
}

/// Texts that are times of the day, or days that the present decides.
private enum TimeText {
  private static let days: Set<String> = [
    "today", "yesterday", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", ":yesterday",
  ]

  /// Returns the first time in a text; `nil` for a text without a time or with a date.
  static func first(in text: String) -> String? {
    if days.contains(text) { return text }
    guard text.utf8.contains(UInt8(ascii: ":")), !hasDate(text) else { return nil }
    let words = text.split { $0.isWhitespace || $0 == "\"" || $0 == "'" }
    return words.first(where: isTimeOfDay).map(String.init)
  }

  /// Returns whether a text has a date, such as 2026-03-02.
  static func hasDate(_ text: String) -> Bool {
    let numbers = text.utf8.split(omittingEmptySubsequences: false) { byte in
      !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    // Three numbers with one byte between them that is no colon, or the form of timewarrior.
    return numbers.indices.contains { index in
      if numbers[index].count >= 8 { return true }
      guard index + 2 < numbers.count else { return false }
      let three = numbers[index...(index + 2)]
      let marks = [numbers[index].endIndex, numbers[index + 1].endIndex]
      return three.allSatisfy { !$0.isEmpty && $0.count <= 4 }
        && marks.allSatisfy { "-/.".utf8.contains(text.utf8[$0]) }
    }
  }

  /// Returns whether a word is a time such as 9:00.
  private static func isTimeOfDay(_ word: Substring) -> Bool {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 && (1...2).contains(parts[0].count) && parts[1].count == 2
      && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isNumber } }
  }
}

/// Finds the commands in a Swift file that depend on the hour.
private final class ClockReader {
  private let root: SourceFileSyntax
  private let locations: SourceLocationConverter
  private let collector: DeclarationCollector
  /// Whether code runs `track`, and whether it fixes the clock, itself or by what it uses.
  private var known: [Question: [SyntaxIdentifier: Bool]] = [:]

  private enum Question { case runsTrack, fixesClock }

  init(_ text: String) {
    root = Parser.parse(source: text)
    locations = SourceLocationConverter(fileName: "", tree: root)
    collector = DeclarationCollector(viewMode: .sourceAccurate)
    collector.walk(root)
  }

  /// Returns the times that commands have on the real clock, one a line.
  func times() -> [(line: Int, text: String)] {
    var found: [(line: Int, text: String)] = []
    for literal in collector.literals where !literal.isExpected {
      guard let time = TimeText.first(in: literal.plainText), !literal.followsDate,
        isOnRealClock(Syntax(literal))
      else { continue }
      let line = locations.location(for: literal.positionAfterSkippingLeadingTrivia).line
      if found.last?.line != line { found.append((line, time)) }
    }
    return found
  }

  /// Returns whether the statement with a literal runs `track` on the real clock; if it is the
  /// declaration of a variable, whether the code that uses the variable does.
  private func isOnRealClock(_ literal: Syntax) -> Bool {
    var uses = [literal.statement]
    var visited: Set<SyntaxIdentifier> = [uses[0].id]
    for index in 0... {
      guard index < uses.count else { break }
      guard let names = uses[index].declaredVariables, let list = uses[index].parent else {
        continue
      }
      uses += list.children(viewMode: .sourceAccurate).filter { other in
        let usesVariable = other.tokens(viewMode: .sourceAccurate).contains {
          names.contains($0.text)
        }
        return usesVariable && visited.insert(other.id).inserted
      }
    }
    return uses.contains { answer(.runsTrack, on: $0) }
      && !uses.contains { answer(.fixesClock, on: $0) }
  }

  /// Returns whether a token of code, or of what it names, is the answer to a question.
  private func answer(_ question: Question, on node: Syntax) -> Bool {
    if let answer = known[question]?[node.id] { return answer }
    // Code that uses itself adds nothing.
    known[question, default: [:]][node.id] = false
    let tokens = node.tokens(viewMode: .sourceAccurate)
    let answer =
      tokens.contains { self.answer(question, token: $0) }
      || tokens.contains { token in
        guard case .identifier(let name) = token.tokenKind else { return false }
        return declarations(of: name, at: token).contains { self.answer(question, on: $0) }
      }
    known[question]?[node.id] = answer
    return answer
  }

  private func answer(_ question: Question, token: TokenSyntax) -> Bool {
    switch (question, token.tokenKind) {
    case (.runsTrack, .stringSegment(let text)): return text == "track" || text.hasPrefix("track ")
    // The command of a desk that has no clock.
    case (.runsTrack, .identifier("timeless")): return true
    case (.fixesClock, .stringSegment(let text)): return text.contains("--now")
    // The other commands of a desk have one.
    case (.fixesClock, .identifier("desk")), (.fixesClock, .identifier("Desk")):
      let point = token.nextToken(viewMode: .sourceAccurate)
      guard point?.tokenKind == .period else { return false }
      return point?.nextToken(viewMode: .sourceAccurate).map {
        !["timeless", "store"].contains($0.text)
      } == true
    default: return false
    }
  }

  /// Returns what declares a name where it is used: a variable, a loop, or the function that calls
  /// a closure with it; otherwise the members of that name in the file.
  private func declarations(of name: String, at use: TokenSyntax) -> [Syntax] {
    guard let user = use.parent, !user.is(LabeledExprSyntax.self) else { return [] }
    let isMember = user.parent?.as(MemberAccessExprSyntax.self)?.declName.id == user.id
    var node = user
    while !isMember, let parent = node.parent {
      if let list = parent.as(CodeBlockItemListSyntax.self),
        let found = list.lazy.compactMap({ $0.item.declaration(of: name) }).first
      {
        return [found]
      }
      if let loop = parent.as(ForStmtSyntax.self), loop.body.id == node.id,
        loop.pattern.names.contains(name)
      {
        return [Syntax(loop.sequence)]
      }
      if let closure = parent.as(ClosureExprSyntax.self), closure.parameters.contains(name) {
        let call = closure.parent?.as(FunctionCallExprSyntax.self)
        return call.map { [Syntax($0.calledExpression), Syntax($0.arguments)] } ?? []
      }
      if let function = parent.as(FunctionDeclSyntax.self), function.parameters.contains(name) {
        return []
      }
      node = parent
    }
    return collector.members[name] ?? []
  }
}

/// Collects the functions and the properties of the types of a file, and the literals of strings.
private final class DeclarationCollector: SyntaxVisitor {
  var members: [String: [Syntax]] = [:]
  var literals: [StringLiteralExprSyntax] = []

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if !node.isLocal { members[node.name.text, default: []].append(Syntax(node)) }
    return .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard !node.isLocal else { return .visitChildren }
    for binding in node.bindings {
      for name in binding.pattern.names { members[name, default: []].append(Syntax(binding)) }
    }
    return .visitChildren
  }

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    literals.append(node)
    return .visitChildren
  }
}

extension Syntax {
  /// The statement or the member that holds a part of it.
  fileprivate var statement: Syntax {
    var node = self
    while let parent = node.parent, !node.is(CodeBlockItemSyntax.self),
      !node.is(MemberBlockItemSyntax.self)
    { node = parent }
    return node
  }

  /// The names of the variables that a statement or a member declares; `nil` for others.
  fileprivate var declaredVariables: [String]? {
    let variable =
      self.as(CodeBlockItemSyntax.self)?.item.as(VariableDeclSyntax.self)
      ?? self.as(MemberBlockItemSyntax.self)?.decl.as(VariableDeclSyntax.self)
    return variable?.bindings.flatMap(\.pattern.names)
  }
}

extension DeclSyntaxProtocol {
  /// Whether the declaration is in the body of a function.
  fileprivate var isLocal: Bool { parent?.parent?.is(CodeBlockItemListSyntax.self) == true }
}

extension StringLiteralExprSyntax {
  /// The text, with a digit in place of each interpolation.
  fileprivate var plainText: String {
    segments.map { $0.as(StringSegmentSyntax.self)?.content.text ?? "0" }.joined()
  }

  /// Whether the literal is what a test expects or looks for, and not what it gives.
  fileprivate var isExpected: Bool {
    let searches: Set<String> = [
      "contains", "firstMatch", "hasPrefix", "hasSuffix", "replacing", "starts",
    ]
    var node = Syntax(self)
    while let parent = node.parent, !parent.is(CodeBlockItemListSyntax.self) {
      if parent.as(LabeledExprSyntax.self)?.label?.text == "mentions" { return true }
      if let call = parent.as(FunctionCallExprSyntax.self), node.is(LabeledExprListSyntax.self),
        let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        searches.contains(member.declName.baseName.text)
      {
        return true
      }
      if parent.is(ExprListSyntax.self) {
        for operand in parent.children(viewMode: .sourceAccurate) {
          if operand.id == node.id { break }
          if operand.trimmedDescription == "==" { return true }
        }
      }
      node = parent
    }
    return false
  }

  /// Whether a literal before this one in its list is a date, or says that this is the first day of
  /// weeks.
  fileprivate var followsDate: Bool {
    var node = Syntax(self)
    while let parent = node.parent, !parent.is(CodeBlockItemListSyntax.self) {
      if parent.is(ArrayElementListSyntax.self) || parent.is(LabeledExprListSyntax.self) {
        for sibling in parent.children(viewMode: .sourceAccurate) {
          if sibling.id == node.id { break }
          let text = sibling.trimmedDescription
          if TimeText.hasDate(text) || text.contains("\"--week-start\"") { return true }
        }
      }
      node = parent
    }
    return false
  }
}

extension CodeBlockItemSyntax.Item {
  /// Returns the function or the value of the variable that the statement declares by a name.
  fileprivate func declaration(of name: String) -> Syntax? {
    if let function = self.as(FunctionDeclSyntax.self) {
      return function.name.text == name ? Syntax(function) : nil
    }
    let binding = self.as(VariableDeclSyntax.self)?.bindings.first {
      $0.pattern.names.contains(name)
    }
    return binding.map { Syntax($0) }
  }
}

extension PatternSyntax {
  /// The names that the pattern binds.
  fileprivate var names: [String] {
    tokens(viewMode: .sourceAccurate).compactMap { token in
      if case .identifier(let name) = token.tokenKind { name } else { nil }
    }
  }
}

extension FunctionDeclSyntax {
  /// The names of the parameters in the body.
  fileprivate var parameters: [String] {
    signature.parameterClause.parameters.map { ($0.secondName ?? $0.firstName).text }
  }
}

extension ClosureExprSyntax {
  /// The names of the parameters.
  fileprivate var parameters: [String] {
    let clause = signature?.parameterClause
    if let list = clause?.as(ClosureShorthandParameterListSyntax.self) {
      return list.map(\.name.text)
    }
    let parameters = clause?.as(ClosureParameterClauseSyntax.self)?.parameters
    return parameters.map { $0.map { ($0.secondName ?? $0.firstName).text } } ?? []
  }
}
