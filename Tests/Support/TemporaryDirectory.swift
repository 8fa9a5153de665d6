public import RetraceSystem

/// A new temporary directory, removed with everything in it when its owner is destroyed.
public final class TemporaryDirectory {
  /// The absolute path.
  public let path: String

  /// Makes the directory.
  public init() throws {
    path = try FileSystem.makeTemporaryDirectory("retrace-test-")
  }

  deinit {
    try? FileSystem.removeTree(path)
  }

  /// Returns the path of a name in the directory.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file.
  public func write(_ text: String, _ name: String) throws(SystemError) {
    try FileSystem.replace(file(name), with: Array(text.utf8).span)
  }

  /// Reads a file as text.
  public func read(_ name: String) throws(SystemError) -> String {
    String(decoding: try FileSystem.readWhole(file(name), limitBytes: 1 << 24), as: UTF8.self)
  }
}
