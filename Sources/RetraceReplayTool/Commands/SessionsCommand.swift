import ArgumentParser
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// Lists the sessions of a log.
struct SessionsCommand<App: ReplayableApp>: ToolCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sessions",
      abstract: "List the sessions of the log.",
      discussion: """
        EXAMPLE
          replay sessions --json
        """)
  }

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    let storage = try openLog(options, app: App.name)
    defer { storage.close() }
    let sessions: [SessionSummary]
    do throws(StoreError) {
      sessions = try SessionSummary.all(in: storage)
    } catch {
      throw ToolFailure(error)
    }
    if options.json {
      Output.print(.array(sessions.map(json)))
      return
    }
    if sessions.isEmpty { Output.print("Nothing is recorded yet.") }
    for session in sessions { Output.print(line(session)) }
  }

  private func json(_ session: SessionSummary) -> JSONValue {
    [
      "session": .integer(Int64(session.number)), "app": .string(session.opened.app),
      "build": .string(session.opened.build),
      "opened": .string(session.openedAt.timestamp),
      "scene": session.opened.scene.map { .integer($0.value) } ?? .null,
      "actions": .integer(Int64(session.actions)),
      "last": .integer(Int64(session.last)), "closed": .bool(session.isClosed),
      "crashed": .array(session.crashed.map { .integer(Int64($0)) }),
    ]
  }

  private func line(_ session: SessionSummary) -> String {
    var text = "session \(session.number)  \(session.openedAt.timestamp)  \(session.opened.app)"
    text += "  \(session.actions) action\(session.actions == 1 ? "" : "s")"
    text += "  records \(session.number) to \(session.last)"
    if let scene = session.opened.scene { text += "  scene \(scene.value)" }
    text += session.isClosed ? "" : "  not closed"
    for sequence in session.crashed { text += "  crashed at \(sequence)" }
    return text
  }
}
