import Figures
import RetraceArchitecture
import RetraceAvro
import RetraceState
import Workload

/// Registers rows of ten composed reducers, beside one nested switch that calls the same functions.
func registerReducerRows() {
  let count = 200_000
  for entries in [100, 10_000] {
    var actions = BorrowableArray<WorkloadAction>([])
    compare(
      Row(
        "reduce, ten composed reducers, \(grouped(entries)) entries",
        input: "\(grouped(count)) actions of the mix, seed \(Actions.seed)"),
      setUp: {
        var mix = ActionMix(seed: Actions.seed, entries: entries)
        actions = BorrowableArray((0..<count).map { _ in mix.next() })
      },
      tearDown: { actions = BorrowableArray([]) },
      ours: { reduce(WorkloadApp.self, actions) },
      yardsticks: [
        Yardstick("one hand-written switch", .timesYardstick(atMost: 1.5)) {
          reduce(SwitchedWorkloadApp.self, actions)
        }
      ])
  }
}

/// Reduces all actions from the initial state; the checksum covers the last state.
private func reduce<App: ReplayableApp>(
  _ app: App.Type, _ actions: borrowing BorrowableArray<WorkloadAction>
) -> Measured where App.Action == WorkloadAction, App.State == WorkloadState {
  var fold = Fold<App>()
  var measured = timed {
    actions.forEach { element, index in
      _ = fold.apply(
        element.value, at: Moment(microseconds: Int64(index) * 60_000_000),
        sequence: UInt64(index + 1))
    }
    return (fold.sequence, 0)
  }
  var writer = AvroWriter()
  fold.state.encodeWhole(into: &writer)
  measured.checksum = checksum(writer.bytes)
  return measured
}
