import Figures

/// Registers rows of keys that a person types into a form of the tracker.
///
/// The yardstick is the same program without a scene, whose commits have no short state hash. Both
/// write to disk, so a key waits for two synchronisations.
func registerKeyRows() {
  let count = 500
  let input = "\(grouped(count)) keys typed into the form of a new entry"
  compare(
    Row("a key in the app", input: input, unit: .microseconds, rounds: 21),
    ours: { try keys(count, isInScene: true).measuredByItself() },
    yardsticks: [
      Yardstick("without a scene", .timesYardstick(atMost: 1.05)) {
        try keys(count, isInScene: false).measuredByItself()
      }
    ])
  let hour = 3_600
  figure(
    Row(
      "log of an hour of keys, beside one without a scene", input: "a key each second",
      unit: .counted("x"), target: .atMost(1.2), rounds: 1)
  ) {
    let ours = try keys(hour, isInScene: true).numbers
    let plain = try keys(hour, isInScene: false).numbers
    guard ours.count == 4, plain.count == 4, plain[3] > 0 else {
      throw FiguresError("a program printed \(ours) and \(plain)")
    }
    return Counted(ours[3] / plain[3], operations: UInt64(hour))
  }
}

private func keys(_ count: Int, isInScene: Bool) throws -> Program.Run {
  let folder = try scratch("keys")
  defer { removeScratch(folder) }
  let words = ["keys", folder + "/store", "\(count)", isInScene ? "1" : "0"]
  let run = try Program.run(try Program.probe, words)
  guard run.numbers.first == Double(count) else {
    throw FiguresError("\(count) keys were typed, and \(run.output) recorded")
  }
  return run
}
