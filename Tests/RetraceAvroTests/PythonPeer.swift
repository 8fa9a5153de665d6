import Foundation
import RetraceAvro
import RetraceSystem
import Testing
import ToolTestSupport

/// Runs `Python/exchange.py` with the interpreter that has fastavro and avro.
struct PythonPeer {
  /// A folder that both sides read and write.
  let folder: URL

  /// The root of the package.
  private static var root: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// Gives a body a peer with an empty folder, which is removed afterwards.
  static func withPeer(_ body: (PythonPeer) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("retrace-avro-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(PythonPeer(folder: folder))
  }

  /// Runs a command and expects it to succeed.
  func run(_ command: String, _ arguments: String..., location: SourceLocation = #_sourceLocation)
    throws
  {
    let path =
      ThisProcess.environment("RETRACE_PYTHON")
      ?? Self.root.appendingPathComponent(".build/venv/bin/python3").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw PeerMissing(path: path)
    }
    let script = Self.root.appendingPathComponent("Tests/RetraceAvroTests/Python/exchange.py").path
    let environment = ProcessInfo.processInfo.environment
      .merging(["PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
    let result = try runProgram(
      path, [script, command, folder.path] + arguments, environment: environment)
    let text = result.output + result.errors
    #expect(result.status == 0, "\(command): \(text)", sourceLocation: location)
    print("\(command): \(text.split(separator: "\n").joined(separator: "; "))")
  }

  /// Why no exchange is possible.
  struct PeerMissing: Error, CustomStringConvertible {
    var path: String
    var description: String {
      """
      no Python with fastavro and avro at \(path): run Tools/test, or \
      `python3 -m venv .build/venv && .build/venv/bin/pip install fastavro avro`, \
      or set RETRACE_PYTHON
      """
    }
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: folder.appendingPathComponent(name))
  }

  func read(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
  }

  func holds(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
  }

  /// The encoded values of a file, each preceded by its length in four bytes.
  func frames(_ name: String) throws -> [[UInt8]] {
    let bytes = try read(name)
    var frames: [[UInt8]] = []
    var offset = 0
    while offset < bytes.count {
      let count = (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
      frames.append(Array(bytes[(offset + 4)..<(offset + 4 + count)]))
      offset += 4 + count
    }
    return frames
  }

  func write(frames: [[UInt8]], to name: String) throws {
    var writer = AvroWriter()
    for frame in frames {
      writer.littleEndian(UInt32(frame.count))
      writer.raw(frame)
    }
    try write(writer.bytes, to: name)
  }
}
