import RetracePlatform

/// A directory that is removed when its owner dies.
final class TemporaryDirectory {
  let path: String

  init() throws {
    path = try FileSystem.makeTemporaryDirectory("retrace-platform-")
  }

  deinit {
    try? FileSystem.removeTree(path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file.
  func write(_ text: String, _ name: String) throws(PlatformError) {
    try FileSystem.replace(file(name), with: Array(text.utf8).span)
  }

  /// Reads a file as text.
  func read(_ name: String) throws(PlatformError) -> String {
    String(decoding: try FileSystem.readWhole(file(name), limitBytes: 1 << 24), as: UTF8.self)
  }
}
