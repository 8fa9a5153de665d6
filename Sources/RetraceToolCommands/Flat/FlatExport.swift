import Retrace
package import RetraceStorage

/// Writes the records of a log as rows of the same nine columns, which all readers of tables read.
///
/// No value is null or absent: an empty text stands for none. The payload is a text that holds the
/// JSON that `audit list --json` prints. Each record is decoded once, from the block into the
/// buffer of rows.
package struct FlatExport: ~Copyable {
  /// The names of the columns.
  ///
  /// `entity` and `id` name the first id in the payload; for a command, they name the first
  /// id that is a value of its cases. `who` is the user and the machine of the session.
  package static let columns = [
    "sequence", "kind", "session", "moment", "action", "entity", "id", "who", "payload",
  ]

  private let format: FlatFormat
  private let isExact: Bool
  private var rows = AvroWriter(capacity: 1 << 20)
  private var payload: PayloadWriter
  /// What precedes the value of each column, with the quotation marks around texts.
  private let separators: [[UInt8]]
  private let kinds = RecordKind.allCases.map { Array("\($0)".utf8) }
  private var programs: [UInt32: PayloadProgram] = [:]
  private var systemPrograms: [RecordKind: PayloadProgram] = [:]
  /// The program of the last action.
  private var latest: (schema: UInt32, program: PayloadProgram)?
  /// The schemas whose fingerprint was compared with the one that a session recorded.
  private var checkedSchemas: Set<UInt32> = []
  /// The numbers for which the log has no schema that can be read.
  private var missing: Set<UInt32> = []
  private var origins = SessionOrigins()
  /// The session of the last row, and its user inside the quotation marks of a field.
  private var session: (number: UInt64, who: [UInt8]) = (0, [])
  /// The day of the last row since 1970, and its date.
  private var day: (number: Int64, date: [UInt8]) = (.min, [])

  /// Creates an export without rows.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - isExact: Whether texts that a spreadsheet would compute get no apostrophe; for CSV.
  package init(_ format: FlatFormat, isExact: Bool) {
    self.format = format
    self.isExact = isExact || format != .csv
    payload = PayloadWriter(format)
    let numbers = ["sequence", "session"]
    separators = Self.columns.enumerated().map { index, name in
      let hasEnd = index > 0 && !numbers.contains(Self.columns[index - 1])
      var text = (hasEnd ? "\"" : "") + (index > 0 ? "," : format == .jsonl ? "{" : "")
      if format == .jsonl { text += "\"\(name)\":" }
      if !numbers.contains(name) { text += "\"" }
      return Array(text.utf8)
    }
    guard format == .csv else { return }
    rows.raw(Array((Self.columns.joined(separator: ",") + "\n").utf8))
  }

  /// The most records that are read in one transaction.
  private static var recordsPerTransaction: UInt64 { 8_192 }
  /// The most bytes of rows before they are passed on, apart from the last row.
  private static var bytesMax: Int { 4 << 20 }

  /// Writes the rows of the records from the first one on.
  ///
  /// No read transaction is open while `receive` runs, so it may block. Memory is bounded by 4 MiB
  /// of rows and the largest row.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - last: The last record, which the log has to reach.
  ///   - receive: Receives complete rows, and returns whether to continue.
  /// - Complexity: O(bytes of the payloads).
  /// - Throws: `damaged` with the sequence of a record that cannot be read; the rows before it were
  ///   received.
  package mutating func write(
    _ storage: LogStorage, through last: UInt64, to receive: (Span<UInt8>) -> Bool
  ) throws(StoreError) {
    var next: UInt64 = 1
    repeat {
      var failure: StoreError?
      do throws(StoreError) {
        next = try append(storage, from: next, through: last)
      } catch {
        failure = error
      }
      let goesOn = receive(rows.span)
      rows.removeAll()
      if let failure { throw failure }
      guard goesOn else { return }
    } while next <= last
  }

  /// Appends rows, and returns the sequence of the first record that was not read.
  private mutating func append(
    _ storage: LogStorage, from first: UInt64, through last: UInt64
  ) throws(StoreError) -> UInt64 {
    guard first <= last else { return first }
    var next = first
    let end = min(last, first + Self.recordsPerTransaction - 1)
    try storage.withReadView { (view) throws(StoreError) in
      try view.scan(from: first, through: end) { record throws(StoreError) in
        guard record.sequence == next, rows.count < Self.bytesMax else { return }
        try append(record, in: view)
        next += 1
      }
    }
    return next
  }

  private mutating func append(
    _ record: borrowing RecordCursor, in view: borrowing ReadView
  ) throws(StoreError) {
    payload.removeAll()
    try writePayload(of: record, in: view)
    if record.session != session.number {
      let who = try origins.user(of: record.session, in: view)
      session = (record.session, field(who))
    }
    let quote = UInt8(ascii: "\"")
    rows.raw(separators[0])
    rows.decimal(Int64(clamping: record.sequence))
    rows.raw(separators[1])
    rows.raw(kinds[Int(record.kind.rawValue)])
    rows.raw(separators[2])
    rows.decimal(Int64(clamping: record.session))
    rows.raw(separators[3])
    put(record.moment)
    rows.raw(separators[4])
    rows.raw(payload.action.span)
    rows.raw(separators[5])
    rows.raw(payload.entity.span)
    rows.raw(separators[6])
    if let id = payload.id { rows.decimal(id) }
    rows.raw(separators[7])
    rows.raw(session.who)
    rows.raw(separators[8])
    rows.raw(payload.text.span)
    rows.byte(quote)
    if format == .jsonl { rows.byte(UInt8(ascii: "}")) }
    rows.byte(UInt8(ascii: "\n"))
  }

  /// Returns a text as it is inside the quotation marks of a field.
  private func field(_ text: String) -> [UInt8] {
    format.escaped(isExact ? text : SpreadsheetText.marked(text))
  }

  /// Writes a moment as RFC 3339 in UTC, with six digits of a second.
  private mutating func put(_ moment: Moment) {
    let perDay: Int64 = 86_400_000_000
    var number = moment.microseconds / perDay
    var rest = moment.microseconds % perDay
    if rest < 0 {
      rest += perDay
      number -= 1
    }
    if number != day.number {
      day = (number, Array("\(CivilDate(daysSince1970: Int(number)))T".utf8))
    }
    rows.raw(day.date)
    let second = rest / 1_000_000
    put(second / 3_600, digits: 2)
    rows.byte(UInt8(ascii: ":"))
    put(second / 60 % 60, digits: 2)
    rows.byte(UInt8(ascii: ":"))
    put(second % 60, digits: 2)
    rows.byte(UInt8(ascii: "."))
    put(rest % 1_000_000, digits: 6)
    rows.byte(UInt8(ascii: "Z"))
  }

  private mutating func put(_ number: Int64, digits: Int) {
    var unit: Int64 = digits == 2 ? 10 : 100_000
    while unit > 0 {
      rows.byte(UInt8(ascii: "0") + UInt8(number / unit % 10))
      unit /= 10
    }
  }
}

