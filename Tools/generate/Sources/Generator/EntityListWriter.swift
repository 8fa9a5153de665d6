import SwiftSyntax

/// Writes the commands, edits and refusals of a domain from its list of entities.
struct EntityListWriter {
  /// A line of the list: the name of the case, and the module of the entity.
  private struct Line {
    var name: String
    var module: String
    /// The changes of its entity; `nil` if the module names them.
    var changes: EntityChangesWriter.Changes?
    /// The property of the state that holds the table.
    var table: String { Self.table(of: module) }
    var tableType: String { "EntityTable<\(module).ID, \(module).Changes.Entity>" }
    var command: String { "\(module).Command" }
    var refusal: String { "\(module).Refusal" }
    var edit: String { "EntityEdit<\(module).ID, \(module).Changes>" }

    /// Returns the name of the table of a module.
    static func table(of module: String) -> String {
      module.prefix(1).lowercased() + module.dropFirst()
    }
  }

  private let list: String
  private let prefix: String
  private let state: String
  private let lines: [Line]
  /// The access level of the list and of the written types.
  let access: AccessLevel

  private var modifier: String { access.modifier }

  /// Returns the lists at the top level of one file.
  static func lists(
    in tree: SourceFileSyntax, _ changes: EntityChangesWriter
  ) throws(ModuleList.Problem) -> [EntityListWriter] {
    let wording = ModuleList.Wording(
      suffix: "Entities", example: "DomainEntities", item: ("entity", "entities"),
      line: "case client(Clients)")
    var writers: [EntityListWriter] = []
    for list in try ModuleList.lists(of: ProtocolNames.entityList, in: tree, wording) {
      writers.append(try EntityListWriter(list, changes))
    }
    return writers
  }

  private init(
    _ list: ModuleList, _ changes: EntityChangesWriter
  ) throws(ModuleList.Problem) {
    (self.list, prefix, access) = (list.name, list.prefix, list.access)
    guard let state = list.alias("State") else {
      throw ModuleList.Problem(
        node: Syntax(list.node.name),
        message: "`\(list.name)` does not name the state; add `typealias State = …`")
    }
    var lines: [Line] = []
    for line in list.lines {
      guard !["restore", "staleRestore"].contains(line.name), !line.name.hasPrefix("`"),
        line.module.is(IdentifierTypeSyntax.self)
      else {
        throw ModuleList.Problem(
          node: line.node,
          message: "`\(line.name)` is a name that the written types need, or its module is nested; "
            + "choose another name, and a module at the top level")
      }
      let module = line.module.trimmedDescription
      lines.append(
        Line(
          name: line.name, module: module,
          changes: try changes.changes(
            of: module, table: Line.table(of: module), in: state, at: line.node)))
    }
    self.state = state
    self.lines = lines
  }

  // MARK: Text

  /// The files with the written types, and one with what dispatches to the modules.
  var files: [WrittenFile] {
    [
      WrittenFile(
        name: "\(prefix)Command", text: commands, signatures: ["RetraceArchitecture"],
        conformances: ["RetraceAvro"], access: access),
      WrittenFile(
        name: "\(prefix)Refusal", text: refusals, conformances: ["RetraceAvro"], access: access),
      WrittenFile(
        name: "\(prefix)Edit", text: edits, signatures: ["RetraceState"],
        conformances: ["RetraceArchitecture"], access: access),
      WrittenFile(
        name: "\(list)+Dispatch", text: modules + members,
        signatures: ["RetraceArchitecture", "RetraceState"], access: access),
    ]
  }

  /// The files with the changes that the author has not declared.
  var changes: [EntityChangesWriter.File] {
    lines.compactMap { $0.changes?.file }
  }

  private func cases(_ comment: String, _ payload: (Line) -> String) -> String {
    lines.map { line in
      """
        /// \(comment) one of the entities of ``\(line.module)``.
        case \(line.name)(\(payload(line)))

      """
    }.joined()
  }

  private var commands: String {
    """

    /// The commands about the entities of ``\(list)``.
    \(modifier)enum \(prefix)Command: Recordable, Equatable {
    \(cases("A command about", \.command))\
      /// Undo or redo a change.
      case restore(Restore<\(prefix)Edit>)
    }

    """
  }

  private var refusals: String {
    """

    /// The reasons for which commands about the entities of ``\(list)`` are refused.
    \(modifier)enum \(prefix)Refusal: Recordable, Error, Hashable {
    \(cases("The refusal of a command about", \.refusal))\
      /// Another change came before the undo or redo.
      case staleRestore
    }

    """
  }

