import Figures

/// A log of ten million records with the states that were saved of it, written once.
private enum LongLog {
  static let records = 10_000_000
  static let entries = 10_000
  static let input = "10,000,000 records of the mix, 10,000 entries (seed 1)"

  static let path: Result<String, any Error> = Result {
    let path = try scratch("long") + "/store"
    let written = try probe("write-log", path, [records, entries]).measured()
    guard written.operations == UInt64(records) else {
      throw FiguresError("\(written.operations) records were written")
    }
    return path
  }

  static func probe(_ command: String, _ path: String, _ numbers: [Int]) throws -> Program.Run {
    try Program.run(try Program.probe, [command, path] + numbers.map { "\($0)" })
  }

  static func probe(_ command: String, _ numbers: Int...) throws -> Program.Run {
    try probe(command, try path.get(), numbers)
  }
}

/// Going to a place of a long log, with the states that were saved of it.
func registerLogRows() {
  registerSeekRows()
  var seed = 2
  func recovery(_ name: String, _ input: String, after prepare: @escaping () throws -> Void) {
    figure(
      Row(
        name, input: "\(LongLog.input), \(input)", unit: .milliseconds, target: .atMost(50)),
      setUp: { _ = try LongLog.path.get() }
    ) {
      try prepare()
      let run = try LongLog.probe("recover")
      let measured = try run.measured()
      guard measured.operations >= LongLog.records else {
        throw FiguresError("the log ends at record \(measured.operations)")
      }
      return Counted(
        run.numbers[2], operations: measured.operations, checksum: measured.checksum)
    }
  }
  recovery("recovery after a killed writer", "all pages checked, up to 10,000 records folded") {
    seed += 1
    _ = try LongLog.probe("crash", LongLog.entries, seed, 3_000)
  }
  recovery("recovery with snapshots", "opened until the state stands") {}
}

private func registerSeekRows() {
  let tenth = LongLog.records / 10
  for (place, first) in [("beginning", 1), ("middle", 9 * tenth / 2), ("end", 9 * tenth)] {
    var memory: [UInt64: Double] = [:]
    figure(
      Row(
        "seek, p99 of 200, \(place)", input: LongLog.input + ", random in a tenth (seed 1)",
        unit: .milliseconds, target: .atMost(50), rounds: 3),
      setUp: { _ = try LongLog.path.get() }
    ) {
      let run = try LongLog.probe("seek", 200, 1, first, first + tenth - 1)
      let measured = try run.measured()
      memory[measured.checksum] = run.numbers[4]
      return Counted(
        run.numbers[2], operations: measured.operations, checksum: measured.checksum)
    }
    figure(
      Row(
        "memory of these seeks, \(place)", input: LongLog.input, unit: .counted("MiB"),
        target: .atMost(200), rounds: 1)
    ) {
      guard let (checksum, most) = memory.max(by: { $0.value < $1.value }) else {
        throw FiguresError("no seek was measured")
      }
      return Counted(most, operations: 200, checksum: checksum)
    }
  }
}
