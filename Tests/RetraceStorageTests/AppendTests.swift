import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog
import RetraceState
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceStorage

@Suite("Appending")
struct AppendTests {
  @Test("Records come back gapless across many commits and reopenings", arguments: 1...4)
  func manyCommits(seed: UInt64) throws {
    try withDirectory { directory in
      var dice = SeededGenerator(seed: seed)
      var written: [Note] = []
      for _ in 0..<4 {
        let storage = try LogStorage.open(at: directory + "/store", access: .create)
        defer { storage.close() }
        #expect(try storage.notes() == written, "seed \(seed)")
        for _ in 0..<30 {
          let notes = randomNotes(Int.random(in: 1...30, using: &dice), using: &dice)
          let last = try storage.write(notes)
          written += notes
          #expect(last == UInt64(written.count + 1), "seed \(seed)")
        }
        #expect(try storage.notes() == written, "seed \(seed)")
        let report = try storage.report()
        #expect(report.damage == nil, "seed \(seed)")
        #expect(report.records == UInt64(written.count + 1))
        #expect(try report.chain == storage.head().chain)
      }
    }
  }

  @Test("A range of records can be read from anywhere to anywhere")
  func ranges() throws {
    try withDirectory { directory in
      var dice = SeededGenerator(seed: 9)
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      let notes = randomNotes(500, using: &dice)
      try storage.write(notes)
      for _ in 0..<40 {
        let first = UInt64.random(in: 2...501, using: &dice)
        let last = UInt64.random(in: first...501, using: &dice)
        let read = try storage.withReadView { view throws(StoreError) in
          var read: [UInt64] = []
          try view.scan(from: first, through: last) { record throws(StoreError) in
            read.append(record.sequence)
          }
          return read
        }
        #expect(read == Array(first...last))
      }
      let error = storeError { () throws(StoreError) in
        try storage.withReadView { view throws(StoreError) in
          try view.scan(from: 500, through: 502) { _ throws(StoreError) in }
        }
      }
      #expect(error?.code == .damaged(sequence: 502))
    }
  }

  @Test("Each record's chain digest belongs to the log which ends with it")
  func chains() throws {
    try withDirectory { directory in
      var dice = SeededGenerator(seed: 4)
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      var heads: [Head] = []
      for _ in 0..<120 {
        try storage.write(randomNotes(3, using: &dice))
        heads.append(try storage.head())
      }
      for head in heads {
        let chain = try storage.withReadView { view throws(StoreError) in
          try view.chain(at: head.sequence)
        }
        #expect(chain == head.chain)
      }
    }
  }