// MARK: - Payloads

extension FlatExport {
  private mutating func writePayload(
    of record: borrowing RecordCursor, in view: borrowing ReadView
  ) throws(StoreError) {
    let program: PayloadProgram? =
      switch record.kind {
      case .action: try actionProgram(record.schema, of: record, in: view)
      case .sessionOpened, .sessionClosed, .effectFinished, .clockJumped:
        try systemProgram(of: record.kind, record.sequence, in: view)
      case .command, .crashed: nil
      }
    do throws(AvroError) {
      if let program {
        try payload.write(record.payload, by: program, hasCases: record.kind == .action)
      } else if record.kind == .command {
        write(try RecordedCommand(encoded: record.payload), in: view)
      } else {
        write(try Crashed(encoded: record.payload), in: view)
      }
    } catch {
      throw StoreError.damaged(sequence: record.sequence, payload: error)
    }
  }

  private mutating func write(_ command: RecordedCommand, in view: borrowing ReadView) {
    payload.put(json: "{\"sentFrom\":\"\(command.origin.symbol)\",\"command\":")
    write(command.command, hasCases: true, ids: .ofCases, in: view)
    payload.put(json: ",\"refusal\":")
    if let refusal = command.refusal {
      write(refusal, hasCases: false, ids: .none, in: view)
    } else {
      payload.put(json: "null")
    }
    payload.put(json: "}")
  }

  private mutating func write(
    _ value: RecordedCommand.Encoded, hasCases: Bool, ids: PayloadWriter.IDs,
    in view: borrowing ReadView
  ) {
    let program = self.program(LogFormat.commandSchemaNumber(value.schema), in: view)
    payload.write(embedded: value.bytes.span, by: program, hasCases: hasCases, ids: ids)
  }

  private mutating func write(_ crashed: Crashed, in view: borrowing ReadView) {
    payload.put(json: "{\"session\":")
    payload.put(Int64(clamping: crashed.session))
    payload.put(json: ",\"moment\":")
    payload.put(crashed.moment.microseconds)
    payload.put(json: ",\"schema\":")
    payload.put(Int64(crashed.schema))
    payload.put(json: ",\"batch\":")
    payload.put(Int64(crashed.batch))
    payload.put(json: ",\"actions\":[")
    let program = self.program(crashed.schema, in: view)
    for (index, action) in crashed.actions.enumerated() {
      if index > 0 { payload.put(json: ",") }
      payload.write(embedded: action.span, by: program, hasCases: false)
    }
    payload.put(json: "]}")
  }

  /// Returns the program of values within payloads; `nil` if the log lacks their schema.
  private mutating func program(_ number: UInt32, in view: borrowing ReadView) -> PayloadProgram? {
    if let known = programs[number] { return known }
    guard !missing.contains(number) else { return nil }
    guard let schema = try? view.parsedSchema(number, of: 0),
      let program = try? PayloadProgram(schema, format)
    else {
      missing.insert(number)
      return nil
    }
    programs[number] = program
    return program
  }

  private mutating func actionProgram(
    _ number: UInt32, of record: borrowing RecordCursor, in view: borrowing ReadView
  ) throws(StoreError) -> PayloadProgram {
    if let latest, latest.schema == number { return latest.program }
    // A crashed batch may have been written with the schema before.
    if checkedSchemas.insert(number).inserted {
      try view.checkSchema(number, ofSession: record.session)
    }
    let found: PayloadProgram
    if let known = programs[number] {
      found = known
    } else {
      let schema = try view.parsedSchema(number, of: record.sequence)
      found = try Self.program(schema, format, of: record.sequence)
      programs[number] = found
    }
    latest = (number, found)
    return found
  }

  private mutating func systemProgram(
    of kind: RecordKind, _ sequence: UInt64, in view: borrowing ReadView
  ) throws(StoreError) -> PayloadProgram {
    if let known = systemPrograms[kind] { return known }
    let schema = kind.payloadSchema(ofVersion: view.version)
    let program = try Self.program(schema, format, of: sequence)
    systemPrograms[kind] = program
    return program
  }

  private static func program(
    _ schema: Schema, _ format: FlatFormat, of sequence: UInt64
  ) throws(StoreError) -> PayloadProgram {
    do throws(AvroError) {
      return try PayloadProgram(schema, format)
    } catch {
      throw StoreError.damaged(sequence: sequence, schema: error)
    }
  }
}
