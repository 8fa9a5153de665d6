import RetraceSystem
import RetraceTerminal
import TerminalUI

/// Shows a progress bar on a terminal, and nothing anywhere else.
final class ProgressPrinter {
  private let label: String
  private let columns: Int?
  private var bar: ProgressBar?

  init(label: String) {
    self.label = label
    // A terminal that does not know its size is taken for one of the usual width.
    columns = Terminal.isATTY(2) ? Terminal.size(2)?.columns ?? 80 : nil
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
    // A bar that cannot be shown stops nothing.
    try? Console.write(text, to: .standardError)
  }
}
