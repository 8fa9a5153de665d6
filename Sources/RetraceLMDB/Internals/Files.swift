import CLMDB
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
  /// How many bytes the file has on the disk or in memory.
  var reservedBytes: off_t
  var sizeBytes: Int

  init(_ status: retrace_file_status) {
    identity = LMDBFileIdentity(device: status.device, inode: status.inode)
    linkCount = status.links
    reservedBytes = off_t(clamping: min(status.bytes, status.reserved_bytes))
    isRegular = status.mode & S_IFMT == S_IFREG
    sizeBytes = Int(clamping: status.bytes)
  }
}

extension Calls {
  /// The status of what has this path, or `nil` if nothing has; the C function is `statx`.
  func status(ofPath path: String) throws(LMDBError) -> FileStatus? {
    var status = retrace_file_status()
    do throws(LMDBError) {
      // Unsafe: the path is borrowed for the call, and C writes the status to a local variable.
      // Not handed to C as it is, which would copy it into memory of its own.
      try perform(.inspectFiles) {
        unsafe path.withCString { unsafe retrace_file_status(-1, $0, &status) }
      }
    } catch {
      if error.code == .noSuchFile { return nil }
      throw error
    }
    return FileStatus(status)
  }

  /// The status of an open file; the C function is `statx`.
  func status(ofDescriptor descriptor: Int32) throws(LMDBError) -> FileStatus {
    var status = retrace_file_status()
    // Unsafe: C writes the status to a local variable.
    try perform(.inspectFiles) { unsafe retrace_file_status(descriptor, nil, &status) }
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

  /// Makes the lock file if there is none, and sets room aside for it.
  ///
  /// LMDB makes the file longer without writing to it, and then writes through the map: on a full
  /// disk that ends the process. The C functions are `open` and `posix_fallocate`.
  ///
  /// Nobody may have the file open in this process: closing it frees the locks of the process.
  func reserveLockFile(_ path: String, readers: UInt32) throws(LMDBError) {
    // Two cache lines of the header, one for each reader.
    let size = (off_t(readers) + 2) * 64
    if let status = try status(ofPath: path), status.reservedBytes >= size { return }
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    do throws(LMDBError) {
      try perform(.reserveLockFile) {
        // Unsafe: the path is borrowed for the call.
        let descriptor = unsafe Glibc.open(path, flags, 0o600)
        if descriptor < 0 { return errno }
        defer { _ = Glibc.close(descriptor) }
        return posix_fallocate(descriptor, 0, size)
      }
    } catch {
      // What only reads may be kept from writing; what cannot set room aside goes on without it.
      switch error.code {
      case .readOnlyFileSystem, .accessDenied, .notPermitted, .noSuchFile, .notSupported: return
      default: throw error
      }
    }
  }
}
