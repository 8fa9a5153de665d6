// Does one part of the work for the first records of a workload. No other work depends on their
// number, so two runs of different lengths differ by the cost of the records between them.
//
//   instruction-counts WORKLOAD PART RECORDS
//   instruction-counts WORKLOAD check
//
// WORKLOAD is `tracker`, `mix` for the 69-case mix, or `switch` for the mix reduced by one switch;
// PART is `encode`, `decode`, `reduce` or `fold`. Prints the operations done. `check` does every
// part over all records and compares what they found.
import Glibc
import TrackerFeatures
import Workload

/// The number of records that are prepared for every workload, whatever number is asked for.
let prepared = 12_000
/// The seed of every workload.
let seed: UInt64 = 1

func fail(_ text: String, code: Int32) -> Never {
  let line = "instruction-counts: \(text)\n"
  // Unsafe: C reads the text during the call only.
  _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
  exit(code)
}

/// The mix over a hundred entries that live at once.
func mixed() -> [WorkloadAction] {
  var mix = ActionMix(seed: seed, entries: 100)
  return (0..<prepared).map { _ in mix.next() }
}

@main enum Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let workload = arguments.first, let part = arguments.dropFirst().first else {
      fail("usage: instruction-counts WORKLOAD PART RECORDS", code: 64)
    }
    let count = arguments.dropFirst(2).first.flatMap { Int($0) } ?? prepared
    guard (0...prepared).contains(count) else { fail("at most \(prepared) records", code: 64) }
    do {
      switch workload {
      case "tracker":
        let subject = try Subject<TimeTracker>(
          TrackerActions.make(prepared, seed: seed), spacing: TrackerActions.spacing)
        try subject.run(part, count)
      case "mix": try Subject<WorkloadApp>(mixed(), spacing: 60_000_000).run(part, count)
      case "switch": try Subject<SwitchedWorkloadApp>(mixed(), spacing: 60_000_000).run(part, count)
      default: fail("unknown workload \(workload)", code: 64)
      }
    } catch {
      fail("\(error)", code: 1)
    }
  }
}
