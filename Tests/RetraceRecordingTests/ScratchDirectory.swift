import RetraceSystem

/// Directories of tests, which are removed afterwards.
enum ScratchDirectory {
  static func make() throws -> String { try FileSystem.makeTemporaryDirectory("retrace-recording") }

  static func with<R>(_ body: (String) throws -> R) throws -> R {
    let path = try make()
    defer { try? FileSystem.removeTree(path) }
    return try body(path)
  }
}
