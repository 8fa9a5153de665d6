import RetraceArchitecture
import RetraceLog
import RetraceSystem
import RetraceStorage
import RetraceTesting
import Testing
import ToolTestSupport

/// Salvage of logs that older builds wrote: what is kept is the beginning of the migrated log.
@Suite struct GoldenSalvageTests {
  private struct Record: Equatable {
    var envelope: Envelope
    var payload: [UInt8]
  }

  private func records(_ path: String) throws -> [Record] {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    #expect(storage.version == LogFormat.version)
    var records: [Record] = []
    try storage.withReadView { view throws(StoreError) in
      try view.verify()
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        envelope, payload throws(StoreError) in
        records.append(
          Record(envelope: envelope, payload: [UInt8](payload)))
      }
    }
    return records
  }

  @Test(arguments: GoldenLog.all.map(\.name))
  func `a log of any version is salvaged as far as it is whole`(name: String) throws {
    try withSeed("golden salvage of \(name)") { random in
      try GoldenLog(name: name).withCopy { path in
        let old = try LogStorage.open(at: path, access: .read)
        let version = old.version
        let current = version == LogFormat.version ? path : path + "-migrated"
        if current != path { _ = try old.migrate(to: current) }
        old.close()
        let all = try records(current)
        let copy = path + "-copy"
        let whole = try LogStorage.salvage(path, to: copy)
        #expect(whole.isComplete && whole.version == version)
        #expect(try records(copy) == all)
        try FileSystem.removeTree(copy)
        let data = try FileSystem.readWhole(path + "/data.mdb", limitBytes: 1 << 24)
        // Without meta pages no tree is known, and every schema has to be found by its bytes.
        var bare = data
        for place in 0..<8192 { bare[place] = 0 }
        try OpenFile.open(path + "/data.mdb", [.write]).write(bare.span, at: 0)
        let found = try LogStorage.salvage(path, to: copy)
        #expect(found.isComplete, "\(found)")
        #expect(try records(copy) == all)
        try FileSystem.removeTree(copy)
        for round in 0..<repetitions(200) {
          var changed = data
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<data.count, using: &random)
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
          }
          try OpenFile.open(path + "/data.mdb", [.write]).write(changed.span, at: 0)
          do {
            let report = try LogStorage.salvage(path, to: copy)
            let kept = try records(copy)
            #expect(kept == Array(all.prefix(kept.count)), "round \(round)")
            #expect(UInt64(kept.count) == report.head.sequence)
            try FileSystem.removeTree(copy)
          } catch {
            let code = (error as? StoreError)?.code
            #expect(code == .damaged(sequence: 1), "round \(round): \(error)")
          }
        }
      }
    }
  }
}
