import RetraceToolSupport
import TerminalUI

/// Shows a progress bar on a terminal, and nothing elsewhere.
final class ProgressPrinter {
  private let label: String
  private let output: Output
  private let columns: Int?
  private var bar: ProgressBar?

  init(label: String, _ output: Output) {
    self.label = label
    self.output = output
    // For a terminal of unknown size, the usual width is assumed.
    columns =
      output.streams.isTerminal(.error)
      ? output.streams.size(of: .error)?.columns ?? OutputStyle.usualColumns : nil
  }

  func show(_ done: Int, of total: Int) {
    guard let columns else { return }
    var current = bar ?? ProgressBar(label: label, total: total, columns: columns)
    write(current.update(done: done))
    bar = current
  }

  func finish() {
    guard var current = bar else { return }
    write(current.finish())
    bar = nil
  }

  private func write(_ text: String) {
    if !text.isEmpty { output.writeError(safe: text) }
  }
}
