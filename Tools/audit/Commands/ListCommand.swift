import ArgumentParser
import RetraceArchitecture
import RetraceLog
import RetraceStorage
import RetraceToolSupport

extension RecordKind {
  /// The names of all kinds, for a person.
  static var names: String { allCases.map { "\($0)" }.joined(separator: ", ") }

  /// The kind of a name.
  init?(name: String) {
    guard let kind = RecordKind.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = kind
  }
}

/// Lists records by filter.
struct ListCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List records, filtered by place, session, kind and time.",
    discussion: """
      With --json one object per line is printed.

      EXAMPLES
        audit list --from 100 --to 200
        audit list --kind crashed --json
        audit list --since 2026-03-01T00:00:00Z --until 2026-03-02T00:00:00Z
      """)

  @OptionGroup var options: StoreOptions

  @Option(name: .long, help: ArgumentHelp("The first record.", valueName: "n"))
  var from: UInt64?

  @Option(name: .long, help: ArgumentHelp("The last record.", valueName: "n"))
  var to: UInt64?

  @Option(name: .long, help: ArgumentHelp("One session only.", valueName: "number"))
  var session: UInt64?

  @Option(name: .long, help: ArgumentHelp("One kind only: \(RecordKind.names).", valueName: "kind"))
  var kind: String?

  @Option(name: .long, help: ArgumentHelp("From this instant on.", valueName: "rfc3339"))
  var since: String?

  @Option(name: .long, help: ArgumentHelp("Before this instant.", valueName: "rfc3339"))
  var until: String?

  @Option(name: .long, help: ArgumentHelp("At most so many.", valueName: "count"))
  var limit: Int?

  func perform() throws(ToolFailure) {
    if let limit, limit < 0 {
      throw .usage("--limit is negative.", advice: "Name how many records to list.")
    }
    let filter = try filter()
    let storage = try options.openLog()
    defer { storage.close() }
    do throws(StoreError) {
      let head = try storage.head().sequence
      var left = limit ?? Int.max
      let last = min(head, to ?? head)
      try RecordDescription.forEach(in: storage, from: max(1, from ?? 1), through: last) { record in
        guard left > 0, filter(record.envelope) else { return }
        left -= 1
        if options.json { Output.print(record.json) } else { Output.print(record.line) }
      }
    } catch {
      throw ToolFailure(error)
    }
  }

  private func filter() throws(ToolFailure) -> (Envelope) -> Bool {
    let since = try instant(self.since, option: "--since")
    let until = try instant(self.until, option: "--until")
    let session = self.session
    var wanted: RecordKind?
    if let kind {
      wanted = RecordKind(name: kind)
      guard wanted != nil else {
        throw .usage(
          "--kind takes one of \(RecordKind.names).", advice: "Correct the kind and try again.")
      }
    }
    return { envelope in
      (session == nil || envelope.session == session)
        && (wanted == nil || envelope.kind == wanted)
        && since.map { envelope.moment >= $0 } ?? true && until.map { envelope.moment < $0 } ?? true
    }
  }

  private func instant(_ text: String?, option: String) throws(ToolFailure) -> Moment? {
    guard let text else { return nil }
    guard let moment = Moment(timestamp: text) else {
      throw .usage(
        "\(option) takes an instant such as 2026-03-02T09:00:00Z.",
        advice: "Correct the instant and try again.")
    }
    return moment
  }
}
