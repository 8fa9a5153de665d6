import ArgumentParser
import Retrace
import RetraceSystem
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct SchemasCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "schemas",
    abstract: "List the schemas of the log, or print one as it was recorded.",
    discussion: """
      Schemas of actions have numbers from 1, those of commands and refusals from \
      \(LogFormat.commandSchemaNumber(1)). `replay schema --stored` prints whether an app can read \
      them.

      EXAMPLES
        audit schemas
        audit schemas --number 1
        audit schemas --number \(LogFormat.commandSchemaNumber(1))
      """)

  @Option(help: ArgumentHelp("Print the JSON of this schema.", valueName: "n"))
  var number: UInt32?

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    try options.withLog(or: Audit.store) { storage throws(ToolFailure) in
      let schemas = try orFail(
        try storage.withReadView { (view) throws(StoreError) in
          let actions = try view.parsedSchemas().enumerated().map { index, schema in
            Numbered(number: UInt32(index + 1), isOfCommands: false, schema: schema)
          }
          let commands = try view.parsedSchemas(ofCommands: true).enumerated()
            .map { index, schema in
              Numbered(
                number: LogFormat.commandSchemaNumber(UInt32(index + 1)), isOfCommands: true,
                schema: schema)
            }
          return actions + commands
        })
      guard let number else { return list(schemas) }
      guard let found = schemas.first(where: { $0.number == number }) else {
        throw .notFound(
          "schema", why: "There is no schema \(number); the log has \(schemas.count).",
          advice: "Give the --number of a schema that `audit schemas` lists.")
      }
      let schema = found.schema.json
      if options.json { return Output.standard.print(schema) }
      for line in schema.text(indented: true).split(separator: "\n") {
        Output.standard.print(String(line))
      }
    }
  }

  /// A schema under the number by which the log stores it.
  private struct Numbered: Sendable {
    let number: UInt32
    /// Whether it is a schema of commands or of refusals.
    let isOfCommands: Bool
    let schema: Schema

    var fingerprint: String { schema.fingerprint(with: SHA256Hasher.self).hex }
  }

  private func list(_ schemas: [Numbered]) {
    if options.json {
      Output.standard.print(
        .array(
          schemas.map { item in
            [
              "number": .integer(Int64(item.number)), "ofCommands": .bool(item.isOfCommands),
              "fingerprint": .string(item.fingerprint), "schema": item.schema.json,
            ]
          }))
      return
    }
    for item in schemas {
      let remark = item.isOfCommands ? "  commands or refusals" : ""
      Output.standard.print("schema \(item.number)  \(item.fingerprint)\(remark)")
    }
    if schemas.isEmpty { Output.standard.print("Nothing is recorded yet.") }
  }
}
