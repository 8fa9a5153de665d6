import Figures

/// The rows of the suite.
func benchmarks() -> Suite {
  Suite { registerViewRows() }
}
