import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceReplay

@Suite struct ReplayerTests {
  @Test
  func `a random walk over a log meets the states of the store, byte by byte [L3, L5]`() throws {
    try withSeed("Replayer walk") { random in
      try CounterLog.withDirectory { path in
        let live = try CounterLog.record(1_500, in: 3, at: path, &random)
        try CounterLog.reading(path) { storage in
          let states = try CounterLog.states(of: storage)
          var replayer = try Replayer<CounterApp>(storage)
          #expect(replayer.last == UInt64(states.count - 1))
          // States are kept every 1,000 records at most, so that the walk crosses several.
          #expect(replayer.last > 3_000)
          for _ in 0..<repetitions(2_000) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
              let moved = try replayer.stepForward()
              #expect(moved || replayer.sequence == replayer.last)
            case 3...5:
              let moved = try replayer.stepBackward()
              #expect(moved || replayer.sequence == 0)
            default:
              try replayer.seek(to: UInt64.random(in: 0...replayer.last, using: &random))
            }
            let expected = states[Int(replayer.sequence)]
            let place = replayer.sequence
            #expect(replayer.state == expected, "at \(place)")
            #expect(replayer.stateHash() == expected.hash, "at \(place)")
          }
          // Right before, at and after the kept states, each from far away.
          for kept: UInt64 in [0, 1_000, 2_000, 3_000] {
            for place in (max(1, kept) - 1)...kept + 1 {
              try replayer.seek(to: replayer.last)
              try replayer.seek(to: place)
              #expect(replayer.sequence == place)
              #expect(replayer.state == states[Int(place)], "at \(place)")
            }
          }
          #expect(live.count == 60)
          for (sequence, state) in live {
            try replayer.seek(to: sequence)
            #expect(replayer.state == state, "the live store at \(sequence)")
            #expect(Self.bytes(of: replayer.state) == Self.bytes(of: state))
          }
        }
      }
    }
  }

  private static func bytes(of state: CounterState) -> [UInt8] {
    var writer = AvroWriter()
    state.encodeWhole(into: &writer)
    return writer.bytes
  }

  @Test func `steps count exactly one record, to both ends of the log`() throws {
    try CounterLog.withDirectory { path in
      try WrittenLog.write(
        [
          .opened(stateSchema: CounterState.fingerprint), .action(.added(name: "a")),
          .action(.counted(CounterID(value: 0), by: 4)), .closed(),
        ], at: path)
      try CounterLog.reading(path) { storage in
        var replayer = try Replayer<CounterApp>(storage)
        var forwards: [Int64] = []
        repeat { forwards.append(replayer.state.total) } while try replayer.stepForward()
        #expect(forwards == [0, 0, 0, 4, 4])
        #expect(replayer.sequence == 4)
        var backwards: [Int64] = []
        repeat { backwards.append(replayer.state.total) } while try replayer.stepBackward()
        #expect(backwards == forwards.reversed())
        #expect(replayer.sequence == 0)
      }
    }
  }

  @Test func `a step that cannot be read leaves the position unchanged`() throws {
    let records = (0..<1_500).map { WrittenLog.Item.action(.noticed("\($0)")) }
    try CounterLog.withDirectory { path in
      try WrittenLog.write([.opened(stateSchema: CounterState.fingerprint)] + records, at: path)
      try CounterLog.reading(path) { storage in
        var replayer = try Replayer<CounterApp>(storage)
        try replayer.seek(to: replayer.last)
        try replayer.seek(to: 1_001)
        let state = replayer.state
        // The record before has a checkpoint, so going back reads nothing.
        #expect(replayer.checkpointSequences == [0, 1_000])
        storage.close()
        #expect(throws: StoreError.self) { try replayer.currentStep() }
        #expect(replayer.sequence == 1_001 && replayer.state == state)
      }
    }
  }

  @Test func `an empty log has the state before the first record and nowhere to go`() throws {
    try CounterLog.withDirectory { path in
      try LogStorage.open(at: path, access: .create).close()
      try CounterLog.reading(path) { storage in
        var replayer = try Replayer<CounterApp>(storage)
        #expect(replayer.last == 0)
        #expect(try !replayer.stepForward())
        #expect(try !replayer.stepBackward())
        #expect(try !replayer.isInsideBatch())
        #expect(try replayer.batchEnd(atOrBefore: 0) == 0)
        #expect(try replayer.moment() == Moment(microseconds: 0))
        #expect(replayer.stateHash() == CounterState().hash)
      }
    }
  }

  @Test func `if states take much memory, only those around the position are kept`() throws {
    let records = (0..<14_000).map { WrittenLog.Item.action(.noticed("\($0)")) }
    try CounterLog.withDirectory { path in
      try WrittenLog.write([.opened(stateSchema: CounterState.fingerprint)] + records, at: path)
      try CounterLog.reading(path) { storage in
        var replayer = try Replayer<CounterApp>(storage, memoryLimit: 0)
        var other = try Replayer<CounterApp>(storage, memoryLimit: .max)
        try replayer.seek(to: replayer.last)
        try other.seek(to: other.last)
        #expect(other.checkpointSequences == (0...14).map { $0 * 1_000 })
        #expect(replayer.checkpointSequences == [0] + (7...14).map { $0 * 1_000 })
        for place: UInt64 in [13_500, 3_500, 6_999, 8_000, 0, 10_001] {
          try replayer.seek(to: place)
          try other.seek(to: place)
          #expect(replayer.state == other.state, "at \(place)")
          #expect(replayer.checkpointSequences.count == 9)
        }
        #expect(replayer.checkpointSequences.contains(3_000))
      }
    }
  }

  @Test
  func `a position inside a batch is reported, with the ends of batches around it [H10]`() throws {
    let session = WrittenLog.Item.opened(stateSchema: CounterState.fingerprint)
    try CounterLog.withDirectory { path in
      try WrittenLog.write(
        [
          session,
          .action(.added(name: "a")), .action(.added(name: "b"), startsBatch: false),
          .action(.added(name: "c"), startsBatch: false),
          .action(.added(name: "d")),
          .action(.added(name: "e")), .action(.added(name: "f"), startsBatch: false),
        ], at: path)
      try CounterLog.reading(path) { storage in
        var replayer = try Replayer<CounterApp>(storage)
        var inside: [Bool] = []
        var ends: [UInt64] = []
        var ahead: [UInt64] = []
        for sequence in 0...replayer.last {
          try replayer.seek(to: sequence)
          inside.append(try replayer.isInsideBatch())
          ends.append(try replayer.batchEnd(atOrBefore: sequence))
          ahead.append(try replayer.batchEnd(atOrAfter: sequence))
        }
        #expect(inside == [false, false, true, true, false, false, true, false])
        #expect(ends == [0, 1, 1, 1, 4, 5, 5, 7])
        #expect(ahead == [0, 1, 4, 4, 4, 5, 7, 7])
      }
    }
  }

  @Test func `the ends of a batch of many records are found from anywhere in it`() throws {
    let count = 5_000
    let session = WrittenLog.Item.opened(stateSchema: CounterState.fingerprint)
    let batch = (0..<count).map { WrittenLog.Item.action(.noticed("x"), startsBatch: $0 == 0) }
    try CounterLog.withDirectory { path in
      try WrittenLog.write([session] + batch + batch, at: path)
      try CounterLog.reading(path) { storage in
        let replayer = try Replayer<CounterApp>(storage)
        let middle = UInt64(count) + 1
        for place in [2, 3, 1_500, UInt64(count) - 1] {
          #expect(try replayer.batchEnd(atOrBefore: place) == 1)
          #expect(try replayer.batchEnd(atOrAfter: place) == middle)
          #expect(try replayer.batchEnd(atOrBefore: middle + place) == middle)
          #expect(try replayer.batchEnd(atOrAfter: middle + place) == replayer.last)
        }
        #expect(try replayer.batchEnd(atOrBefore: middle) == middle)
        #expect(try replayer.batchEnd(atOrAfter: middle) == middle)
      }
    }
  }

  @Test func `the moment is that of the record at which the replayer is positioned`() throws {
    try CounterLog.withDirectory { path in
      try WrittenLog.write(
        [
          .opened(stateSchema: CounterState.fingerprint), .action(.noticed("x")),
          .action(.noticed("y")),
        ], at: path)
      try CounterLog.reading(path) { storage in
        var replayer = try Replayer<CounterApp>(storage)
        for sequence: UInt64 in [3, 0, 2, 1] {
          try replayer.seek(to: sequence)
          #expect(try replayer.moment() == Moment(microseconds: Int64(sequence) * 1_000_000))
        }
      }
    }
  }

  @Test func `a log under a schema that this build cannot read is refused at once`() throws {
    try CounterLog.withDirectory { path in
      try WrittenLog.write(
        [
          .opened(stateSchema: CounterState.fingerprint),
          .foreign([2, 65], schema: "\"bytes\""),
        ], at: path)
      try CounterLog.reading(path) { storage in
        do throws(StoreError) {
          _ = try Replayer<CounterApp>(storage)
          Issue.record("the log was taken")
        } catch {
          #expect(error.code == .incompatible)
          #expect(error.why.contains("Schema 2: impossible"))
        }
      }
    }
  }

  @Test func `a record that cannot be folded is named, and the place stays`() throws {
    let opened = WrittenLog.Item.opened(stateSchema: CounterState.fingerprint)
    let cases: [(WrittenLog.Item, StoreError.Code)] = [
      // Case 9 of four.
      (.foreign([18], schema: CounterAction.schema.text), .damaged(sequence: 3)),
      // A name of one byte, and a byte more than there should be.
      (.foreign([0, 2, 65, 0], schema: CounterAction.schema.text), .damaged(sequence: 3)),
    ]
    for (item, code) in cases {
      try CounterLog.withDirectory { path in
        try WrittenLog.write(
          [opened, .action(.added(name: "a")), item, .action(.added(name: "b"))], at: path)
        try CounterLog.reading(path) { storage in
          var replayer = try Replayer<CounterApp>(storage)
          try replayer.seek(to: 2)
          let before = replayer.state
          do throws(StoreError) {
            try replayer.seek(to: 4)
            Issue.record("the record was folded")
          } catch {
            #expect(error.code == code)
          }
          #expect(replayer.sequence == 2)
          #expect(replayer.state == before)
          #expect(try replayer.stepBackward())
          #expect(replayer.sequence == 1)
        }
      }
    }
  }
}