  private var edits: String {
    """

    /// The edits of the entities of ``\(list)``.
    \(modifier)enum \(prefix)Edit: UndoableEdit {
    \(cases("An edit of", \.edit))
      /// The edit that takes this one back.
      \(modifier)var inverted: \(prefix)Edit {
        switch self {
    \(arms { "case .\($0.name)(let edit): .\($0.name)(edit.inverted)" })\
        }
      }

      /// The fields that the edit sets, or the whole entity.
      \(modifier)var fields: [UnrestoredField] {
        switch self {
    \(arms { "case .\($0.name)(let edit): edit.fields" })\
        }
      }

      /// Returns the part of the edit that overwrites nothing but the values that it expects.
      \(modifier)func restorable(
        on state: borrowing \(state), excluding excluded: [UnrestoredField]
      ) -> RestorablePart<\(prefix)Edit> {
        switch self {
    \(arms {
      "case .\($0.name)(let edit): edit.restorable(in: state.\($0.table), excluding: excluded)"
        + ".map { .\($0.name)($0) }"
    })\
        }
      }

      /// Returns the edit without what is so already.
      \(modifier)func rebased(
        on state: borrowing \(state), overwriting: Bool
      ) -> \(prefix)Edit? {
        switch self {
    \(arms {
      "case .\($0.name)(let edit): edit.rebased(on: state.\($0.table), overwriting: overwriting)"
        + ".map { .\($0.name)($0) }"
    })\
        }
      }

      /// Carries the edit out.
      \(modifier)func apply(to state: inout \(state)) {
        switch self {
    \(arms { "case .\($0.name)(let edit): edit.apply(to: &state.\($0.table))" })\
        }
      }
    }

    """
  }

  private var modules: String {
    lines.map { line in
      """

      extension \(line.module) {
      \(line.changes.map(alias) ?? "")\
        /// Returns the edit of the domain.
        \(modifier)static func edit(
          _ edit: EntityEdit<\(line.module).ID, \(line.module).Changes>
        ) -> \(prefix)Edit { .\(line.name)(edit) }

        /// Calls `body` with the table of the entities.
        \(modifier)static func readTable<Result>(
          of state: borrowing \(state),
          _ body: (borrowing \(line.tableType)) -> Result
        ) -> Result { body(state.\(line.table)) }
      }

      """
    }.joined()
  }

  private func alias(_ changes: EntityChangesWriter.Changes) -> String {
    """
      /// The changes of the entity's fields.
      \(changes.access.modifier)typealias Changes = \(changes.name)


    """
  }

  private var members: String {
    """

    extension \(list) {
      /// The commands of all entities.
      \(modifier)typealias Command = \(prefix)Command
      /// The edits of all entities.
      \(modifier)typealias Edit = \(prefix)Edit
      /// The refusals of all entities.
      \(modifier)typealias Refusal = \(prefix)Refusal

      /// Returns the command that carries out a restore.
      \(modifier)static func command(for restore: Restore<\(prefix)Edit>) -> \(prefix)Command {
        .restore(restore)
      }

      /// The refusal of a restore that is out of date.
      \(modifier)static var staleRestore: \(prefix)Refusal { .staleRestore }

      /// Decides a command of an entity, or returns the restore.
      \(modifier)static func decide(
        _ command: \(prefix)Command, in editor: inout EntityEditor<\(prefix)Edit>
      ) throws(\(prefix)Refusal) -> Restore<\(prefix)Edit>? {
        switch command {
    \(arms {
      """
      case .\($0.name)(let command):
            do throws(\($0.module).Refusal) {
              try \($0.module).decide(command, in: &editor)
            } catch {
              throw .\($0.name)(error)
            }
      """
    })\
        case .restore(let restore): return restore
        }
        return nil
      }

      /// Returns whether the entity of an edit keeps the rules that span entities.
      \(modifier)static func allows(
        _ edit: \(prefix)Edit, in state: borrowing \(state)
      ) -> Bool {
        switch edit {
    \(arms { "case .\($0.name)(let edit): \($0.module).allows(edit.id, in: state)" })\
        }
      }

      /// Returns the rules that a state breaks.
      \(modifier)static func violations(of state: borrowing \(state)) -> [Violation] {
        var violations: [Violation] = []
    \(arms { "violations += \($0.module).violations(of: state)" })\
        return violations
      }

      /// Sets what the domain keeps about the entity beside the fields that facts change.
      \(modifier)static func touch(
        _ edit: \(prefix)Edit, in state: inout \(state), at moment: Moment
      ) {
        switch edit {
    \(arms {
      "case .\($0.name)(let edit): _ = state.\($0.table).modify(edit.id) "
        + "{ \($0.module).touch(&$0, at: moment) }"
    })\
        }
      }

      /// Returns the text of a refusal for the user.
      \(modifier)static func text(of refusal: \(prefix)Refusal) -> String? {
        switch refusal {
    \(arms { "case .\($0.name)(let refusal): \($0.module).text(of: refusal)" })\
        case .staleRestore: "Another change came before; nothing was undone or redone."
        }
      }
    }

    """
  }

  private func arms(_ text: (Line) -> String) -> String {
    lines.map { "    \(text($0))\n" }.joined()
  }
}
