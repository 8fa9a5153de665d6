import ArgumentParser
import Retrace
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// Exports the log as an Avro container file.
struct AuditExportCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export every record as one object of an Avro container file.",
    discussion: """
      The file carries its schema; fastavro and Apache Avro read it. An existing file is not \
      overwritten. The same log gives the same bytes. Records after --through are not read, so the \
      records before a damaged one can be exported.

      EXAMPLES
        audit export --output records.avro
        audit export --output records.avro --through 1200
      """)

  @OptionGroup var options: StoreOptions

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "The last record to export; the default is the last of the log.", valueName: "sequence"))
  var through: UInt64?

  func perform() throws(ToolFailure) {
    try options.withLog(or: Audit.store, checkingEnd: through == nil) {
      storage throws(ToolFailure) in
      let count: Int
      do {
        count = try export(storage)
      } catch let error as ToolFailure {
        throw error
      } catch let error as StoreError {
        throw ToolFailure(error)
      } catch let error as SystemError {
        throw failure(error)
      } catch {
        throw ToolFailure(
          what: "The log was not exported.", why: "\(error)",
          advice: "Check it with `audit verify`.", exitCode: ToolExit.damaged)
      }
      if options.json {
        Output.standard.print(["records": .integer(Int64(count)), "output": .string(output)])
      } else {
        Output.standard.print("\(count) records were exported to \(output).")
      }
    }
  }

  private func export(_ storage: LogStorage) throws -> Int {
    let end = try storage.head().sequence
    let last = through ?? end
    guard last <= end, through != 0 else {
      throw ToolFailure.noRecord(last, first: 1, last: end, option: " with --through")
    }
    let file = try OpenFile.open(output, [.write, .create, .exclusive, .noFollow], mode: 0o600)
    do {
      let count = try write(storage, through: last, to: file)
      try file.synchronize()
      return count
    } catch {
      // An incomplete file is removed, so that it cannot be taken for the whole log.
      try? FileSystem.unlink(output)
      throw error
    }
  }

  private func write(
    _ storage: LogStorage, through last: UInt64, to file: borrowing OpenFile
  ) throws -> Int {
    var failure: SystemError?
    var position = 0
    let count = try storage.withReadView { (view) throws(StoreError) -> Int in
      let export = try RecordExport(view)
      let chain = last == 0 ? Digest.zero : try view.chain(at: last)
      var writer = ContainerWriter(
        schema: export.schema,
        metadata: [
          ("retrace.store", Array(view.storeID.hex.utf8)),
          ("retrace.chain", Array(chain.hex.utf8)),
        ],
        marker: Array(chain.bytes.prefix(ContainerWriter.markerByteCount)))
      var record = AvroWriter()
      if last > 0 {
        try view.forEachRecord(from: 1, through: last) {
          (envelope, payload) throws(StoreError) in
          guard failure == nil else { return }
          record.removeAll()
          try export.encode(envelope, payload, into: &record)
          writer.append(encoded: record.span)
          if writer.pendingCount > 1 << 20 {
            failure = Self.drain(&writer, to: file, at: &position)
          }
        }
      }
      writer.closeBlock()
      failure = failure ?? Self.drain(&writer, to: file, at: &position)
      return writer.count
    }
    if let failure { throw failure }
    return count
  }

  private static func drain(
    _ writer: inout ContainerWriter, to file: borrowing OpenFile, at position: inout Int
  ) -> SystemError? {
    var start = position
    do throws(SystemError) {
      try writer.drain { bytes throws(SystemError) in
        try file.write(bytes, at: start)
        start += bytes.count
      }
      position = start
      return nil
    } catch {
      return error
    }
  }

  private func failure(_ error: SystemError) -> ToolFailure {
    let exists = error.code == .fileExists
    return ToolFailure(
      what: "The log was not exported to \(output).",
      why: exists ? "The file exists already." : "\(error).",
      advice: exists
        ? "Give another file with --output, or remove that one."
        : "Check the folder, its permissions and the free space, and try again.",
      exitCode: exists ? ToolExit.usage : ToolExit.storage)
  }
}
