import ArgumentParser
import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import RetraceToolSupport

/// Copies the verifiable part of a damaged store.
struct SalvageCommand<App: ReplayableApp>: ToolCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "salvage",
      abstract: "Copy the longest verified beginning of a damaged log into a new store.",
      discussion: """
        Every page of the data file is searched, whatever the pages say of each other. The new \
        store ends with a whole batch, is verified and on disk when its name appears, and has the \
        current format. The old store must not be in use; it is not changed.

        Exit code 3 when the new store was made and records are missing; the report names them.

        EXAMPLE
          replay salvage ~/track-salvaged --store ~/track
        """)
  }

  @OptionGroup var copy: CopyDestination

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    let destination = try copy.path()
    let path = try options.path(app: App.name)
    let report: SalvageReport
    do throws(StoreError) {
      report = try LogStorage.salvage(path, to: destination, knowing: [App.Action.schema.text])
    } catch {
      throw ToolFailure(error)
    }
    if options.json { Output.print(json(report)) } else { printText(report) }
    guard !report.isComplete else { return }
    throw ToolFailure(
      what: "Not all records of \(path) were kept.",
      why: "Record \(report.head.sequence + 1) is the first that cannot be; the store is known to "
        + "have had \(report.lastKnown).",
      advice: "Look for the rest in a backup, and go on with \(report.path) if there is none. "
        + "Keep the damaged store until then.",
      exitCode: ToolExit.damaged)
  }

  private func json(_ report: SalvageReport) -> JSONValue {
    [
      "path": .string(report.path),
      "records": Self.number(report.head.sequence),
      "lastMoment": report.head.sequence > 0 ? .string(report.head.moment.timestamp) : .null,
      "chain": .string(report.head.chain.hex),
      "bytes": .integer(Int64(report.bytes)),
      "version": .integer(Int64(report.version)),
      "lastKnown": Self.number(report.lastKnown),
      "missing": Self.ranges(report.missing),
      "unreachable": Self.ranges(report.unreachable),
      "dropped": report.dropped.map { Self.ranges([$0]) } ?? .array([]),
      "missingSchema": report.missingSchema.map { .integer(Int64($0)) } ?? .null,
      "openSessions": .array(report.openSessions.map { Self.number($0) }),
    ]
  }

  private static func number(_ number: UInt64) -> JSONValue { .integer(Int64(clamping: number)) }

  private static func ranges(_ ranges: [ClosedRange<UInt64>]) -> JSONValue {
    .array(ranges.map { ["from": number($0.lowerBound), "to": number($0.upperBound)] })
  }

  private func printText(_ report: SalvageReport) {
    let last = report.head.sequence
    Output.print("\(report.path) holds \(last) records, verified.")
    if last > 0 { Output.print("last moment   \(report.head.moment.timestamp)") }
    Output.print("chain         \(report.head.chain)")
    Output.print("bytes         \(report.bytes)")
    Output.print("last known    record \(report.lastKnown) of the old store")
    for range in report.missing { Output.print("missing       \(Self.text(range))") }
    if let number = report.missingSchema {
      Output.print("missing       schema \(number), which the next record needs")
    }
    if let range = report.dropped {
      Output.print("left out      \(Self.text(range)), whose batch may go on in what is missing")
    }
    for range in report.unreachable {
      Output.print("not kept      \(Self.text(range)), whole but after the damage")
    }
    if !report.openSessions.isEmpty {
      let sessions = report.openSessions.map { "\($0)" }.joined(separator: ", ")
      Output.print("without end   session \(sessions)")
    }
    if report.isComplete { Output.print("Nothing is missing.") }
  }

  private static func text(_ range: ClosedRange<UInt64>) -> String {
    range.count == 1
      ? "record \(range.lowerBound)" : "records \(range.lowerBound) to \(range.upperBound)"
  }
}
