import Figures

/// A log of ten million records, written once.
private enum LongLog {
  static let records = 10_000_000
  static let entries = 10_000
  static let input = "10,000,000 records, 10,000 entries (seed 1)"

  static let path: Result<String, any Error> = Result {
    let path = try scratch("long") + "/store"
    let run = try Program.run(try Program.probe, ["write-log", path, "\(records)", "\(entries)"])
    let written = try run.measured()
    guard written.operations == UInt64(records) else {
      throw FiguresError("\(written.operations) records were written")
    }
    return path
  }
}

/// Going to a place of a long log, with the states that were saved of it.
func registerLogRows() {
  figure(
    Row(
      "recovery with snapshots", input: LongLog.input + ", open until the state stands",
      unit: .milliseconds, target: .atMost(50)),
    setUp: { _ = try LongLog.path.get() }
  ) {
    let run = try Program.run(
      try Program.probe, ["recover", try LongLog.path.get(), "\(LongLog.records)"])
    let measured = try run.measured()
    return Counted(
      run.numbers[2], operations: measured.operations, checksum: measured.checksum)
  }
  let tenth = LongLog.records / 10
  for (place, first) in [("beginning", 1), ("middle", 9 * tenth / 2), ("end", 9 * tenth)] {
    var memory: [UInt64: Double] = [:]
    figure(
      Row(
        "seek, p99 of 200, \(place)", input: LongLog.input + ", random in a tenth (seed 1)",
        unit: .milliseconds, target: .atMost(50), rounds: 3),
      setUp: { _ = try LongLog.path.get() }
    ) {
      let run = try seek(200, first, first + tenth - 1)
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

private func seek(_ seeks: Int, _ first: Int, _ last: Int) throws -> Program.Run {
  let numbers = [LongLog.records, seeks, 1, first, last].map { "\($0)" }
  return try Program.run(try Program.probe, ["seek", try LongLog.path.get()] + numbers)
}
