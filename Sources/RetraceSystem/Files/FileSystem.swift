import Glibc

/// Files and directories by their paths.
public enum FileSystem {
  /// The description of a file, through symbolic links; the C function is `stat`.
  public static func info(_ path: String) throws(SystemError) -> FileInfo {
    FileInfo(try System.status(ofPath: path, following: true))
  }

  /// The description of what has the path, a symbolic link included; the C function is `lstat`.
  public static func linkInfo(_ path: String) throws(SystemError) -> FileInfo {
    FileInfo(try System.status(ofPath: path, following: false))
  }

  /// Whether anything has the path, be it a broken link.
  ///
  /// - Throws: ``SystemError`` if that cannot be told, such as `.accessDenied`.
  public static func exists(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try linkInfo(path)
      return true
    } catch {
      guard error.code == .noSuchFile || error.code == .notADirectory else { throw error }
      return false
    }
  }

  /// Makes a directory; the C function is `mkdir`.
  ///
  /// - Parameters:
  ///   - path: The path; the directory above must exist.
  ///   - mode: The permissions, less the umask.
  /// - Throws: ``SystemError``, `.fileExists` if there is anything of that name.
  public static func makeDirectory(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    // Unsafe: C reads the path during the call.
    _ = try System.call(.mkdir, path) { unsafe mkdir(path, mode_t(mode)) }
  }

  /// Makes a directory and those above it, where there are none; another process may make them too.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - mode: The permissions, less the umask.
  ///   - syncing: Whether the names of the directories that are made, and that of the lowest one
  ///     that is there, are on disk when this returns. A name is on disk before anything is made in
  ///     its directory, so that one which another process made and did not sync is the lowest.
  /// - Complexity: One call for each part of the path that is missing; with `syncing` one `fsync`
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
      // A directory of others that this user may not read, or one that is on no disk.
      guard !isMade, error.code == .accessDenied || error.code == .invalidArgument else {
        throw error
      }
    }
  }

  /// Whether a directory has the path, or a link to one.
  private static func isDirectory(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      return try info(path).isDirectory
    } catch {
      guard error.code == .noSuchFile else { throw error }
      return false
    }
  }

  /// Gives a file another name, in place of what had it; the C function is `rename`.
  ///
  /// On disk after ``syncDirectory(_:)`` of the directories concerned.
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

  /// Changes the permissions; the C function is `chmod`.
  public static func setMode(_ path: String, _ mode: UInt32) throws(SystemError) {
    // Unsafe: C reads the path during the call.
    _ = try System.call(.chmod, path) { unsafe chmod(path, mode_t(mode)) }
  }

  /// Brings the names in a directory to the disk; the C function is `fsync`.
  public static func syncDirectory(_ path: String) throws(SystemError) {
    try OpenFile.open(path, [.read, .directory]).synchronize()
  }

  /// The bytes that an unprivileged user may still write there; the C function is `statvfs`.
  public static func freeBytes(_ path: String) throws(SystemError) -> Int {
    var status = statvfs()
    // Unsafe: C writes to a local variable and reads the path during the call.
    _ = try System.call(.statvfs, path) { unsafe statvfs(path, &status) }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }

  /// The path without its last part, or `nil` if it has only one.
  static func directory(of path: String) -> String? {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == bytes.startIndex ? "/" : String(path[..<slash])
  }
}
