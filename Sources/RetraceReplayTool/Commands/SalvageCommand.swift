import ArgumentParser
import Retrace
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Copies the verifiable part of a damaged store.
struct SalvageCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "salvage",
      abstract: "Copy the longest verifiable prefix of a damaged log into a new store.",
      discussion: """
        Every page of the data file is searched, without following references between pages. The \
        new store ends with a complete batch and has the current format. DEST appears only once it \
        is verified and synced to disk. The old store must not be in use; it is not changed.

        The exit code is 3 if the new store was made but records are missing; the report lists \
        them. `audit list --salvage` prints the intact ones among them.

        EXAMPLE
          \(replay) salvage ~/track-salvaged --store ~/track
        """)
  }

  @OptionGroup var copy: CopyDestination

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    let destination = try copy.path()
    let path = try options.path(or: Tool.store)
    let report = try orFail(
      try LogStorage.salvage(path, to: destination, knowing: [App.Action.schema.text]))
    let clock = try clockOfLast(report)
    if options.json {
      Output.standard.print(json(report, clock))
    } else {
      printText(report, clock)
    }
    guard !report.isComplete else { return }
    throw ToolFailure(
      what: "Not all records of \(path) were kept.",
      why: "Record \(report.head.sequence + 1) is the first that cannot be kept; the store is "
        + "known to have had \(report.lastKnown) record\(report.lastKnown == 1 ? "" : "s").",
      advice: "Look for the missing records in a backup; without a backup, continue with "
        + "\(report.path). Keep the damaged store until you have decided.",
      exitCode: ToolExit.damaged)
  }

  /// Returns the remark on the moment of the last record that was kept, if there is one.
  private func clockOfLast(
    _ report: SalvageReport
  ) throws(ToolFailure) -> RecordClocks.Remark? {
    guard report.head.sequence > 0 else { return nil }
    return try StoreLocation.withLog(at: report.path) { storage throws(ToolFailure) in
      try orFail(
        try storage.withReadView { (view) throws(StoreError) in
          let last = try view.withRecord(at: report.head.sequence) { $0.envelope }
          var clocks = RecordClocks()
          return try clocks.remark(on: last, in: view)
        })
    }
  }

  private func json(_ report: SalvageReport, _ clock: RecordClocks.Remark?) -> JSONValue {
    [
      "path": .string(report.path),
      "records": Self.number(report.head.sequence),
      "lastMoment": report.head.sequence > 0
        ? .string(report.head.moment.sortableTimestamp) : .null,
      "lastClock": clock.map { .string($0.text) } ?? .null,
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

  private func printText(_ report: SalvageReport, _ clock: RecordClocks.Remark?) {
    let last = report.head.sequence
    Output.standard.print("\(report.path) holds \(last) records, verified.")
    if last > 0 {
      Output.standard.print("last moment   \(report.head.moment.localTimestamp(with: clock))")
    }
    Output.standard.print("chain         \(report.head.chain)")
    Output.standard.print("bytes         \(report.bytes)")
    Output.standard.print("last known    record \(report.lastKnown) of the old store")
    for range in report.missing { Output.standard.print("missing       \(Self.text(range))") }
    if let number = report.missingSchema {
      Output.standard.print("missing       schema \(number), which the next record needs")
    }
    if let range = report.dropped {
      Output.standard.print("dropped       \(Self.text(range)), whose batch may be incomplete")
    }
    for range in report.unreachable {
      Output.standard.print("unreachable   \(Self.text(range)), intact, but after the damage")
    }
    if !report.openSessions.isEmpty {
      let sessions = report.openSessions.map { "\($0)" }.joined(separator: ", ")
      Output.standard.print("not closed    session \(sessions)")
    }
    if report.isComplete { Output.standard.print("Nothing is missing.") }
  }

  private static func text(_ range: ClosedRange<UInt64>) -> String {
    range.count == 1
      ? "record \(range.lowerBound)" : "records \(range.lowerBound) to \(range.upperBound)"
  }
}
