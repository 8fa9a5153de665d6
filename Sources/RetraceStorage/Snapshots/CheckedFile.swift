import Retrace
import RetraceLMDB
import RetraceSystem

/// The file `checked` in `derived/`, which says that all pages of the data file were checked, or
/// written by LMDB since then.
///
/// It holds the identity, the size, the modification time and the last transaction of the data file
/// after a save. A data file that was copied, restored or changed differs in one of them. The file
/// is not synced: a missing or torn one costs a check of all pages.
struct CheckedFile {
  static let name = "checked"
  private static let byteCount = 40

  private let directory: String

  init(in directory: String) { self.directory = directory }

  private var path: String { "\(directory)/\(Self.name)" }

  /// Returns whether the data file of an environment is the one that was noted.
  ///
  /// - Complexity: O(1).
  func covers(_ environment: LMDBEnvironment) -> Bool {
    do {
      let file = try OpenFile.open(path, [.read, .nonBlocking, .noFollow])
      return try file.read(at: 0, count: Self.byteCount + 1) == content(environment)
    } catch {
      return false
    }
  }

  /// Notes the data file after a save; a failure is ignored.
  ///
  /// Call it under the lock for saving, and only if all pages were checked or covered before the
  /// save.
  func note(_ environment: LMDBEnvironment) {
    do {
      let content = try content(environment)
      let file = try OpenFile.open(
        path, [.write, .create, .noFollow, .nonBlocking], mode: 0o600)
      let info = try file.info()
      guard info.isRegular, info.linkCount == 1 else { return }
      try file.write(content.span, at: 0)
      if info.sizeBytes > content.count { try file.truncate(to: content.count) }
    } catch {
      // The next process checks all pages.
    }
  }

  /// Makes the next save check all pages.
  func remove() {
    try? FileSystem.unlink(path)
  }

  private func content(_ environment: LMDBEnvironment) throws -> [UInt8] {
    let info = try FileSystem.linkInfo("\(directory)/data.mdb")
    guard info.identity == environment.fileIdentity else {
      throw LMDBError(.filesReplaced, during: .inspectFiles)
    }
    var writer = AvroWriter(capacity: Self.byteCount)
    writer.littleEndian(info.identity.device)
    writer.littleEndian(info.identity.inode)
    writer.littleEndian(UInt64(info.sizeBytes))
    writer.littleEndian(UInt64(bitPattern: info.modified))
    writer.littleEndian(try environment.beginRead().number)
    return writer.bytes
  }
}
