import ArgumentParser
import Retrace
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// Exports the records as an Avro container file or as flat rows.
struct AuditExportCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export every record, as Avro or as flat rows of CSV or JSON Lines.",
    discussion: """
      Without --flat, --output gets an Avro container file with one object per record, which \
      carries its schema: actions, commands, refusals and crashed actions are records of it. \
      fastavro and Apache Avro read it. In fastavro, fastavro.reader(file, \
      return_record_name=True) keeps the names of the cases, which distinguish a start from a \
      stop. polars, DuckDB, pyarrow and Spark read no such file.

      With --flat, each record is a row of nine columns, which all of these read: sequence, kind, \
      session, moment, action, entity, id, who and payload. moment is RFC 3339 in UTC with six \
      digits of a second, entity and id are those of the first id in the payload, who is user and \
      machine of the session, and payload is a text that holds the JSON of `audit list --json`. A \
      command has the first id that it is given itself: one that creates an entity has none. No \
      value is null: an empty text stands for none. Without --output, rows are printed. In CSV an \
      apostrophe precedes a text that a spreadsheet would compute or that begins with one; --exact \
      leaves it out. Tools/parquet makes Parquet of JSON Lines.

      An existing file is not overwritten. The same log gives the same bytes. Records after \
      --through are not read, so the records before a damaged one can be exported.

      EXAMPLES
        audit export --output records.avro
        audit export --output records.avro --through 1200
        audit export --flat --output records.jsonl
        audit export --flat --output records.csv
        audit export --flat --format csv --exact > records.csv
      """)

  @OptionGroup var options: StoreOptions

  @Option(
    help: ArgumentHelp(
      "The file to write; with --flat, the default is standard output.", valueName: "file"))
  var output: String?

  @Flag(help: "Export flat rows and not Avro.")
  var flat = false

  @Option(
    help: ArgumentHelp(
      "With --flat, the format of the rows; the default is csv for a file *.csv, else jsonl.",
      valueName: "csv|jsonl"))
  var format: FlatFormat?

  @Flag(help: "In CSV, write texts as they are, for programs and not for spreadsheets.")
  var exact = false

  @Option(
    help: ArgumentHelp(
      "The last record to export, or the time up to which records are exported; the default is the "
        + "last record of the log.", valueName: "n|time"))
  var through: String?

  func perform() throws(ToolFailure) {
    try checkOptions()
    try options.withLog(or: Audit.store, checkingEnd: through == nil) {
      storage throws(ToolFailure) in
      let last = try self.last(of: storage)
      guard let output else { return try print(storage, through: last) }
      let count: Int
      do {
        count = try export(storage, through: last, to: output)
      } catch let error as ToolFailure {
        throw error
      } catch let error as StoreError {
        throw ToolFailure(error)
      } catch let error as SystemError {
        throw failure(error, output)
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

  private func checkOptions() throws(ToolFailure) {
    guard flat || output != nil else {
      throw .usage(
        "Avro is not printed.", advice: "Give a file with --output, or print rows with --flat.")
    }
    guard flat || format == nil else {
      throw .usage("--format is about flat rows.", advice: "Add --flat, or leave --format out.")
    }
    if let output, let ending, flat ? ending == "avro" : ending != "avro" {
      throw .usage(
        "\(output) would get \(flat ? "flat rows" : "Avro").",
        advice: flat
          ? "Leave out --flat, or give a name such as records.csv."
          : "Add --flat, or give a name such as records.avro.")
    }
    guard rowFormat == .csv || !exact else {
      throw .usage("--exact is about CSV.", advice: "Add --format csv, or leave --exact out.")
    }
    guard output != nil || format != .csv || !options.json else {
      throw .usage("--json and --format csv contradict each other.", advice: "Leave one out.")
    }
  }

  /// The ending of the name of the file, if it says what the file has.
  private var ending: String? {
    ["avro", "csv", "jsonl"].first { output?.lowercased().hasSuffix(".\($0)") == true }
  }

  /// The format of flat rows: the option's, or else the one that the name of the file shows.
  private var rowFormat: FlatFormat { format ?? (ending == "csv" ? .csv : .jsonl) }

  /// Returns the last record to export; 0 for an empty log.
  private func last(of storage: LogStorage) throws(ToolFailure) -> UInt64 {
    let end = try orFail(try storage.head().sequence)
    guard let through else { return end }
    var last = UInt64(through) ?? 0
    if UInt64(through) == nil {
      last = try HistoryEnd(through, option: "--through").position(in: storage)
    }
    guard last <= end, last > 0 else {
      throw ToolFailure.noRecord(last, first: 1, last: end, option: " with --through")
    }
    return last
  }

  /// Prints flat rows, which a terminal gets made safe.
  private func print(_ storage: LogStorage, through last: UInt64) throws(ToolFailure) {
    let isShown = Output.standard.streams.isTerminal(.output)
    var export = FlatExport(rowFormat, isExact: exact)
    do throws(StoreError) {
      try export.write(storage, through: last) { rows in
        let bytes = [UInt8](copying: rows)
        if isShown {
          let lines = String(decoding: bytes, as: UTF8.self)
          for line in lines.split(separator: "\n") {
            Output.standard.printRaw(SafeText.line(String(line), bytesMax: .max))
          }
        } else {
          Output.standard.printBytes(bytes)
        }
        return !Output.standard.hasFailed
      }
    } catch {
      throw ToolFailure(error)
    }
  }

  private func export(
    _ storage: LogStorage, through last: UInt64, to output: String
  ) throws -> Int {
    let file = try OpenFile.open(output, [.write, .create, .exclusive, .noFollow], mode: 0o600)
    do {
      let count =
        flat
        ? try writeRows(storage, through: last, to: file)
        : try write(storage, through: last, to: file)
      try file.synchronize()
      return count
    } catch {
      // An incomplete file is removed, so that it cannot be taken for the whole log.
      try? FileSystem.unlink(output)
      throw error
    }
  }

  private func writeRows(
    _ storage: LogStorage, through last: UInt64, to file: borrowing OpenFile
  ) throws -> Int {
    var failure: SystemError?
    var position = 0
    var export = FlatExport(rowFormat, isExact: exact)
    try export.write(storage, through: last) { rows in
      do throws(SystemError) {
        try file.write(rows, at: position)
        position += rows.count
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
    return Int(clamping: last)
  }

  private func write(
    _ storage: LogStorage, through last: UInt64, to file: borrowing OpenFile
  ) throws -> Int {
    var failure: SystemError?
    var position = 0
    let count = try storage.withReadView { (view) throws(StoreError) -> Int in
      var export = try RecordExport(view)
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
          try export.encode(envelope, payload, in: view, into: &record)
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

  private func failure(_ error: SystemError, _ output: String) -> ToolFailure {
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
