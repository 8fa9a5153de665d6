// Writes a store with a log of the mix and says what is in it.
//
//   workload-log STORE [ACTIONS [ENTRIES [SEED]]]
import Workload

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
guard let path = arguments.first, numbers.count <= 3, !numbers.contains(0) else {
  fatalError("usage: workload-log STORE [ACTIONS [ENTRIES [SEED]]]")
}
let log = WorkloadLog(
  actions: numbers.first ?? 10_000, entries: numbers.dropFirst().first ?? 10_000,
  seed: UInt64(numbers.dropFirst(2).first ?? 1))
let written = try log.write(to: path)
print(
  "\(written.actions) actions, \(written.payloadBytes) bytes of payloads, "
    + "\(written.liveEntries) live entries, seed \(log.seed)")
