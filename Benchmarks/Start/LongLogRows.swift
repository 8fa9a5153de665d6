import Figures

/// A log of ten million records with its snapshots, written once.
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

/// Registers the rows of seeking in a long log with snapshots and of recovering it, beside a C
/// program that folds the same records of the same file.
///
/// C has the state at each snapshot from a fold that is not timed. It checks the checksums of
/// blocks. Only ours reads pages of the snapshot, checks what it decodes, and keeps states that
/// share what did not change.
func registerLogRows() {
  registerSeekRows()
  registerRecovery(
    "recovery after a killed writer", "all pages checked, up to 10,000 records folded", timesC: 3.1,
    isAfterCrash: true)
  registerRecovery("recovery with snapshots", "from opening to the last state", timesC: 10)
}

/// C runs first, on the log that the crashed writer left, because ours appends to it.
private func registerRecovery(
  _ name: String, _ input: String, timesC most: Double, isAfterCrash: Bool = false
) {
  var seed = 2
  var inC: Program.Run?
  func runInC() throws -> Program.Run {
    if let inC { return inC }
    if isAfterCrash {
      seed += 1
      _ = try LongLog.probe("crash", LongLog.entries, seed, 3_000)
    }
    let run = try Program.run(
      try Program.yardstick, ["recover", try LongLog.path.get(), isAfterCrash ? "1" : "0"])
    inC = run
    return run
  }
  // A round is over when both sides have run.
  var sidesRun = 0
  func side(_ body: () throws -> Measured) rethrows -> Measured {
    let measured = try body()
    sidesRun += 1
    if sidesRun.isMultiple(of: 2) { inC = nil }
    return measured
  }
  compare(
    Row(name, input: "\(LongLog.input), \(input)", unit: .milliseconds, isWhole: true),
    setUp: { _ = try LongLog.path.get() },
    ours: {
      try side {
        let inC = try runInC()
        let run = try LongLog.probe("recover")
        let measured = try run.measuredByItself()
        guard run.numbers.count == 5, run.numbers[4] >= Double(LongLog.records),
          run.numbers[3] == inC.numbers[3]
        else { throw FiguresError("ours folded \(run.output), C \(inC.output)") }
        return measured
      }
    },
    yardsticks: [
      Yardstick("C over LMDB", .timesYardstick(atMost: most)) {
        try side { try runInC().measuredByItself() }
      }
    ])
}

private func registerSeekRows() {
  let tenth = LongLog.records / 10
  let places = [
    ("near the start", 1), ("in the middle", 9 * tenth / 2), ("near the end", 9 * tenth),
  ]
  for (place, first) in places {
    var memory: [UInt64: Double] = [:]
    let numbers = [200, 1, first, first + tenth - 1]
    func seek() throws -> Measured {
      let run = try LongLog.probe("seek", try LongLog.path.get(), numbers)
      let measured = try run.measuredByItself()
      memory[measured.checksum] = run.numbers[4]
      return measured
    }
    compare(
      Row(
        "seek \(place) of the log, p99 of 200",
        input: LongLog.input + ", random in a tenth (seed 1)",
        unit: .milliseconds, rounds: 3, isWhole: true),
      setUp: { _ = try LongLog.path.get() },
      ours: seek,
      yardsticks: [
        // The target is 50 ms where C takes 13 ms for the 99,000 records of the slowest seeks.
        Yardstick("C, the same blocks", .timesYardstick(atMost: 3.8)) {
          let words = ["seek", try LongLog.path.get()] + numbers.map { "\($0)" }
          return try Program.run(try Program.yardstick, words).measuredByItself()
        }
      ])
    figure(
      Row(
        "memory of seeks \(place) of the log", input: LongLog.input, unit: .counted("MiB"),
        target: .atMost(200), rounds: 1),
      // Uses the rounds of the row above; measures one if that row was left out.
      setUp: { if memory.isEmpty { _ = try seek() } }
    ) {
      guard let (checksum, most) = memory.max(by: { $0.value < $1.value }) else {
        throw FiguresError("no seek was measured")
      }
      return Counted(most, operations: 200, checksum: checksum)
    }
  }
}
