import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceRecording
import RetraceReplay
import RetraceStorage
import Testing
import ToolTestSupport

/// Logs of older versions of the format, copied into stores of the current version.
@Suite struct MigrationTests {
  /// A record without what a migration changes.
  private struct Kept: Equatable {
    var envelope: Envelope
    var payload: [UInt8]
  }

  private func records(_ storage: LogStorage) throws -> [Kept] {
    try storage.withReadView { (view) throws(StoreError) in
      var records: [Kept] = []
      try view.forEachRecord(from: 1, through: view.head.sequence) { envelope, payload in
        records.append(Kept(envelope: envelope, payload: [UInt8](payload)))
      }
      return records
    }
  }

  @Test(arguments: GoldenLog.ofOlderVersions)
  func `everything but the version and the chain stays`(log: GoldenLog) throws {
    try log.withCopy { path in
      let original = try LogStorage.open(at: path, access: .read)
      let before = try LogContent(of: original)
      let copy = try original.migrate(to: path + "-2")
      let migrated = try LogStorage.open(at: copy.path, access: .read)
      defer { migrated.close() }
      let version = original.version
      #expect(version < LogFormat.version && migrated.version == LogFormat.version)
      #expect(migrated.storeID == original.storeID)
      #expect(try LogContent(of: migrated).schemas == before.schemas)
      #expect(copy.head.sequence == before.head.sequence && copy.head.chain != before.head.chain)
      for (old, new) in zip(try records(original), try records(migrated)) {
        #expect(new.envelope == old.envelope)
        switch new.envelope.kind {
        case .sessionOpened:
          let opened = try SessionOpened(encoded: new.payload.span)
          #expect(try opened == SessionOpened(encoded: old.payload.span, version: version))
          #expect(opened.sleptMilliseconds == nil)
        case .sessionClosed:
          let closed = try SessionClosed(encoded: new.payload.span)
          #expect(try closed == SessionClosed(encoded: old.payload.span, version: version))
        default: #expect(new.payload == old.payload)
        }
      }
      original.close()
      #expect(try GoldenLog.digest(ofFile: path + "/data.mdb") == log.digest(of: "data.mdb"))
      #expect(try GoldenLog.digest(ofFile: path + "/FORMAT") == log.digest(of: "FORMAT"))
      try check(
        copy.path, version: LogFormat.version, records: copy.head.sequence, chain: copy.head.chain)
    }
  }

