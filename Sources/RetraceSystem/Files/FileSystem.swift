import Glibc

/// Operations on files and directories by path.
package enum FileSystem {
  /// Returns the metadata of a file, following symbolic links; the C function is `stat`.
  package static func info(_ path: String) throws(SystemError) -> FileInfo {
    FileInfo(try System.status(ofPath: path, following: true))
  }

  /// Returns the metadata of a file or a symbolic link itself; the C function is `lstat`.
  package static func linkInfo(_ path: String) throws(SystemError) -> FileInfo {
    FileInfo(try System.status(ofPath: path, following: false))
  }

  /// Returns whether a path exists, even as a broken link.
  ///
  /// - Throws: ``SystemError`` if that is unknown, such as `.accessDenied`.
  package static func exists(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try linkInfo(path)
      return true
    } catch {
      guard error.code == .noSuchFile || error.code == .notADirectory else { throw error }
      return false
    }
  }

  /// Creates a directory; the C function is `mkdir`.
  ///
  /// - Parameters:
  ///   - path: The path; its parent directory must exist.
  ///   - mode: The permissions, minus the umask.
  /// - Throws: ``SystemError``, `.fileExists` if the path exists.
  package static func makeDirectory(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    // Unsafe: C reads the path during the call.
    _ = try System.call(.mkdir, path) { unsafe mkdir(path, mode_t(mode)) }
  }

  /// Creates a directory and its missing parents, even if another process does the same.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - mode: The permissions, minus the umask.
  ///   - syncing: Whether to sync the names of all created directories and of the deepest directory
  ///     that exists already. Another process may have created that directory with the same call
  ///     and not synced its name yet. The names above it are on disk, because the call syncs each
  ///     name before it creates a directory below it.
  /// - Complexity: One call for each missing part of the path; with `syncing` also one `fsync`
  ///   each.
  package static func makeDirectories(
    _ path: String, mode: UInt32 = 0o700, syncing: Bool = false
  ) throws(SystemError) {
    var isMade = false
    if try !isDirectory(path) {
      if let above = directory(of: path), above != path {
        try makeDirectories(above, mode: mode, syncing: syncing)
      }
      do throws(SystemError) {
        try makeDirectory(path, mode: mode)
        isMade = true
      } catch {
        guard error.code == .fileExists, try isDirectory(path) else { throw error }
      }
    }
    guard syncing else { return }
    do throws(SystemError) {
      try syncDirectory(directory(of: path) ?? ".")
    } catch {
      // Ignore the error if the directory existed and its parent is not readable or cannot be
      // synced.
      guard !isMade, error.code == .accessDenied || error.code == .invalidArgument else {
        throw error
      }
    }
  }

  private static func isDirectory(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      return try info(path).isDirectory
    } catch {
      guard error.code == .noSuchFile else { throw error }
      return false
    }
  }

  /// Renames a file, replacing the destination; the C function is `rename`.
  ///
  /// The change is on disk only after ``syncDirectory(_:)`` of both directories.
  package static func rename(_ from: String, to: String) throws(SystemError) {
    // Unsafe: C reads the paths during the call.
    _ = try System.call(.rename, from) { unsafe Glibc.rename(from, to) }
  }

  /// Removes the name of a file; the C function is `unlink`.
  package static func unlink(_ path: String) throws(SystemError) {
    // Unsafe: C reads the path during the call.
    _ = try System.call(.unlink, path) { unsafe Glibc.unlink(path) }
  }

  /// Removes an empty directory; the C function is `rmdir`.
  package static func removeDirectory(_ path: String) throws(SystemError) {
    // Unsafe: C reads the path during the call.
    _ = try System.call(.rmdir, path) { unsafe rmdir(path) }
  }

  /// Syncs the entries of a directory to disk; the C function is `fsync`.
  package static func syncDirectory(_ path: String) throws(SystemError) {
    try OpenFile.open(path, [.read, .directory]).synchronize()
  }

  /// Returns the bytes that an unprivileged user can still write; the C function is `statvfs`.
  package static func freeBytes(_ path: String) throws(SystemError) -> Int {
    var status = statvfs()
    // Unsafe: C writes to a local variable and reads the path during the call.
    _ = try System.call(.statvfs, path) { unsafe statvfs(path, &status) }
    // A file system in user space (FUSE) may report any numbers.
    let (bytes, overflows) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflows ? .max : Int(clamping: bytes)
  }

  /// Returns the path without its last component, or `nil` if the path has only one component.
  static func directory(of path: String) -> String? {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == bytes.startIndex ? "/" : String(path[..<slash])
  }
}
