// Writes a store with a log of the mix and says what is in it, or folds one.
//
//   workload-log STORE [ACTIONS [ENTRIES [SEED]]]
//   workload-log --fold STORE
//   workload-log --verify STORE
//
// The last two are for profilers: they open the store, fold or verify its log once, and end.
import RetraceArchitecture
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import Workload

@main enum Main {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 2, arguments[0] == "--fold" {
      try fold(arguments[1])
    } else if arguments.count == 2, arguments[0] == "--verify" {
      let storage = try LogStorage.open(at: arguments[1], access: .read, mapBytes: 8 << 30)
      let report = try Verifier<WorkloadApp>.verify(storage)
      storage.close()
      print("\(report.records) records, \(report.compared) hashes, \(report.stateHash)")
    } else {
      try write(arguments)
    }
  }
}

func write(_ arguments: [String]) throws {
  let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
  guard let path = arguments.first, numbers.count <= 3, !numbers.contains(0) else {
    fatalError("usage: workload-log STORE [ACTIONS [ENTRIES [SEED]]]")
  }
  let log = WorkloadLog(
    actions: numbers.first ?? 10_000, entries: numbers.dropFirst().first ?? 10_000,
    seed: UInt64(numbers.dropFirst(2).first ?? 1))
  let written = try log.write(to: path)
  print(
    "\(written.actions) actions, \(written.payloadBytes) bytes of payloads, "
      + "\(written.liveEntries) live entries, seed \(log.seed)")
}

func fold(_ path: String) throws {
  let storage = try LogStorage.open(at: path, access: .read, mapBytes: 8 << 30)
  defer { storage.close() }
  try storage.withReadView { view throws(StoreError) in
    let plan = try view.plan(for: WorkloadApp.self)
    var records = RecordFold(plan: plan)
    try view.fold(into: &records, through: view.head.sequence)
    print("\(records.fold.sequence) records, \(records.fold.state.timeline.entries.count) entries")
  }
}
