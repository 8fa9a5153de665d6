import ArgumentParser
import Retrace
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

      EXAMPLE
        audit verify --json
      """)

  @OptionGroup var options: StoreOptions

  @Flag(name: .customLong(ChildProcessReader.flag), help: .hidden)
  var inThisProcess = false

  func perform() throws(ToolFailure) {
    guard inThisProcess else {
      return try ChildProcessReader.run(reading: try options.path(or: Audit.store))
    }
    try performHere()
  }

  private func performHere() throws(ToolFailure) {
    try options.withLog(or: Audit.store, checkingPages: true) {
      storage throws(ToolFailure) in
      do throws(StoreError) {
        let report = try storage.withReadView { (view) throws(StoreError) in
          try view.verify()
        }
        let payloads = try RecordDescription.check(in: storage, from: 1, through: report.records)
        if options.json {
          Output.standard.print([
            "records": .integer(Int64(clamping: report.records)),
            "blocks": .integer(Int64(clamping: report.blocks)),
            "bytes": .integer(Int64(clamping: report.bytes)), "payloads": .integer(Int64(payloads)),
            "chain": .string(report.chain.hex), "store": .string(storage.storeID.hex),
          ])
        } else {
          Output.standard.print("store    \(storage.storeID.hex)")
          Output.standard.print("records  \(report.records) in \(report.blocks) blocks")
          Output.standard.print("bytes    \(report.bytes)")
          Output.standard.print("chain    \(report.chain)")
          Output.standard.print("The log is intact; all \(payloads) payloads match their schemas.")
        }
      } catch {
        throw ToolFailure(error)
      }
    }
  }
}
