import ArgumentParser
import RetraceAvro
import RetraceLog
import RetraceStorage
import RetraceToolSupport

/// Checks a whole log.
struct VerifyCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the whole log: checksums, sequences, chain, schemas, every payload.",
    discussion: """
      Whether the app's code still folds the log to the recorded states is what `replay verify` \
      checks.

      EXAMPLE
        audit verify --json
      """)

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    let storage = try options.openLog()
    defer { storage.close() }
    do throws(StoreError) {
      let report = try storage.withSnapshot { (snapshot) throws(StoreError) in
        try snapshot.verify()
      }
      var payloads = 0
      try RecordDescription.forEach(in: storage, from: 1, through: report.records) { _ in
        payloads += 1
        return true
      }
      if options.json {
        Output.print([
          "records": .integer(Int64(clamping: report.records)),
          "blocks": .integer(Int64(clamping: report.blocks)),
          "bytes": .integer(Int64(clamping: report.bytes)), "payloads": .integer(Int64(payloads)),
          "chain": .string(report.chain.hex), "store": .string(storage.storeID.hex),
        ])
      } else {
        Output.print("store    \(storage.storeID.hex)")
        Output.print("records  \(report.records) in \(report.blocks) blocks")
        Output.print("bytes    \(report.bytes)")
        Output.print("chain    \(report.chain)")
        Output.print("The log is whole; all \(payloads) payloads were read by their schemas.")
      }
    } catch {
      throw ToolFailure(error)
    }
  }
}
