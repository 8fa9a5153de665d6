import Figures

/// The rows of the suite.
func benchmarks() -> Suite {
  Suite {
    registerProcessRows()
    let ofMany = LargeStore(users: 200)
    registerStoreRows(on: ofMany)
    let ofOne = LargeStore(users: 1)
    registerToolRows(on: [ofOne, ofMany])
    registerUndoRow(on: ofOne)
    registerKeyRows()
    registerTerminalRows(on: ofOne)
    registerLogRows()
    registerExportRows()
    registerBundleRows()
    registerBuildRow()
  }
}
