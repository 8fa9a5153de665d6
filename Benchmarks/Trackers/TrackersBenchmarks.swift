import Figures

/// The rows of the suite.
func benchmarks() -> Suite {
  Suite {
    for count in [10_000, 100_000, 1_000_000] {
      registerSummaryRow(on: Trackers(count: count))
      registerRows(on: Trackers(count: count))
      if count == 100_000 { registerClientRow(on: Trackers(count: count)) }
    }
  }
}
