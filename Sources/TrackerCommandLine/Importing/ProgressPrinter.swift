import RetraceSystem
import RetraceTerminal
import TerminalUI

/// Shows a progress bar on a terminal, and nothing elsewhere.
final class ProgressPrinter {
  private let label: String
  private let columns: Int?
  private var bar: ProgressBar?

  init(label: String) {
    self.label = label
    // For a terminal of unknown size, the usual width is assumed.
    columns = Terminal.isTerminal(2) ? Terminal.size(2)?.columns ?? 80 : nil
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
    guard !text.isEmpty else { return }
    // An error while showing the bar does not stop the command.
    try? Console.write(text, to: .standardError)
  }
}