  /// Checks a store with the script that knows nothing but the page on the format.
  private func check(
    _ path: String, version: UInt8, records: UInt64, chain: Digest
  ) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Format/verify.py").path
    let told = try ChildProcess.run("/usr/bin/env", ["python3", script, path, "--json"])
    #expect(told.exit == .exited(0))
    let found = try JSONValue(parsing: String(decoding: told.output, as: UTF8.self))
    #expect(found["version"] == .integer(Int64(version)))
    #expect(found["records"] == .integer(Int64(records)))
    #expect(found["chain"] == .string(chain.hex))
  }

  @Test(arguments: GoldenLog.ofOlderVersions)
  func `a store of an older version is verified, and not written`(log: GoldenLog) throws {
    try log.withCopy { path in
      let storage = try LogStorage.open(at: path, access: .read)
      _ = try storage.withReadView { (view) throws(StoreError) in try view.verify() }
      storage.close()
      do throws(StoreError) {
        try LogStorage.open(at: path, access: .write).close()
        Issue.record("it was opened for writing")
      } catch {
        #expect(error.code == .incompatible && error.remedy == .migrate(directory: path))
      }
    }
  }

  @Test func `an app goes on with a migrated log, and its state hashes agree`() throws {
    try expectGoingOn(ShelfV1.self, at: 1, .placed(title: "Next", pages: 1))
    try expectGoingOn(ShelfV2.self, at: 2, .placed(name: "Next", pages: 1))
    try expectGoingOn(ShelfV3.self, at: 3, .placed(name: "Next", pages: 1, language: "en"))
    try expectGoingOn(ShelfV4.self, at: 4, .placed(name: "Next", pages: 1, language: "en"))
    try expectGoingOn(ShelfV5.self, at: 5, .placed(name: "Next", pages: 1, language: "en"))
  }

  private func expectGoingOn<App: SummarizedShelf>(
    _ app: App.Type, at version: Int, _ action: App.SceneAction
  ) throws {
    try GoldenLog(name: "shelf-\(version)").withMigratedCopy { path in
      let first = try LogStorage.open(at: path, access: .read)
      let head = try first.head()
      let verified = try Verifier<App>.verify(first)
      #expect(verified.firstDivergence == nil)
      #expect(verified.compared == 2 && verified.notComparable == 0)
      first.close()
      let store = try Store<App>.openBlocking(
        at: path, creating: false, configuration: StoreConfiguration())
      let receipt = try store.sendBlocking([action])
      #expect(receipt.sequences == head.sequence + 2..<head.sequence + 3)
      #expect(App.summary(of: store.state).books.last?.name == "Next")
      try store.closeBlocking()
    }
  }

  @Test func `a store that cannot be migrated is refused, and no file is left`() throws {
    try GoldenLog(name: "tracker-1-long").withMigratedCopy { path in
      let folder = (path as NSString).deletingLastPathComponent
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      func code(_ path: String, to destination: String) throws -> StoreError.Code? {
        let storage = try LogStorage.open(at: path, access: .read)
        defer { storage.close() }
        do throws(StoreError) {
          _ = try storage.migrate(to: destination)
          return nil
        } catch {
          return error.code
        }
      }
      #expect(try code(path, to: folder + "/new") == .incompatible)
      let old = folder + "/store"
      #expect(try code(old, to: path) == .destinationExists)
      #expect(try code(old, to: folder + "/none/new") != nil)
      let data = try OpenFile.open(old + "/data.mdb", [.write])
      // A byte of the first block is turned; a store opens by its last.
      let bytes = try FileSystem.readWhole(old + "/data.mdb", limitBytes: 1 << 24)
      let text = Array("first entry".utf8)
      for place in bytes.indices where bytes[place...].starts(with: text) {
        try data.write([UInt8(ascii: "F")].span, at: place)
      }
      guard case .damaged = try code(old, to: folder + "/new") else {
        Issue.record("a damaged log was migrated")
        return
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
    }
  }

  @Test func `no process can write the original while it is migrated`() throws {
    try GoldenLog(name: "shelf-1").withCopy { path in
      let writer = ByteRangeLock(
        try OpenFile.open(path + "/owner.lock", [.read, .write, .create], mode: 0o600))
      let byte = 1 << 62
      #expect(try writer.tryShared(at: byte))
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      do throws(StoreError) {
        _ = try storage.migrate(to: path + "-2")
        Issue.record("a store that is being written was migrated")
      } catch {
        guard case .inUse = error.code else { throw error }
      }
      try writer.release(at: byte)
      _ = try storage.migrate(to: path + "-2")
      #expect(try !writer.tryShared(at: byte))
    }
  }

  @Test func `every kind of record of version 2 is read`() throws {
    try GoldenLog(name: "tracker-2").reading { storage in
      let head = try storage.head()
      let kinds = try records(storage).map(\.envelope.kind)
      #expect(Set(kinds) == Set(RecordKind.allCases))
      let sessions = try SessionSummary.all(in: storage)
      #expect(sessions.map(\.end) == [.signalled(15), .foundDead, .closed, nil])
      let origin = SessionOrigin(
        login: "anna", host: "desk", process: 4_321, isClockFixed: true)
      #expect(sessions.map(\.opened.origin) == [origin, origin, origin, nil])
      _ = try storage.withReadView { (view) throws(StoreError) in try view.verify() }
      try check(storage.path, version: 2, records: head.sequence, chain: head.chain)
    }
  }
}
