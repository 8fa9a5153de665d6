import Figures

/// The rows of the suite: a real time log, imported and folded.
func benchmarks() -> Suite {
  Suite {
    registerImportRows()
    registerLogRows()
  }
}
