import SwiftSyntax

/// The facts about a type of the target that the generator needs.
struct DeclaredType {
  /// Whether it is an enum whose cases are all known, a typealias, or anything else.
  enum Form: Equatable {
    /// The cases in order, each with whether it has payloads.
    case enumeration([EnumCase])
    case alias
    case other
  }

  struct EnumCase: Equatable {
    var name: String
    var hasPayloads: Bool
  }

  var form: Form
  var isGeneric: Bool
  /// The level of the declaration itself, not of the types that it lies in.
  var access: AccessLevel
  /// The names in its inheritance clause.
  var protocols: Set<String>
  /// Whether it brings its own `encode(into:)` or `encodeScalars(into:)`.
  var isWrittenByHand: Bool
  /// Whether it brings its own `recordedName`.
  var isNamedByHand = false
}

/// All types that a target declares, by their names with dots for nesting.
///
/// An extension of `Timer.Draft` does not see the types that `Timer` declares, so generated code
/// writes them with their scope.
struct TypeIndex {
  private let types: [String: DeclaredType]
  /// The types with an extension that has its own `encode(into:)`.
  private let extendedByHand: Set<String>
  /// The types with an extension that has its own `recordedName`.
  private let namedInExtension: Set<String>
  /// The names of the properties that structs and extensions declare, by the name of the type.
  private let properties: [String: Set<String>]

  init(_ files: [SourceFileSyntax]) {
    let collector = TypeCollector(viewMode: .sourceAccurate)
    for file in files { collector.walk(file) }
    types = collector.types
    extendedByHand = collector.extendedByHand
    namedInExtension = collector.namedInExtension
    properties = collector.properties
  }

  /// The type of a name, if the target declares it.
  subscript(name: String) -> DeclaredType? { types[name] }

  /// Whether a conformance of a type is written by hand in this target.
  func isWrittenByHand(_ name: String) -> Bool {
    types[name]?.isWrittenByHand == true || extendedByHand.contains(name)
  }

  /// Whether the recorded name of a type is written by hand in this target.
  func isNamedByHand(_ name: String) -> Bool {
    types[name]?.isNamedByHand == true || namedInExtension.contains(name)
  }

  /// Returns the names of the properties of a struct; `nil` if the target does not declare it.
  func properties(of name: String) -> Set<String>? {
    guard let type = types[name], type.form == .other, !type.isGeneric else { return nil }
    return properties[name]
  }

  /// Returns the name of a type as written at the top level of the target.
  ///
  /// - Parameters:
  ///   - first: The first component of the written name.
  ///   - scope: The names of the enclosing declarations, the outermost first.
  func qualified(_ first: String, in scope: [String]) -> String {
    for count in stride(from: scope.count, through: 1, by: -1) {
      let candidate = (scope.prefix(count) + [first]).joined(separator: ".")
      if types[candidate] != nil { return candidate }
    }
    return first
  }

  /// Returns the enclosing types of a name with dots, the outermost first, and then its own type.
  func path(to name: String) -> [(name: String, type: DeclaredType?)] {
    let parts = name.split(separator: ".")
    return parts.indices.map { index in
      let name = parts[...index].joined(separator: ".")
      return (name, types[name])
    }
  }
}

private final class TypeCollector: SyntaxVisitor {
  var types: [String: DeclaredType] = [:]
  var extendedByHand: Set<String> = []
  var namedInExtension: Set<String> = []
  var properties: [String: Set<String>] = [:]
  /// The enclosing declarations, with the level that an extension gives its members.
  private var scope: [(name: String, memberAccess: AccessLevel?)] = []

