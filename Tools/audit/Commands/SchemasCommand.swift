import ArgumentParser
import Retrace
import RetraceSystem
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct SchemasCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "schemas",
    abstract: "List the action schemas of the log, or print one as it was recorded.",
    discussion: """
      `replay schema --stored` prints whether an app can read them.

      EXAMPLES
        audit schemas
        audit schemas --number 1
      """)

  @Option(help: ArgumentHelp("Print the JSON of this schema.", valueName: "n"))
  var number: UInt32?

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    try options.withLog(or: Audit.store) { storage throws(ToolFailure) in
      let schemas = try orFail(
        try storage.withReadView { (view) throws(StoreError) in
          try view.parsedSchemas()
        })
      guard let number else { return list(schemas) }
      guard number > 0, number <= schemas.count else {
        throw .notFound(
          "schema", why: "There is no schema \(number); the log has \(schemas.count).",
          advice: "Give the --number of a schema that `audit schemas` lists.")
      }
      let schema = schemas[Int(number) - 1].json
      if options.json { return Output.standard.print(schema) }
      for line in schema.text(indented: true).split(separator: "\n") {
        Output.standard.print(String(line))
      }
    }
  }

  private func list(_ schemas: [Schema]) {
    let lines = schemas.enumerated().map { index, schema in
      (number: index + 1, fingerprint: schema.fingerprint(with: SHA256Hasher.self).hex)
    }
    if options.json {
      Output.standard.print(
        .array(
          zip(lines, schemas).map { line, schema in
            [
              "number": .integer(Int64(line.number)), "fingerprint": .string(line.fingerprint),
              "schema": schema.json,
            ]
          }))
      return
    }
    for line in lines { Output.standard.print("schema \(line.number)  \(line.fingerprint)") }
    if lines.isEmpty { Output.standard.print("Nothing is recorded yet.") }
  }
}
