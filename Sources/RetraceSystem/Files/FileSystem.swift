import Glibc

/// Operations on files and directories by path.
public enum FileSystem {
  /// Returns the metadata of a file, following symbolic links; the C function is `stat`.
  public static func info(_ path: String) throws(SystemError) -> FileInfo {
    FileInfo(try System.status(ofPath: path, following: true))
  }

  /// Returns the metadata of a file or a symbolic link itself; the C function is `lstat`.
  public static func linkInfo(_ path: String) throws(SystemError) -> FileInfo {
    FileInfo(try System.status(ofPath: path, following: false))
  }

  /// Returns whether a path exists, even as a broken link.
  ///
  /// - Throws: ``SystemError`` if that is unknown, such as `.accessDenied`.
  public static func exists(_ path: String) throws(SystemError) -> Bool {
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
  public static func makeDirectory(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    // Unsafe: C reads the path during the call.
    _ = try System.call(.mkdir, path) { unsafe mkdir(path, mode_t(mode)) }
  }

  /// Creates a directory and its missing parents, even if another process does the same.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - mode: The permissions, minus the umask.
  ///   - syncing: Whether the names of all created directories, and that of the lowest existing
  ///     one, are on disk when this returns. Each name is synced before anything is created below
  ///     it. So if another process created a directory and has not synced it, that is the lowest
  ///     existing one.
  /// - Complexity: One call for each missing part of the path; with `syncing` also one `fsync`
  ///   each.
  public static func makeDirectories(
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
      // The parent belongs to another user and is not readable, or is not on a disk.
      guard !isMade, error.code == .accessDenied || error.code == .invalidArgument else {
        throw error
      }
    }
  }

  /// Returns whether a path leads to a directory, following links.
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
  /// It is on disk after ``syncDirectory(_:)`` of both directories.
  public static func rename(_ from: String, to: String) throws(SystemError) {
    // Unsafe: C reads the paths during the call.
    _ = try System.call(.rename, from) { unsafe Glibc.rename(from, to) }
  }

  /// Removes the name of a file; the C function is `unlink`.
  public static func unlink(_ path: String) throws(SystemError) {
    // Unsafe: C reads the path during the call.
    _ = try System.call(.unlink, path) { unsafe Glibc.unlink(path) }
  }

  /// Removes an empty directory; the C function is `rmdir`.
  public static func removeDirectory(_ path: String) throws(SystemError) {
    // Unsafe: C reads the path during the call.
    _ = try System.call(.rmdir, path) { unsafe rmdir(path) }
  }

  /// Changes the permissions of a file; the C function is `chmod`.
  public static func setMode(_ path: String, _ mode: UInt32) throws(SystemError) {
    // Unsafe: C reads the path during the call.
    _ = try System.call(.chmod, path) { unsafe chmod(path, mode_t(mode)) }
  }

  /// Syncs the names in a directory to disk; the C function is `fsync`.
  public static func syncDirectory(_ path: String) throws(SystemError) {
    try OpenFile.open(path, [.read, .directory]).synchronize()
  }

  /// Returns the bytes that an unprivileged user can still write; the C function is `statvfs`.
  public static func freeBytes(_ path: String) throws(SystemError) -> Int {
    var status = statvfs()
    // Unsafe: C writes to a local variable and reads the path during the call.
    _ = try System.call(.statvfs, path) { unsafe statvfs(path, &status) }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }

  /// Returns the path without its last part, or `nil` if it has only one.
  static func directory(of path: String) -> String? {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == bytes.startIndex ? "/" : String(path[..<slash])
  }
}
