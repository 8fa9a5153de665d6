import Figures
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import Workload

/// Registers a row of the whole fold with the ten composed reducers, beside the same fold with one
/// nested switch; the states' hashes have to be equal.
func registerReducers() {
  let file = LogFile("reducers", actions: 1_000_000, entries: 10_000)
  compare(
    Row("fold by ten reducers, \(file.text)", input: "the mix, seed \(seed); decoding included"),
    setUp: file.make, tearDown: file.remove,
    ours: { try foldAndHash(file, WorkloadApp.self) },
    yardsticks: [
      Yardstick("nested switch") { try foldAndHash(file, SwitchedWorkloadApp.self) }
    ])
}

private func foldAndHash<App: ReplayableApp>(
  _ file: LogFile, _ app: App.Type
) throws -> Measured where App.State == WorkloadState {
  var state = WorkloadState()
  var measured = try file.read { view throws(StoreError) in
    try clocked { () throws(StoreError) in
      let plan = try view.plan(for: App.self)
      var records = RecordFold(plan: plan)
      try view.fold(into: &records, through: view.head.sequence)
      state = records.fold.state
      return (view.head.sequence, 0)
    }
  }
  measured.checksum = state.stateHash().firstWord
  return measured
}
