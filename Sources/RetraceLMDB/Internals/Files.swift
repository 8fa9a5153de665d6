import Glibc

/// A file, whatever its name: the device it is on and its number there.
public struct LMDBFileIdentity: Hashable, Sendable {
  /// The number of the device.
  public var device: UInt64
  /// The number of the file on the device.
  public var inode: UInt64

  /// Makes an identity.
  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// What a store wants to know of one of its files.
struct FileStatus {
  var identity: LMDBFileIdentity
  var linkCount: UInt64
  var isRegular: Bool

  init(_ status: stat) {
    identity = LMDBFileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    linkCount = UInt64(status.st_nlink)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}

extension Calls {
  /// The status of what has this path, or `nil` if nothing has; the C function is `lstat`.
  func status(ofPath path: String) throws(LMDBError) -> FileStatus? {
    var status = stat()
    do throws(LMDBError) {
      // Unsafe: C writes the status to a local variable.
      try perform(.inspectFiles) { unsafe lstat(path, &status) == 0 ? 0 : errno }
    } catch {
      if error.code == .noSuchFile { return nil }
      throw error
    }
    return FileStatus(status)
  }

  /// The status of an open file; the C function is `fstat`.
  func status(ofDescriptor descriptor: Int32) throws(LMDBError) -> FileStatus {
    var status = stat()
    // Unsafe: C writes the status to a local variable.
    try perform(.inspectFiles) { unsafe fstat(descriptor, &status) == 0 ? 0 : errno }
    return FileStatus(status)
  }

  /// The status of a path that must be a plain file with one name, if there is one.
  func status(ofPlainFile path: String) throws(LMDBError) -> FileStatus? {
    guard let status = try status(ofPath: path) else { return nil }
    guard status.isRegular && status.linkCount == 1 else {
      throw LMDBError(.notPlainFile, during: .inspectFiles)
    }
    return status
  }
}
