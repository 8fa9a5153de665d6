import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct SessionsCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sessions",
      abstract: "List the sessions of the log.",
      discussion: """
        Effects in flight at the end of the log are listed below the session that caused them. The \
        log is folded to find them, if any action had an effect.

        EXAMPLE
          \(replay) sessions --json
        """)
  }

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let sessions = try orFail(try SessionSummary.all(in: storage))
      let inFlight = try effectsInFlight(after: sessions, in: storage)
      if options.json {
        Output.standard.print(
          .array(
            sessions.map { session in json(session, inFlight.map { $0[session.number] ?? [] }) }))
        return
      }
      Output.standard.printMessage(of: storage)
      if sessions.isEmpty { Output.standard.print("Nothing is recorded yet.") }
      for session in sessions {
        Output.standard.print(line(session))
        for effect in inFlight?[session.number] ?? [] {
          Output.standard.print("  in flight    " + EffectDescription.line(of: effect))
        }
      }
    }
  }

  /// Returns the effects in flight by session; `nil`, with a message, if this build cannot fold the
  /// log.
  private func effectsInFlight(
    after sessions: [SessionSummary], in storage: LogStorage
  ) throws(ToolFailure) -> [UInt64: [EffectInFlight]]? {
    guard sessions.contains(where: \.hadEffects) else { return [:] }
    let path = try options.path(or: Tool.store)
    do throws(StoreError) {
      try storage.requireFoldable(TrialFold.trial(of: path), by: App.reducerFingerprint)
      return try SessionSummary.effectsInFlight(of: App.self, in: storage)
    } catch {
      Output.standard.printError("The effects in flight are not known: \(error.what) \(error.why)")
      return nil
    }
  }

  private func json(_ session: SessionSummary, _ inFlight: [EffectInFlight]?) -> JSONValue {
    let members: [JSONValue.Member] = [
      .init("session", .integer(Int64(session.number))), .init("app", .string(session.opened.app)),
      .init("build", .string(session.opened.build)),
      .init("opened", .string(session.openedAt.sortableTimestamp)),
    ]
    return .object(
      members + session.clock.members + [
        .init("scene", session.opened.scene.map { .integer($0.value) } ?? .null),
        .init("actions", .integer(Int64(session.actions))),
        .init("last", .integer(Int64(session.last))), .init("closed", .bool(session.isClosed)),
        .init("end", session.end.map { .string($0.description) } ?? .null),
        .init("origin", session.opened.origin.map(Self.json) ?? .null),
        .init(
          "sleptMilliseconds", session.opened.sleptMilliseconds.map { .integer($0) } ?? .null),
        .init("crashed", .array(session.crashed.map { .integer(Int64($0)) })),
        .init(
          "effectsInFlight", inFlight.map { .array($0.map(EffectDescription.json)) } ?? .null),
      ])
  }

  private static func json(_ origin: SessionOrigin) -> JSONValue {
    [
      "login": .string(origin.login), "host": .string(origin.host),
      "process": .integer(Int64(origin.process)), "isClockFixed": .bool(origin.isClockFixed),
    ]
  }

  private func line(_ session: SessionSummary) -> String {
    var text = "session \(session.number)  \(session.openedAt.localTimestamp(with: session.clock))"
    text += "  \(session.opened.app)"
    text += "  \(session.actions) action\(session.actions == 1 ? "" : "s")"
    text += "  records \(session.number) to \(session.last)"
    if let scene = session.opened.scene { text += "  scene \(scene.value)" }
    if let origin = session.opened.origin {
      text += "  \(origin.user)  process \(origin.process)"
    }
    if session.end != .closed { text += "  \(session.end?.description ?? "not closed")" }
    for sequence in session.crashed { text += "  crashed at \(sequence)" }
    return text
  }
}
