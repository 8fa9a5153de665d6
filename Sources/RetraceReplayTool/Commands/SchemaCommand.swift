import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// Shows the app's schemas, and the verdicts on data recorded under other schemas.
struct SchemaCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "schema",
      abstract: "Print the app's schemas, or compare recorded ones with them.",
      discussion: """
        Without an option the schemas of actions and state are printed. --stored compares the \
        schemas of a log. --check compares the released schemas, which are the files of a folder. \
        --write adds the action schema of this build to that folder.

        A verdict is one of: same (identical), fine (all of it can be read), needs checking \
        (values that fit can be read; others need an upcaster), needs upcaster (some cases cannot \
        be read without one), impossible (an upcaster cannot help). The exit code is 4 if the data \
        of any schema cannot be read, or if --check does not find the schema of this build.

        EXAMPLES
          \(replay) schema --json
          \(replay) schema --stored
          \(replay) schema --check Tests/EvolutionTests/Golden/Schemas
        """)
  }

  @Flag(help: "Compare the schemas of the log with the app's.")
  var stored = false

  @Option(help: ArgumentHelp("Compare the schemas in a folder with the app's.", valueName: "dir"))
  var check: String?

  @Option(help: ArgumentHelp("Add the app's action schema to a folder.", valueName: "dir"))
  var write: String?

  @OptionGroup var options: StoreOptions

  func validate() throws {
    let chosen = [stored, check != nil, write != nil].filter { $0 }.count
    if chosen > 1 { throw ValidationError("Give one of --stored, --check and --write.") }
  }

  func perform() throws(ToolFailure) {
    if let write {
      try add(to: write)
    } else if let check {
      try compare(folder: check)
    } else if stored {
      try compareLog()
    } else {
      printSchemas()
    }
  }

  private func printSchemas() {
    let action = App.Action.schema
    var composer = SchemaComposer()
    let state = App.State.stateSchema(in: &composer)
    if options.json {
      Output.standard.print(["action": description(action), "state": description(state)])
      return
    }
    for (name, schema) in [("action", action), ("state", state)] {
      Output.standard.print("\(name) \(schema.fingerprint(with: SHA256Hasher.self))")
      for line in schema.json.text(indented: true).split(separator: "\n") {
        Output.standard.print(String(line))
      }
    }
  }

  private func description(_ schema: Schema) -> JSONValue {
    [
      "fingerprint": .string(schema.fingerprint(with: SHA256Hasher.self).hex),
      "schema": schema.json,
    ]
  }

  private func add(to folder: String) throws(ToolFailure) {
    do throws(StoreError) {
      let (file, isNew) = try SchemaHistory<App>.write(to: folder)
      if options.json {
        Output.standard.print(["file": .string(file), "isNew": .bool(isNew)])
      } else {
        Output.standard.print("\(folder)/\(file) \(isNew ? "was written" : "is there already").")
      }
    } catch {
      throw ToolFailure(error)
    }
  }

  private func compare(folder: String) throws(ToolFailure) {
    let history = try orFail(try SchemaHistory<App>(folder: folder))
    let verdicts = history.entries.map { ($0.file, $0.verdict) }
    if options.json {
      Output.standard.print([
        "current": .string(history.current.hex), "holdsCurrent": .bool(history.containsCurrent),
        "schemas": .array(verdicts.map(json)),
      ])
    } else {
      for (name, verdict) in verdicts { printText(name, verdict) }
    }
    guard history.containsCurrent else {
      throw ToolFailure(
        what: "The schema history does not contain the schema of this build.",
        why: "\(folder) has no \(history.current.hex).json.",
        advice: "Add it with `\(Self.replay) schema --write \(folder)` before this build is "
          + "released.",
        exitCode: ToolExit.incompatible)
    }
    try requireReadable(verdicts)
  }

  private func compareLog() throws(ToolFailure) {
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let verdicts = try orFail(
        try storage.withReadView { (view) throws(StoreError) in
          try view.planWithVerdicts(for: App.self).schemas.enumerated().map {
            ("schema \($0.offset + 1)", $0.element.verdict)
          }
        })
      if options.json {
        Output.standard.print(.array(verdicts.map(json)))
      } else {
        for (name, verdict) in verdicts { printText(name, verdict) }
        if verdicts.isEmpty { Output.standard.print("Nothing is recorded yet.") }
      }
      try requireReadable(verdicts)
    }
  }

  private func requireReadable(_ verdicts: [(String, SchemaVerdict)]) throws(ToolFailure) {
    guard let (name, verdict) = verdicts.first(where: { !$0.1.isReadable }) else { return }
    throw ToolFailure(
      what: "Some data recorded under \(name) cannot be read.",
      why: "\(verdict.name): \(verdict.differences.first?.description ?? "").",
      advice: "Give the app an alias, a default, an upcaster or a retired case for it.",
      exitCode: ToolExit.incompatible)
  }

  private func json(_ name: String, _ verdict: SchemaVerdict) -> JSONValue {
    [
      "name": .string(name), "verdict": .string(verdict.name),
      "differences": .array(
        verdict.differences.map { difference in
          [
            "type": .string(difference.type),
            "member": difference.member.map { .string($0) } ?? .null,
            "detail": .string(difference.detail),
          ]
        }),
    ]
  }

  private func printText(_ name: String, _ verdict: SchemaVerdict) {
    Output.standard.print("\(name)  \(verdict.name)")
    for difference in verdict.differences { Output.standard.print("  \(difference)") }
  }
}