  @Test("A body that throws or appends nothing leaves nothing behind")
  func aborts() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      try storage.write([Note(text: [1], moment: 1)])
      let head = try storage.head()
      let refusal = StoreError(.overloaded, what: "", why: "", advice: "")
      let error = storeError { () throws(StoreError) in
        try storage.append { appender throws(StoreError) in
          for _ in 0..<2000 {
            try appender.append(
              Envelope(session: 1, moment: Moment(microseconds: 0), schema: 1),
              payload: [UInt8](repeating: 1, count: 100).span)
          }
          throw refusal
        }
      }
      #expect(error == refusal)
      #expect(try storage.head() == head)
      let seen = try storage.append { appender throws(StoreError) in
        _ = try appender.schemaNumber(json: "\"string\"")
        return appender.head
      }
      #expect(seen == head)
      try storage.write([Note(text: [2], moment: 2)])
      #expect(try storage.notes().map(\.text) == [[1], [2]])
      #expect(try storage.report().damage == nil)
      let schema = try storage.withReadView { view throws(StoreError) in
        try view.schema(2)
      }
      #expect(schema == nil)
    }
  }

  @Test("A record that is too large is refused, and its batch with it")
  func tooLarge() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      let large = Note(text: [UInt8](repeating: 0, count: LogFormat.actionBytesMax), moment: 0)
      let larger = Note(text: large.text + [0], moment: 0)
      try storage.write([large])
      let error = storeError { () throws(StoreError) in
        try storage.write([Note(text: [1], moment: 0), larger])
      }
      #expect(error?.code == .recordTooLarge)
      #expect(try storage.notes() == [large])
    }
  }

  @Test func `a schema is found by its digest, and by its text where a log has no digest`() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      try storage.write([Note(text: [], moment: 0)])
      let digest = try storage.withReadView { view throws(StoreError) in try view.schemaDigest(1) }
      #expect(digest == SHA256Hasher.digest(of: "\"bytes\"".utf8.span))
      /// Changes the stored digest of the schema "bytes", then looks the schema up.
      func number(storing value: [UInt8]?) throws(StoreError) -> UInt32 {
        try storage.append { appender throws(StoreError) in
          let meta = appender.databases.meta
          let key = LogDatabases.schemaDigestKey(1)
          do throws(LMDBError) {
            if let value {
              try appender.transaction.put(value.span, for: key.span, in: meta)
            } else {
              _ = try appender.transaction.delete(key.span, in: meta)
            }
          } catch {
            throw StoreError(error, in: directory, doing: "be written")
          }
          let number = try appender.schemaNumber(json: "\"bytes\"")
          try appender.append(
            Envelope(session: 1, moment: Moment(microseconds: 0), schema: 1), payload: key.span)
          return number
        }
      }
      #expect(try number(storing: nil) == 1)
      #expect(try storage.report().damage == nil)
      // A wrong digest does not give the schema's number to another schema, and is reported.
      let other = SHA256Hasher.digest(of: "\"string\"".utf8.span).bytes
      #expect(try number(storing: other) == 2)
      let error = storeError { () throws(StoreError) in
        try storage.withReadView { view throws(StoreError) in _ = try view.verify() }
      }
      #expect(error?.code == .damaged(sequence: 1))
      let why = try #require(error).why
      #expect(why.contains("schema 1"))
    }
  }

  @Test("Schemas are kept once, by their text")
  func schemas() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      try storage.write([Note(text: [], moment: 0)])
      let numbers = try storage.append { appender throws(StoreError) in
        var numbers: [UInt32] = []
        for name in ["string", "bytes", "string", "long"] {
          let number = try appender.schemaNumber(json: "\"\(name)\"")
          numbers.append(number)
        }
        let payload = numbers.map { UInt8($0) }
        try appender.append(
          Envelope(session: 1, moment: Moment(microseconds: 0), schema: numbers[3]),
          payload: payload.span)
        return numbers
      }
      #expect(numbers == [2, 1, 2, 3])
      let texts = try storage.withReadView { view throws(StoreError) in
        var texts: [String?] = []
        for number in UInt32(1)...3 {
          let text = try view.schema(number)
          texts.append(text)
        }
        return texts
      }
      #expect(texts == ["\"bytes\"", "\"string\"", "\"long\""])
      #expect(try storage.report().damage == nil)
    }
  }

  @Test("A reader sees the commits before its transaction, and does not block the writer")
  func snapshots() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      try storage.write([Note(text: [1], moment: 1)])
      try storage.withReadView { view throws(StoreError) in
        let before = view.head
        try storage.write([Note(text: [2], moment: 2)])
        #expect(view.head == before)
        #expect(try view.verifyLog(with: SHA256Hasher.self).records == before.sequence)
      }
      #expect(try storage.head().sequence == 3)
    }
  }

  @Test("Closing ends everything, and later calls are refused")
  func closing() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      try storage.write([Note(text: [1], moment: 1)])
      storage.close()
      storage.close()
      #expect(storeError { () throws(StoreError) in try storage.head() }?.code == .closed)
      let error = storeError { () throws(StoreError) in
        try storage.write([Note(text: [1], moment: 1)])
      }
      #expect(error?.code == .closed)
      let again = try LogStorage.open(at: directory + "/store", access: .write)
      defer { again.close() }
      #expect(try again.notes().count == 1)
    }
  }
}
