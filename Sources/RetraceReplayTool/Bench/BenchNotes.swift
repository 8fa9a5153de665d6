import RetraceSystem
import RetraceReplay

/// Notes on conditions that affected the figures.
enum BenchNotes {
  static func lines(
    about run: BenchRun, _ comparison: BenchComparison?, load: Double?
  ) -> [String] {
    var notes: [String] = []
    if !run.isOptimised || comparison?.reference.isOptimised == false {
      notes.append(
        "A debug build was measured: its figures say nothing about a release build.")
    }
    if run.waitingShare > 0.05 {
      notes.append(
        "The machine is loaded: in \(percent(run.waitingShare)) of the time the bench waited for "
          + "the processor or the disk.")
    }
    if let load, load > Double(Machine.processorCount) * 0.75 + 1 {
      let processors =
        Machine.processorCount == 1 ? "processor" : "\(Machine.processorCount) processors"
      notes.append(
        "The machine is loaded: on average, \(BenchText.number(load)) threads shared its "
          + "\(processors) in the last minute.")
    }
    if run.calibrationSpread > 0.1 {
      notes.append(
        "The machine's speed changed: the same work took \(percent(run.calibrationSpread)) more in "
          + "the slowest round than in the median one.")
    }
    if run.repetitions > 1 {
      notes.append(
        "The log is short: each round read it \(run.repetitions) times, from the processor's "
          + "caches.")
    }
    if let comparison { notes += lines(about: comparison, run) }
    return notes
  }

  private static func lines(about comparison: BenchComparison, _ run: BenchRun) -> [String] {
    var notes: [String] = []
    if run.stateHash != comparison.reference.stateHash {
      notes.append(
        "The two builds fold the log to different states, so they do different work; "
          + "`\(ToolProcess.replay) compare` finds the first record that differs.")
    }
    if comparison.design == .separate, abs(comparison.drift) > 0.02 {
      notes.append(
        "The machine was \(percent(abs(comparison.drift))) "
          + "\(comparison.drift > 0 ? "slower" : "faster") than when the baseline was measured, so "
          + "only larger differences are reported. --with alternates the rounds of both builds.")
    }
    if run.rounds < 7 {
      notes.append(
        "\(run.rounds) rounds show only large differences; more rounds show smaller ones.")
    }
    return notes
  }

  private static func percent(_ share: Double) -> String {
    "\(BenchText.number(share * 100)) %"
  }
}
