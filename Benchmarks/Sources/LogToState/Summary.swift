import RetraceAvro

/// The medians of all rounds, and how they are shown.
struct Summary {
  let rounds: [Round]
  let findings: Findings

  /// The nanoseconds of a part per action, the median of the rounds.
  private func perAction(_ part: (Round) -> Int64) -> Double {
    let sorted = rounds.map(part).sorted()
    return Double(sorted[sorted.count / 2]) / Double(findings.actions)
  }

  /// The parts in the order of the table: what runs, ours less the run before, and the whole.
  private var rows: [(name: String, nanoseconds: Double)] {
    [
      ("scan", perAction(\.scan)),
      ("decode", perAction { $0.decode - $0.scan }),
      ("reduce", perAction { $0.whole - $0.decode }),
      ("log to state", perAction(\.whole)),
      ("C scan", perAction(\.cScan)),
      ("C log to state", perAction(\.cWhole)),
    ]
  }

  /// How many times the C program's time ours is, the median of the rounds' ratios.
  private var ratio: Double {
    let sorted = rounds.map { Double($0.whole) / Double($0.cWhole) }.sorted()
    return sorted[sorted.count / 2]
  }

  /// A table for a person.
  func printTable() {
    let count = findings
    for name in ["ours", "C"] {
      print(
        "\(padded(name, 5)) records \(count.records)  actions \(count.actions)  bytes "
          + "\(count.bytes)  entries \(count.entries)  seconds \(count.seconds)")
    }
    print("\n\(padded("part", 16))\(left("ns/action", 11))\(left("million/s", 11))")
    for row in rows {
      print(
        "\(padded(row.name, 16))\(left(decimal(row.nanoseconds, 1), 11))"
          + "\(left(decimal(1000 / row.nanoseconds, 2), 11))")
    }
    print("\nours to C: \(decimal(ratio, 2)) (medians of \(rounds.count) interleaved rounds)")
  }

  /// Everything, with each round, for a program.
  var json: JSONValue {
    [
      "records": .integer(Int64(findings.records)), "actions": .integer(Int64(findings.actions)),
      "bytes": .integer(Int64(findings.bytes)), "entries": .integer(Int64(findings.entries)),
      "seconds": .integer(Int64(findings.seconds)),
      "ratioToC": .double(ratio),
      "rounds": .array(
        rounds.map { round in
          [
            "scanNanoseconds": .integer(round.scan),
            "scanDecodeNanoseconds": .integer(round.decode),
            "scanDecodeReduceNanoseconds": .integer(round.whole),
            "cScanNanoseconds": .integer(round.cScan),
            "cWholeNanoseconds": .integer(round.cWhole),
          ]
        }),
    ]
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func left(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// A number with a fixed count of decimal places.
func decimal(_ value: Double, _ places: Int) -> String {
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = Int((value * Double(scale)).rounded())
  let digits = String(abs(scaled) % scale)
  let fraction = String(repeating: "0", count: places - digits.count) + digits
  return "\(scaled < 0 ? "-" : "")\(abs(scaled) / scale).\(fraction)"
}
