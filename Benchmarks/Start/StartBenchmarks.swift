import Figures

/// The rows of the suite.
func benchmarks() -> Suite {
  Suite {
    registerProcessRows()
    let ofMany = LargeStore(users: 200)
    registerStoreRows(on: ofMany)
    registerToolRows(on: [LargeStore(users: 1), ofMany])
    registerLogRows()
    registerBuildRow()
  }
}
