import RetraceState
import RetraceSchema
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceReplay

@Suite struct EntityHistoryTests {
  @Test func `the history of a counter is every record before and after which it differs`() throws {
    try withSeed("EntityHistory") { random in
      try CounterLog.withDirectory { path in
        _ = try CounterLog.record(600, in: 3, at: path, &random)
        try CounterLog.reading(path) { storage in
          let states = try CounterLog.states(of: storage)
          let last = try #require(states.last).counters.nextID.value
          var found = 0
          for id in 0..<min(last, 40) {
            let key = CounterID(value: id)
            let plain = states.indices.dropFirst().filter {
              states[$0].counters[key] != states[$0 - 1].counters[key]
            }
            for type in ["CounterEntity", "CounterID"] {
              var replayer = try Replayer<CounterApp>(storage)
              var told: [Int] = []
              let known = try replayer.forEachChange(
                of: EntityName(type: type, id: id), through: replayer.last
              ) { event in
                told.append(Int(event.envelope.sequence))
                let (old, new) = (
                  states[told[told.count - 1] - 1].counters[key],
                  states[told[told.count - 1]].counters[key]
                )
                let kind: StateChange.Kind =
                  old == nil ? .created : new == nil ? .removed : .changed
                #expect(event.change.kind == kind)
                let count = event.change.fields.first { $0.path == "count" }
                if old?.count != new?.count {
                  #expect(count?.before?.integerValue == old?.count)
                  #expect(count?.after?.integerValue == new?.count)
                }
                return true
              }
              #expect(known && told == plain, "\(type)=\(id)")
              found += told.count
            }
          }
          #expect(found > 100)
          var replayer = try Replayer<CounterApp>(storage)
          let known = try replayer.forEachChange(
            of: EntityName(type: "Nothing", id: 0), through: replayer.last
          ) { _ in true }
          #expect(!known)
        }
      }
    }
  }

  @Test func `an entity on a damaged page of a snapshot is not taken for a new one`() throws {
    try CounterLog.withDirectory { path in
      var configuration = StoreConfiguration()
      configuration.snapshots = SnapshotPolicy(interval: 100_000, closingInterval: 1)
      let first = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
      let batch = (0..<1_500).map { CounterAction.noticed("\($0)") }
      try first.sendBlocking([.added(name: "a")] + batch)
      try first.closeBlocking()
      configuration.snapshots.closingInterval = 100_000
      let second = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
      let changed = try second.sendBlocking([.counted(CounterID(value: 0), by: 2)]).sequence
      try second.closeBlocking()
      try CounterLog.reading(path) { storage in
        var replayer = try Replayer<CounterApp>(storage)
        try replayer.seek(to: changed - 1)
        #expect(replayer.snapshotUse.used != nil && replayer.snapshotUse.notice == nil)
        // Everything but the two meta pages.
        let file = path + "/derived/data.mdb"
        var bytes = try FileSystem.readWhole(file, limitBytes: 1 << 26)
        for index in 8_192..<bytes.count { bytes[index] ^= 0x55 }
        try OpenFile.open(file, [.write]).write(bytes.span, at: 0)
        var found: [(sequence: UInt64, kind: StateChange.Kind)] = []
        _ = try replayer.forEachChange(
          of: EntityName(type: "CounterEntity", id: 0), through: replayer.last
        ) { entry in
          found.append((entry.envelope.sequence, entry.change.kind))
          return true
        }
        #expect(replayer.snapshotUse.notice?.contains("damaged") == true)
        #expect(found.map(\.sequence) == [changed] && found.map(\.kind) == [.changed])
      }
    }
  }

  @Test func `an entity is named by type and number`() {
    #expect(EntityName("TimeEntry=42") == EntityName(type: "TimeEntry", id: 42))
    #expect(EntityName("A.B=-1") == EntityName(type: "A.B", id: -1))
    for text in ["", "TimeEntry", "=4", "TimeEntry=", "TimeEntry=x", "a=1=2"] {
      #expect(EntityName(text) == nil, "\(text)")
    }
    #expect(EntityName.typeNames(in: CounterState()) == ["CounterEntity"])
  }
}
