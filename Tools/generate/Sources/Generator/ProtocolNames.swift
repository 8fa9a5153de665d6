import SwiftSyntax

/// Finds the protocols in inheritance clauses, and the parts of conformances written by hand.
enum ProtocolNames {
  /// The protocols whose conformances are generated.
  static let recordable: Set<String> = [
    "Recordable", "TableEntity", "NavigationRoute", "EffectLeaf", "StreamingLeaf", "EntityChanges",
    "UndoableEdit", "FrameSceneAction",
  ]

  static let recorded: Set<String> = recordable.union(["RecordedState"])

  /// The protocol of types whose parts get names.
  static let composed = "Composed"

  /// The protocol of ids, which need only a name; other members are in an extension of it.
  static let identifier = "EntityID"

  /// The protocol of lists of entities, from which types are written.
  static let entityList = "EntityList"

  /// The protocol of the modules of entities, for whose entities changes are written.
  static let entityModule = "EntityModule"

  /// The protocol of lists of screens, from which types are written.
  static let screenList = "ScreenList"

  /// The protocols of lists from which types are written.
  static let lists: Set<String> = [entityList, screenList]

  /// All protocols for which code is generated.
  static let generated: Set<String> = recorded.union(lists).union([
    composed, identifier, entityModule,
  ])

  /// Whether code is generated for a declaration that has a name in its inheritance clause.
  static func needsCode(_ clause: InheritanceClauseSyntax?, _ block: MemberBlockSyntax) -> Bool {
    let names = names(in: clause)
    if !names.isDisjoint(with: recorded) && !isWrittenByHand(block) { return true }
    return names.contains(composed) || !names.isDisjoint(with: lists)
      || (names.contains(identifier) && !declares("recordedName", in: block))
  }

  static func declares(_ property: String, in block: MemberBlockSyntax) -> Bool {
    block.members.contains { member in
      member.decl.as(VariableDeclSyntax.self)?.bindings.contains {
        $0.pattern.trimmedDescription == property
      } ?? false
    }
  }

  /// Returns the names in an inheritance clause: all parts of a composition, the last part of a
  /// member type.
  static func names(in clause: InheritanceClauseSyntax?) -> Set<String> {
    var names: Set<String> = []
    clause?.inheritedTypes.forEach { add($0.type, to: &names) }
    return names
  }

  /// Returns the names in one type of an inheritance clause.
  static func names(of type: TypeSyntax) -> Set<String> {
    var names: Set<String> = []
    add(type, to: &names)
    return names
  }

  private static func add(_ type: TypeSyntax, to names: inout Set<String>) {
    if let type = type.as(IdentifierTypeSyntax.self) { names.insert(type.name.text) }
    if let type = type.as(MemberTypeSyntax.self) { names.insert(type.name.text) }
    if let type = type.as(AttributedTypeSyntax.self) { add(type.baseType, to: &names) }
    if let type = type.as(CompositionTypeSyntax.self) {
      type.elements.forEach { add($0.type, to: &names) }
    }
  }

  /// Whether a declaration has its own `encode(into:)` or `encodeScalars(into:)`.
  static func isWrittenByHand(_ block: MemberBlockSyntax) -> Bool {
    block.members.contains { member in
      guard let function = member.decl.as(FunctionDeclSyntax.self) else { return false }
      return ["encode", "encodeScalars"].contains(function.name.text)
        && function.signature.parameterClause.parameters.first?.firstName.text == "into"
    }
  }

  /// Returns a member that the generator would also write, if there is one.
  static func generatedMember(in block: MemberBlockSyntax) -> MemberBlockItemSyntax? {
    block.members.first { member in
      if let function = member.decl.as(FunctionDeclSyntax.self) {
        let label = function.signature.parameterClause.parameters.first?.firstName.text
        return [
          "schema in", "stateSchema in", "skip in", "encodeWhole into", "visitTables _",
          "_visitChanges _", "_visitChanges of",
        ].contains("\(function.name.text) \(label ?? "")")
      }
      if let initializer = member.decl.as(InitializerDeclSyntax.self) {
        let label = initializer.signature.parameterClause.parameters.first?.firstName.text
        return ["decoding", "decodingScalars", "_unchanged"].contains(label)
      }
      return member.decl.as(VariableDeclSyntax.self)?.bindings.contains {
        ["recordedName", "recordedAliases"].contains($0.pattern.trimmedDescription)
      } ?? false
    }
  }
}
