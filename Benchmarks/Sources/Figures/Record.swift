import Foundation

/// A row with all its rounds, as one line of JSON in the file that `RETRACE_FIGURES` names.
public struct Record: Codable, Sendable {
  /// One round of one side.
  public struct Sample: Codable, Sendable {
    /// The figure, in the row's unit.
    public var value: Double
    /// The time of all operations; `nil` for what is counted.
    public var nanoseconds: Int64?
    /// How many operations were done.
    public var operations: UInt64
    /// The checksum of what was done, in hexadecimal digits.
    public var checksum: String
  }

  /// Ours or a yardstick.
  public struct Side: Codable, Sendable {
    /// The name of the implementation.
    public var name: String
    /// The target of ours relative to this yardstick, or its own target if this side is ours.
    public var target: Target?
    /// The rounds, in order.
    public var rounds: [Sample] = []
  }

  /// The executable that measured.
  public var suite: String
  /// The operation.
  public var row: String
  /// What it works on.
  public var input: String
  /// The unit of the figures.
  public var unit: Unit
  /// The best figure that the machine or the method allows.
  public var limit: String
  /// Ours, then the yardsticks.
  public var sides: [Side]
  /// Why there is no figure.
  public var failure: String?

  init(_ row: Row, sides: [Side]) {
    let path = CommandLine.arguments.first ?? "?"
    suite = path.split(separator: "/").last.map(String.init) ?? path
    self.row = row.name
    input = row.input
    unit = row.unit
    limit = row.limit
    self.sides = sides
  }

  /// Says on standard error that the row is done, and appends it to the file.
  func write() {
    let text = failure.map { "failed: \($0)" } ?? "\(sides.first?.rounds.count ?? 0) rounds"
    FileHandle.standardError.write(Data("\(suite): \(row): \(text)\n".utf8))
    guard let path = ProcessInfo.processInfo.environment["RETRACE_FIGURES"] else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard var line = try? encoder.encode(self) else { return }
    line.append(0x0A)
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let file = FileHandle(forWritingAtPath: path) else { return }
    defer { try? file.close() }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: line)
  }
}
