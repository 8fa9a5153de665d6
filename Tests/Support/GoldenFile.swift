public import Foundation
public import Testing

/// Expects a text to be that of a file.
///
/// A run with `RETRACE_WRITE_GOLDEN=1` writes the file anew; read the differences before they are
/// committed.
///
/// - Parameters:
///   - text: The text.
///   - file: The file.
///   - location: The test.
public func expectGolden(
  _ text: String, in file: URL, location: SourceLocation = #_sourceLocation
) throws {
  if ProcessInfo.processInfo.environment["RETRACE_WRITE_GOLDEN"] == "1" {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
  let golden = try String(contentsOf: file, encoding: .utf8)
  guard golden != text else { return }
  let (new, old) = (text.split(separator: "\n"), golden.split(separator: "\n"))
  let line = zip(new, old).enumerated().first { $1.0 != $1.1 }?.offset
  Issue.record(
    """
    \(file.lastPathComponent) differs in line \(line.map { "\($0 + 1)" } ?? "after all others"):
      was \(line.map { old[$0] } ?? "")
      is  \(line.map { new[$0] } ?? "")
    """, sourceLocation: location)
}
