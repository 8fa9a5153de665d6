import Figures

/// The rows of the suite.
func benchmarks() -> Suite {
  Suite {
    registerProcessRows()
    registerStoreRows()
    registerToolRows()
    registerLogRows()
    registerBuildRow()
  }
}
