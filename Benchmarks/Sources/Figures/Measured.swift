import Foundation

/// The result of one round of a side: its time, its operations and their checksum.
public struct Measured: Sendable {
  /// The time of all operations.
  public var nanoseconds: Int64
  /// The number of operations; it has to be the same on all sides.
  public var operations: UInt64
  /// A checksum of what the operations found or wrote; it has to be the same on all sides.
  public var checksum: UInt64

  /// Makes a result.
  public init(nanoseconds: Int64, operations: UInt64, checksum: UInt64) {
    self.nanoseconds = nanoseconds
    self.operations = operations
    self.checksum = checksum
  }
}

/// The clocks that rounds are timed by.
public enum FiguresClock: Sendable {
  /// The monotonic clock, for work that waits for the disk or for other threads.
  case wall
  /// The processor time of this thread, which other load of the machine disturbs little.
  case thread
  /// The processor time of all threads of this process.
  case process

  /// Nanoseconds since some start.
  public var now: Int64 {
    var time = timespec()
    let clock =
      switch self {
      case .wall: CLOCK_MONOTONIC
      case .thread: CLOCK_THREAD_CPUTIME_ID
      case .process: CLOCK_PROCESS_CPUTIME_ID
      }
    // Unsafe: C writes the time during the call only.
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Times `work`, which returns the number of its operations and their checksum.
public func timed(
  by clock: FiguresClock = .thread,
  _ work: () throws -> (operations: UInt64, checksum: UInt64)
) rethrows -> Measured {
  let start = clock.now
  let (operations, checksum) = try work()
  return Measured(
    nanoseconds: clock.now - start, operations: operations, checksum: checksum)
}

/// A figure that is not a time, such as bytes or instructions.
public struct Counted: Sendable {
  /// The figure, in the row's unit.
  public var value: Double
  /// How many operations it was counted over.
  public var operations: UInt64
  /// Computed from what the operations found or wrote.
  public var checksum: UInt64

  /// Makes a figure.
  public init(_ value: Double, operations: UInt64 = 1, checksum: UInt64 = 0) {
    self.value = value
    self.operations = operations
    self.checksum = checksum
  }
}

/// Makes an empty folder for the files of a row, in the folder that `Benchmarks/run` removes.
///
/// Without `RETRACE_FIGURES_SCRATCH` it is below the folder for temporary files, and stays.
public func scratch(_ name: String) throws -> String {
  let root =
    ProcessInfo.processInfo.environment["RETRACE_FIGURES_SCRATCH"]
    ?? NSTemporaryDirectory() + "/retrace-figures-\(getpid())"
  let path = root + "/" + name
  try? FileManager.default.removeItem(atPath: path)
  try FileManager.default.createDirectory(
    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  return path
}

/// Removes a folder of ``scratch(_:)``.
public func removeScratch(_ path: String) {
  try? FileManager.default.removeItem(atPath: path)
}

/// Why a row has no figure.
public struct FiguresError: Error, CustomStringConvertible {
  /// The message for the user.
  public let description: String

  /// Makes an error.
  public init(_ description: String) { self.description = description }
}

/// Returns the median of values, or `nil` for an empty array.
public func median(_ values: [Double]) -> Double? {
  let sorted = values.sorted()
  guard let upper = sorted.dropFirst(sorted.count / 2).first else { return nil }
  return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
}
