import ArgumentParser
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// The entity that a command is about, and the record up to which it looks.
struct EntityOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The entity, with the name of its id's type in the schema.", valueName: "type=id"))
  var id: String

  @Option(
    name: [.customLong("as-of"), .customLong("at")],
    help: ArgumentHelp(
      "Look at records up to this one, or at those appended up to this time.",
      valueName: "n|time"))
  var asOf: String?

  /// Reads the history of the entity.
  ///
  /// - Throws: A failure if no record is about it.
  func history(_ options: StoreOptions) throws(ToolFailure) -> RecordedHistory {
    let end = try HistoryEnd(asOf)
    return try options.withLog(or: Audit.store) { storage throws(ToolFailure) in
      let entity = try MentionedID(id, in: storage, option: "The entity")
      let history = try orFail(try RecordedHistory(of: entity, asOf: end, in: storage))
      guard !history.entries.isEmpty else {
        throw .notFound(
          "entity",
          why: "No record mentions \(entity.type)=\(entity.id)"
            + "\(asOf.map { " up to \($0)" } ?? "").",
          advice: "List the records of the log with `audit list`.")
      }
      if let note = history.past.note { Output.standard.printErrorWrapped(note) }
      return history
    }
  }
}
