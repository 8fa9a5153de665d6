import CLMDB
import Glibc
import RetraceSystem

struct FileStatus {
  var identity: FileIdentity
  var linkCount: UInt64
  var isRegular: Bool
  /// The number of bytes of the file for which space is allocated, at most its size.
  var allocatedBytes: off_t
  var sizeBytes: Int

  init(_ status: retrace_file_status) {
    identity = FileIdentity(device: status.device, inode: status.inode)
    linkCount = status.links
    allocatedBytes = off_t(clamping: min(status.bytes, status.allocated_bytes))
    isRegular = status.mode & S_IFMT == S_IFREG
    sizeBytes = Int(clamping: status.bytes)
  }
}

extension Calls {
  /// Returns the status of a path, or `nil` if it does not exist; the C function is `statx`.
  func status(ofPath path: String) throws(LMDBError) -> FileStatus? {
    var status = retrace_file_status()
    do throws(LMDBError) {
      // Unsafe: the path is borrowed for the call, and C writes the status to a local variable.
      // Passing the string directly would copy it to the heap.
      try perform(.inspectFiles) {
        unsafe path.withCString { unsafe retrace_file_status(-1, $0, &status) }
      }
    } catch {
      if error.code == .noSuchFile { return nil }
      throw error
    }
    return FileStatus(status)
  }

  /// Returns the status of an open file; the C function is `statx`.
  func status(ofDescriptor descriptor: Int32) throws(LMDBError) -> FileStatus {
    var status = retrace_file_status()
    // Unsafe: C writes the status to a local variable.
    try perform(.inspectFiles) { unsafe retrace_file_status(descriptor, nil, &status) }
    return FileStatus(status)
  }

  /// Returns the status of a path that must be a plain file with one name, or `nil` if it does not
  /// exist.
  func status(ofPlainFile path: String) throws(LMDBError) -> FileStatus? {
    guard let status = try status(ofPath: path) else { return nil }
    guard status.isRegular && status.linkCount == 1 else {
      throw LMDBError(.notPlainFile, during: .inspectFiles)
    }
    return status
  }

  /// Creates a missing lock file, reserves space for it, and waits until no process holds LMDB's
  /// exclusive lock on it.
  ///
  /// LMDB enlarges the file without writing to it and then writes through the map, which raises
  /// SIGBUS on a full disk. A process that is being killed, or a program that does not take the
  /// opening lock, may still hold the exclusive lock. LMDB would wait for that process and then
  /// assume that the file is initialized.
  ///
  /// The file must not be open in this process, because closing it releases the locks of the
  /// process. The C functions are `open`, `posix_fallocate` and `fcntl`.
  func prepareLockFile(_ path: String, readers: UInt32) throws(LMDBError) {
    // Two cache lines for the header, and one for each reader.
    let size = (off_t(readers) + 2) * 64
    let isReserved = (try status(ofPath: path)?.allocatedBytes ?? 0) >= size
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    do throws(LMDBError) {
      try perform(.prepareLockFile) {
        // Unsafe: the path is borrowed for the call.
        let descriptor = unsafe Glibc.open(path, flags, 0o600)
        if descriptor < 0 { return errno }
        defer { _ = Glibc.close(descriptor) }
        if !isReserved {
          let result = posix_fallocate(descriptor, 0, size)
          if result != 0 { return result }
        }
        return waitForInitializer(of: descriptor)
      }
    } catch {
      // Some processes can only read the file, and some file systems cannot reserve space.
      switch error.code {
      case .readOnlyFileSystem, .accessDenied, .notPermitted, .noSuchFile, .notSupported: return
      default: throw error
      }
    }
  }

  /// Waits at most ten seconds until the first byte of the lock file is not locked exclusively.
  ///
  /// - Returns: 0, an error number, or the code for a wait that took too long.
  private func waitForInitializer(of descriptor: Int32) -> Int32 {
    for _ in 0..<10_000 {
      var lock = flock()
      lock.l_type = Int16(F_RDLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = 0
      lock.l_len = 1
      // Unsafe: C reads and writes a local variable.
      if unsafe fcntl(descriptor, F_GETLK, &lock) != 0 {
        if errno == EINTR { continue }
        return errno
      }
      if lock.l_type == Int16(F_UNLCK) { return 0 }
      usleep(1000)
    }
    return LMDBError.Code.openingStalled.rawValue
  }
}
