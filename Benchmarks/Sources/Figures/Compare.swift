import Benchmark
import Foundation

/// The rows of an executable, returned by its function `benchmarks()`.
public struct Suite {
  /// Registers rows.
  public init(_ register: () -> Void) { register() }
}

/// A reference implementation of the operation of a row, measured in the same run.
public struct Yardstick {
  let name: String
  let target: Target?
  let round: () throws -> Measured

  /// Makes a yardstick.
  ///
  /// - Parameters:
  ///   - name: The name of the implementation.
  ///   - target: The target of this project's side, relative to the yardstick; `nil` if the
  ///     yardstick is only shown.
  ///   - round: One round.
  public init(_ name: String, _ target: Target? = nil, round: @escaping () throws -> Measured) {
    self.name = name
    self.target = target
    self.round = round
  }
}

/// Registers a row that is measured beside yardsticks.
///
/// A round runs each side once; each round starts with the next side. A round in which the
/// sides did different numbers of operations, or have different checksums, fails the row.
///
/// - Parameters:
///   - row: What is measured.
///   - setUp: Runs before the first round, untimed; for data that are big.
///   - tearDown: Runs after the last round.
///   - ours: One round of ours, from a fresh state.
///   - yardsticks: The reference implementations.
public func compare(
  _ row: Row, setUp: @escaping () throws -> Void = {}, tearDown: @escaping () -> Void = {},
  ours: @escaping () throws -> Measured, yardsticks: [Yardstick]
) {
  let sides = [Yardstick("ours", row.target, round: ours)] + yardsticks
  register(
    row, sides.map { Record.Side(name: $0.name, target: $0.target) }, setUp, tearDown
  ) { round in
    var samples = [Record.Sample?](repeating: nil, count: sides.count)
    for turn in sides.indices {
      let side = (turn + round) % sides.count
      let measured = try sides[side].round()
      samples[side] = Record.Sample(
        value: row.unit.value(
          nanoseconds: Double(measured.nanoseconds),
          operations: row.isWhole ? 1 : Double(measured.operations)),
        nanoseconds: measured.nanoseconds, operations: measured.operations,
        checksum: hexadecimal(measured.checksum))
    }
    return samples.compactMap { $0 }
  }
}

/// Registers a row without a yardstick.
///
/// - Parameters:
///   - row: What is measured; its target is `atMost` or `atLeast`.
///   - setUp: Runs before the first round, untimed.
///   - tearDown: Runs after the last round.
///   - ours: One round.
public func figure(
  _ row: Row, setUp: @escaping () throws -> Void = {}, tearDown: @escaping () -> Void = {},
  _ ours: @escaping () throws -> Counted
) {
  let side = Record.Side(name: "ours", target: row.target)
  register(row, [side], setUp, tearDown) { _ in
    let counted = try ours()
    return [
      Record.Sample(
        value: counted.value, nanoseconds: nil, operations: counted.operations,
        checksum: hexadecimal(counted.checksum))
    ]
  }
}

private func hexadecimal(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// Registers a benchmark whose iterations are the rounds; the first is not kept.
private func register(
  _ row: Row, _ sides: [Record.Side], _ setUp: @escaping () throws -> Void,
  _ tearDown: @escaping () -> Void, _ round: @escaping (Int) throws -> [Record.Sample]
) {
  let rounds = min(
    row.rounds,
    ProcessInfo.processInfo.environment["RETRACE_FIGURES_ROUNDS"].flatMap { Int($0) } ?? .max)
  var record = Record(row, sides: sides)
  var next = 0
  Benchmark(
    row.name,
    configuration: .init(
      metrics: [.wallClock], warmupIterations: 1, scalingFactor: .one,
      maxDuration: .seconds(3600), maxIterations: rounds)
  ) { benchmark in
    guard record.failure == nil else { return }
    do {
      if next == 0 { try setUp() }
      let samples = try round(next)
      if let first = samples.first,
        let other = samples.firstIndex(where: {
          $0.operations != first.operations || $0.checksum != first.checksum
        })
      {
        throw FiguresError(
          "ours did \(first.operations) operations, checksum \(first.checksum), and "
            + "\(sides[other].name) did \(samples[other].operations), checksum "
            + samples[other].checksum)
      }
      if next > 0 {
        for (side, sample) in samples.enumerated() { record.sides[side].rounds.append(sample) }
      }
    } catch {
      record.failure = "\(error)"
      benchmark.error("\(row.name): \(error)")
    }
    next += 1
    if next > rounds || record.failure != nil {
      tearDown()
      record.write()
    }
  }
}
