import SwiftSyntax

/// A list of modules, from which types are written: an enum with a case for each module.
struct ModuleList {
  /// A line of the list: the name of the case, and the module that is its payload.
  struct Line {
    var name: String
    var module: TypeSyntax
    var node: Syntax
  }

  /// The wording of the problems of one kind of list.
  struct Wording {
    /// The end of the list's name, such as `Entities`.
    var suffix: String
    /// A name of such a list.
    var example: String
    /// What a module is about, such as `entity`, and several of them.
    var item: (one: String, many: String)
    /// A line of such a list.
    var line: String
  }

  /// A list that cannot be read.
  struct Problem: Error {
    var node: Syntax
    var message: String
  }

  let node: EnumDeclSyntax
  let name: String
  /// The name without its suffix, with which the names of the written types begin.
  let prefix: String
  /// The lines; at least one.
  let lines: [Line]
  /// The access level of the list and of the written types.
  let access: AccessLevel

  /// Returns the lists at the top level of one file that conform to a protocol.
  static func lists(
    of conformance: String, in tree: SourceFileSyntax, _ wording: Wording
  ) throws(Problem) -> [ModuleList] {
    var lists: [ModuleList] = []
    for statement in tree.statements {
      guard let node = statement.item.as(EnumDeclSyntax.self),
        ProtocolNames.names(in: node.inheritanceClause).contains(conformance)
      else { continue }
      lists.append(try ModuleList(node, wording))
    }
    return lists
  }

  private init(_ node: EnumDeclSyntax, _ wording: Wording) throws(Problem) {
    let name = node.name.text
    guard name.hasSuffix(wording.suffix), name != wording.suffix else {
      throw Problem(
        node: Syntax(node.name),
        message: "`\(name)` names the written types; let the name end with `\(wording.suffix)`, as "
          + "in `\(wording.example)`")
    }
    access = AccessLevel(node.modifiers) ?? .module
    guard access != .file else {
      throw Problem(
        node: Syntax(node.name), message: "`\(name)` is private; generated code cannot see it")
    }
    var lines: [Line] = []
    for member in node.memberBlock.members {
      for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
        let payloads = element.parameterClause.map { Array($0.parameters) } ?? []
        guard payloads.count == 1, payloads[0].firstName == nil else {
          throw Problem(
            node: Syntax(element),
            message: "`\(element.name.text)` needs the module of its \(wording.item.one), as in "
              + "`\(wording.line)`")
        }
        lines.append(
          Line(name: element.name.text, module: payloads[0].type, node: Syntax(element)))
      }
    }
    guard !lines.isEmpty else {
      throw Problem(
        node: Syntax(node.name),
        message: "`\(name)` has no \(wording.item.many); add a case for each, as in "
          + "`\(wording.line)`")
    }
    self.node = node
    self.name = name
    prefix = String(name.dropLast(wording.suffix.count))
    self.lines = lines
  }

  /// Returns the type that a member of the list gives another name.
  func alias(_ name: String) -> String? {
    for member in node.memberBlock.members {
      guard let alias = member.decl.as(TypeAliasDeclSyntax.self), alias.name.text == name else {
        continue
      }
      return alias.initializer.value.trimmedDescription
    }
    return nil
  }
}
