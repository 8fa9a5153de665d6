import SwiftSyntax

/// Writes the changes of entities whose modules name none.
///
/// The table of a module is a property of the state, so its type says what the entity is. The
/// changes are named after the entity, and a struct of that name which the author has declared
/// stays as it is.
final class EntityChangesWriter {
  /// The changes of one entity.
  struct Changes {
    /// The name of the type.
    var name: String
    /// The access level of the entity and of the type.
    var access: AccessLevel
    /// The file with the type; `nil` if the author declares it.
    var file: File?
  }

  /// A file with changes.
  struct File {
    var written: WrittenFile
    /// The file of the entity, whose imports the types of the fields need.
    var entity: SourceFileSyntax
    /// The types in the generated initialiser, if it has the level of the type.
    var initialised: [String]
  }

  private let files: [SourceText]
  private let trees: [SourceFileSyntax]
  /// The types that the author declares.
  private(set) lazy var index: TypeIndex = TypeIndex(trees)
  private lazy var found = declarations()
  /// Whether a declaration of the target is refused, so that nothing is written.
  private var isRefused = false

  init(_ files: [SourceText], _ trees: [SourceFileSyntax]) {
    (self.files, self.trees) = (files, trees)
  }

  private func declarations() -> [String: (declaration: Declaration, tree: SourceFileSyntax)] {
    var found: [String: (declaration: Declaration, tree: SourceFileSyntax)] = [:]
    for (file, tree) in zip(files, trees) {
      let collector = DeclarationCollector(path: file.path, tree: tree, index: index)
      for declaration in collector.declarations {
        found[declaration.codeName] = (declaration, tree)
      }
      if !collector.diagnostics.isEmpty { isRefused = true }
    }
    return found
  }

  /// Returns the changes for a module that this target declares without any; else `nil`.
  ///
  /// - Parameters:
  ///   - module: The name of the module.
  ///   - table: The name of the table, a property of the state.
  ///   - state: The name of the state.
  ///   - node: The line of the list, for a problem.
  /// - Throws: A problem if the entity is not known.
  func changes(
    of module: String, table: String, in state: String, at node: Syntax
  ) throws(ModuleList.Problem) -> Changes? {
    guard index[module]?.protocols.contains(ProtocolNames.entityModule) == true,
      index["\(module).Changes"] == nil
    else { return nil }
    guard let entity = entity(in: table, of: state) else {
      if isRefused { return nil }
      throw ModuleList.Problem(
        node: node,
        message: "`\(module)` names no changes, and `\(state)` has no table `\(table)` of an "
          + "entity that this target declares; add `typealias Changes = …` to `\(module)`")
    }
    let (declaration, fields, tree) = entity
    let name = "\(declaration.codeName)Changes"
    var changes = Changes(name: name, access: declaration.accessLevel)
    guard index[name] == nil else { return changes }
    let visible = fields.filter { $0.visibility >= declaration.accessLevel }.map(\.type)
    changes.file = File(
      written: WrittenFile(
        name: name, text: text(name, declaration, fields), signatures: ["RetraceState"],
        types: visible, access: declaration.accessLevel),
      entity: tree, initialised: visible.count == fields.count ? visible : [])
    return changes
  }

  /// Returns the entity of a table, with the fields that can change.
  private func entity(
    in table: String, of state: String
  ) -> (declaration: Declaration, fields: [Field], tree: SourceFileSyntax)? {
    guard case .state(let tables, _) = found[state]?.declaration.kind,
      let type = tables.first(where: { $0.codeName == table })?.type,
      type.hasPrefix("EntityTable<"), type.hasSuffix(">"),
      let name = type.dropLast().split(separator: " ").last.map(String.init),
      index[name]?.protocols.contains("TableEntity") == true, index[name]?.isGeneric == false,
      let (declaration, tree) = found[name], case .record(let fields, _) = declaration.kind,
      !name.contains(".")
    else { return nil }
    return (declaration, fields.filter { $0.access != nil }, tree)
  }

  // MARK: Text

  private func text(_ name: String, _ entity: Declaration, _ fields: [Field]) -> String {
    let modifier = entity.modifier
    let comment = Self.comment(
      "\(entity.recordedName)Changes", of: name,
      formerly: entity.formerNames.map { "\($0)Changes" })
    let properties = fields.map { field in
      let bare = field.codeName.filter { $0 != "`" }
      let level = min(field.visibility, entity.accessLevel)
      let comment = Self.comment(field.recordedName, of: bare, formerly: field.formerNames)
      return """
          /// The change of `\(bare)`.
          \(level.modifier)var \(field.codeName): Change<\(field.type)>?\(comment)

        """
    }
    return """

      /// The changes of the fields of ``\(entity.codeName)``.
      \(modifier)struct \(name): EntityChanges {\(comment)
        /// The entity.
        \(modifier)typealias Entity = \(entity.codeName)
      \(properties.joined())}

      """
  }

  /// Returns the comment that gives a declaration its names in the log; empty if it needs none.
  private static func comment(
    _ recorded: String, of name: String, formerly former: [String]
  ) -> String {
    var clauses: [String] = []
    if recorded != name { clauses.append(recorded) }
    if !former.isEmpty { clauses.append("was " + former.joined(separator: ", ")) }
    return clauses.isEmpty ? "" : "  // recorded: " + clauses.joined(separator: "; ")
  }
}
