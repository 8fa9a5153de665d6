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

/// Runs a body with 0, 1… on as many threads of their own, which may block, until all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for number in 0..<count {
      group.addTask {
        let thread = WorkerThread(name: "test \(number)")
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          thread.submit {
            body(number)
            continuation.resume()
          }
        }
      }
    }
  }
}
