import Foundation
import RetraceSystem
import ToolTestSupport

/// A file system of a few MiB that a test mounts, which only some machines allow.
enum SmallFileSystem: String {
  case tmpfs, ext4

  private static let mountable = [
    SmallFileSystem.tmpfs: (try? SmallFileSystem.tmpfs.withMounted { _ in true }) ?? false,
    .ext4: (try? SmallFileSystem.ext4.withMounted { _ in true }) ?? false,
  ]

  /// Whether it can be mounted here, found out by doing so.
  var canBeMounted: Bool { Self.mountable[self] ?? false }

  /// Why it could not be mounted.
  struct Failure: Error {
    var reason: String
  }

  /// Mounts 8 MiB while the body runs.
  func withMounted<R>(_ body: (String) throws -> R) throws -> R {
    try withTemporaryDirectory { folder in
      let place = "\(folder)/small"
      try FileSystem.makeDirectory(place)
      var arguments = ["-t", "tmpfs", "-o", "size=8m,mode=0700", "none", place]
      if self == .ext4 {
        let image = "\(folder)/image"
        try OpenFile.open(image, [.write, .create], mode: 0o600).truncate(to: 8 << 20)
        try require(run("/usr/sbin/mkfs.ext4", ["-q", "-F", image]))
        arguments = ["-o", "loop", image, place]
      }
      try require(run("/bin/mount", arguments))
      defer { _ = try? run("/bin/umount", ["-l", place]) }
      return try body(place)
    }
  }

  private func require(_ result: ToolResult) throws {
    guard result.status == 0 else { throw Failure(reason: result.errors) }
  }
}