  private func enter(
    _ node: some DeclGroupSyntax & NamedDeclSyntax, isGeneric: Bool, _ form: DeclaredType.Form
  ) -> SyntaxVisitorContinueKind {
    add(
      node.name.text,
      DeclaredType(
        form: form, isGeneric: isGeneric,
        access: AccessLevel(node.modifiers) ?? scope.last?.memberAccess ?? .module,
        protocols: ProtocolNames.names(in: node.inheritanceClause),
        isWrittenByHand: ProtocolNames.isWrittenByHand(node.memberBlock),
        isNamedByHand: ProtocolNames.declares("recordedName", in: node.memberBlock)))
    scope.append((node.name.text, nil))
    addProperties(of: node.memberBlock)
    return .visitChildren
  }

  /// Notes the properties that a block of the innermost type declares.
  private func addProperties(of block: MemberBlockSyntax) {
    let names = block.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .flatMap(TypeNames.properties)
    properties[scope.map(\.name).joined(separator: "."), default: []].formUnion(names)
  }

  private func add(_ name: String, _ type: DeclaredType) {
    let name = (scope.map(\.name) + [name]).joined(separator: ".")
    var type = type
    if let other = types[name] {
      // The type is declared under several conditions, so keep only what holds for all of them.
      if other.form != type.form { type.form = .other }
      type.isGeneric = type.isGeneric || other.isGeneric
      type.access = min(type.access, other.access)
      type.protocols.formIntersection(other.protocols)
      type.isWrittenByHand = type.isWrittenByHand && other.isWrittenByHand
      type.isNamedByHand = type.isNamedByHand && other.isNamedByHand
    }
    types[name] = type
  }

  private func cases(of node: EnumDeclSyntax) -> DeclaredType.Form {
    var cases: [DeclaredType.EnumCase] = []
    for member in node.memberBlock.members {
      if member.decl.is(IfConfigDeclSyntax.self) || member.decl.is(MacroExpansionDeclSyntax.self) {
        return .other
      }
      for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
        cases.append(.init(name: element.name.text, hasPayloads: element.parameterClause != nil))
      }
    }
    return .enumeration(cases)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, isGeneric: node.genericParameterClause != nil, .other)
  }
  override func visitPost(_ node: StructDeclSyntax) { scope.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, isGeneric: node.genericParameterClause != nil, cases(of: node))
  }
  override func visitPost(_ node: EnumDeclSyntax) { scope.removeLast() }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, isGeneric: node.genericParameterClause != nil, .other)
  }
  override func visitPost(_ node: ClassDeclSyntax) { scope.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, isGeneric: node.genericParameterClause != nil, .other)
  }
  override func visitPost(_ node: ActorDeclSyntax) { scope.removeLast() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let name = TypeNames.name(of: node.extendedType)
    if ProtocolNames.isWrittenByHand(node.memberBlock) { extendedByHand.insert(name) }
    if ProtocolNames.declares("recordedName", in: node.memberBlock) {
      namedInExtension.insert(name)
    }
    scope.append((name, AccessLevel(node.modifiers)))
    addProperties(of: node.memberBlock)
    return .visitChildren
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { scope.removeLast() }
  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    add(
      node.name.text,
      DeclaredType(
        form: .alias, isGeneric: node.genericParameterClause != nil,
        access: AccessLevel(node.modifiers) ?? scope.last?.memberAccess ?? .module, protocols: [],
        isWrittenByHand: false))
    return .skipChildren
  }
  // A local type has no name outside its code.
  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

/// The names of types without comments, spaces and generic arguments.
enum TypeNames {
  /// Returns the names that a declaration of variables gives to properties; none for static ones.
  static func properties(of variable: VariableDeclSyntax) -> [String] {
    if variable.modifiers.contains(where: { $0.name.text == "static" }) { return [] }
    return variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self) }
      .map { $0.identifier.text }
  }

  static func name(of type: TypeSyntax) -> String {
    if let type = type.as(IdentifierTypeSyntax.self) { return type.name.text }
    if let type = type.as(MemberTypeSyntax.self) {
      return name(of: type.baseType) + "." + type.name.text
    }
    return type.trimmedDescription
  }
}
