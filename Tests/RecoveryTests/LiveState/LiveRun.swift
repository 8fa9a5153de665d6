import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import ToolTestSupport

/// What a live store said while it ran: after each batch that was acknowledged, its sequences and
/// the hash of its state.
struct LiveRun {
  /// One acknowledgement.
  struct Acknowledgement {
    var sequences: Range<UInt64>
    var hash: Digest
  }

  private(set) var acknowledgements: [Acknowledgement] = []

  mutating func acknowledge(_ sequences: Range<UInt64>, _ hash: Digest) {
    acknowledgements.append(Acknowledgement(sequences: sequences, hash: hash))
  }

  /// Records sessions of random batches, each at the moment that a clock gives.
  static func record(
    at path: String, sessions: Int, batches: Int, _ random: inout SeededGenerator,
    moment: (inout SeededGenerator) -> Moment
  ) throws -> LiveRun {
    var run = LiveRun()
    let now = Lock(Moment(microseconds: 0))
    for _ in 0..<sessions {
      let store = try Store<CounterApp>.openBlocking(
        at: path,
        configuration: StoreConfiguration(hashInterval: 20, clock: { now.withLock { $0 } }))
      for _ in 0..<batches {
        let next = moment(&random)
        now.withLock { $0 = next }
        let state = store.state
        let actions = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          CounterAction.random(on: state, using: &random)
        }
        let receipt = try store.sendBlocking(actions)
        run.acknowledge(receipt.sequences, LiveRun.hash(receipt.state))
      }
      try store.closeBlocking()
    }
    return run
  }

  private static func hash(_ state: CounterState) -> Digest {
    var copy = state
    return StateHasher.hash(&copy, with: SHA256Hasher.self)
  }

  /// Returns where a replay of a log differs from what the live store said.
  func differences<App: ReplayableApp>(
    fromReplayOf path: String, as app: App.Type
  ) throws -> [String] {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var replayer = try Replayer<App>(storage)
    var found: [String] = []
    for acknowledged in acknowledgements {
      let last = acknowledged.sequences.upperBound - 1
      guard last <= replayer.last else {
        found.append("record \(last) is not there")
        continue
      }
      for sequence in acknowledged.sequences {
        let end = try replayer.batchEnd(atOrBefore: sequence)
        let isEnd = sequence == last
        if (end == sequence) != isEnd { found.append("batch end at or before \(sequence): \(end)") }
      }
      try replayer.seek(to: last)
      if replayer.stateHash() != acknowledged.hash { found.append("state after \(last)") }
    }
    return found
  }

  /// Where a replay tool, run on a log, gives another hash than the live store.
  func hashDifferences(by tool: String, at path: String) throws -> [String] {
    var found: [String] = []
    for acknowledged in acknowledgements {
      let last = acknowledged.sequences.upperBound - 1
      let result = try run(tool, ["state", "--store", path, "--at", "\(last)", "--json"])
      if !result.output.contains(acknowledged.hash.hex) {
        found.append("state after \(last): \(result.output.prefix(200))\(result.errors)")
      }
    }
    return found
  }
}
