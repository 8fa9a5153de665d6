import ArgumentParser
import Retrace
import RetraceBundle
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct AuditVerifyCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the whole log: pages, checksums, sequences, chain, schemas, every payload.",
    discussion: """
      The log is read in a child process, so that damage is reported even if it crashes the reader.

      `replay verify` checks whether the app's code still folds the log to the recorded states.

      --at and --chain check that the log continues one whose chain digest was written down: \
      every record up to N is as it was then.

      EXAMPLE
        audit verify --json
      """)

  @OptionGroup var options: StoreOptions

  @Option(help: ArgumentHelp("The record that --chain belongs to.", valueName: "n"))
  var at: UInt64?

  @Option(
    help: ArgumentHelp(
      "The chain digest that `audit verify` printed when the log ended with record --at: 64 "
        + "hexadecimal digits.", valueName: "hash"))
  var chain: String?

  @Flag(name: .customLong(ChildProcessReader.flag), help: .hidden)
  var inThisProcess = false

  func perform() throws(ToolFailure) {
    let known = try knownChain()
    guard inThisProcess else {
      return try ChildProcessReader.run(reading: try options.path(or: Audit.store))
    }
    try performHere(known)
  }

  /// Returns the record and the digest that were written down, if both are given.
  private func knownChain() throws(ToolFailure) -> (sequence: UInt64, digest: Digest)? {
    switch (at, chain) {
    case (nil, nil): return nil
    case (let at?, let chain?):
      guard at > 0, let digest = Digest(hex: chain) else {
        throw .usage(
          "--at takes the number of a record, and --chain its digest of 64 hexadecimal digits.",
          advice: "Copy the lines records and chain of an earlier `audit verify`.")
      }
      return (at, digest)
    case (nil, _), (_, nil):
      throw .usage(
        "--at and --chain belong together.",
        advice: "Copy the lines records and chain of an earlier `audit verify`.")
    }
  }

  /// Throws unless the log has the record, with the digest.
  private func check(
    _ known: (sequence: UInt64, digest: Digest), in storage: LogStorage, records: UInt64
  ) throws(ToolFailure) {
    let what = "The log does not continue the one whose digest was written down."
    let advice =
      "Look for a copy of the store that has record \(known.sequence) with this digest; compare "
      + "it with `replay compare`."
    guard known.sequence <= records else {
      throw ToolFailure(
        what: what, why: "It ends with record \(records), before record \(known.sequence).",
        advice: advice, exitCode: ToolExit.damaged)
    }
    let digest = try orFail(
      try storage.withReadView { (view) throws(StoreError) in try view.chain(at: known.sequence) })
    guard digest == known.digest else {
      throw ToolFailure(
        what: what,
        why: "The chain digest of record \(known.sequence) is \(digest), so a record up to "
          + "it is another one.",
        advice: advice, exitCode: ToolExit.damaged)
    }
  }

  private func performHere(
    _ known: (sequence: UInt64, digest: Digest)?
  ) throws(ToolFailure) {
    try options.withLog(or: Audit.store, checkingPages: true) { storage throws(ToolFailure) in
      let (report, payloads) = try orFail(try verified(storage))
      if let known { try check(known, in: storage, records: report.records) }
      if options.json {
        return Output.standard.print([
          "records": .integer(Int64(clamping: report.records)),
          "blocks": .integer(Int64(clamping: report.blocks)),
          "bytes": .integer(Int64(clamping: report.bytes)), "payloads": .integer(Int64(payloads)),
          "chain": .string(report.chain.hex), "store": .string(storage.storeID.hex),
          "unknownDatabases": .array(storage.unknownDatabases.map { .string($0) }),
        ])
      }
      if let bundle = storage.bundle {
        Output.standard.print("bundle   \(bundle.header.contents)")
      }
      Output.standard.print("store    \(storage.storeID.hex)")
      Output.standard.print("records  \(report.records) in \(report.blocks) blocks")
      Output.standard.print("bytes    \(report.bytes)")
      Output.standard.print("chain    \(report.chain)")
      Output.standard.print("The log is intact; all \(payloads) payloads match their schemas.")
      for name in storage.unknownDatabases {
        Output.standard.print(
          "The data file also has the database \(name), which is not part of the log.")
      }
      if let known {
        Output.standard.print("It continues the log that ended with record \(known.sequence).")
      }
    }
  }

  /// Verifies the log and its payloads, and returns the report and the number of payloads.
  private func verified(
    _ storage: LogStorage
  ) throws(StoreError) -> (report: LogReport, payloads: Int) {
    let report = try storage.withReadView { (view) throws(StoreError) in try view.verify() }
    let payloads = try RecordDescription.check(in: storage, from: 1, through: report.records)
    return (report, payloads)
  }
}
