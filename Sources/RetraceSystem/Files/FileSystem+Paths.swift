import Glibc
import Synchronization

extension FileSystem {
  /// The directory for temporary files: `TMPDIR`, else `/tmp`.
  package static var temporaryDirectory: String {
    guard let path = ThisProcess.environment("TMPDIR"), path.hasPrefix("/") else { return "/tmp" }
    return path
  }

  /// Creates a directory with a unique name and mode 0700; the C function is `mkdtemp`.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of its name.
  ///   - directory: The parent directory; `nil` for ``temporaryDirectory``.
  /// - Returns: The path of the new directory.
  package static func makeTemporaryDirectory(
    _ prefix: String, in directory: String? = nil
  ) throws(SystemError) -> String {
    let pattern = "\(directory ?? temporaryDirectory)/\(prefix)XXXXXX"
    var bytes = Array(pattern.utf8CString)
    // Unsafe: C changes the last letters of the array, which is zero-terminated.
    _ = try System.call(.mkdtemp, pattern, acquiresResource: true) {
      unsafe mkdtemp(&bytes) == nil ? Int32(-1) : 0
    }
    return String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the absolute path without links; the C function is `realpath`.
  package static func realPath(_ path: String) throws(SystemError) -> String {
    var result = ""
    _ = try System.call(.realpath, path) {
      // Unsafe: C allocates the string, which is copied and freed here.
      guard let text = unsafe realpath(path, nil) else { return Int32(-1) }
      result = unsafe String(cString: text)
      unsafe free(text)
      return 0
    }
    return result
  }

  /// Returns the target of a symbolic link; the C function is `readlink`.
  package static func readLink(_ path: String) throws(SystemError) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    // Unsafe: C writes at most the array's count.
    let limit = bytes.count
    let count = try System.call(.readlink, path) { unsafe readlink(path, &bytes, limit) }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the names in a directory, sorted by their bytes.
  ///
  /// - Complexity: O(`n` log `n`) for `n` names.
  /// - Returns: The names, without `.` and `..`.
  package static func list(_ path: String) throws(SystemError) -> [String] {
    // Unsafe: this function owns the directory stream, and copies each name before it reads the
    // next.
    var opened: OpaquePointer?
    _ = try System.call(.readdir, path, acquiresResource: true) {
      unsafe opened = opendir(path)
      return unsafe opened == nil ? Int32(-1) : 0
    }
    guard let stream = unsafe opened else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    var isAtEnd = false
    while !isAtEnd {
      _ = try System.call(.readdir, path) {
        errno = 0
        guard let entry = unsafe readdir(stream) else {
          isAtEnd = errno == 0
          return isAtEnd ? Int32(0) : -1
        }
        names.append(
          unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
          })
        return 0
      }
    }
    return names.filter { $0 != "." && $0 != ".." }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Removes a file, or a directory and its contents; removes links without following them.
  ///
  /// - Complexity: O(`n`) for `n` files.
  package static func removeTree(_ path: String) throws(SystemError) {
    guard try linkInfo(path).isDirectory else { return try unlink(path) }
    for name in try list(path) { try removeTree(path + "/" + name) }
    try removeDirectory(path)
  }

  /// Reads a whole regular file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - limitBytes: The largest size, which is checked before memory is allocated.
  /// - Returns: The bytes.
  /// - Throws: ``SystemError``, `.aboveLimit` for a larger file, `.isADirectory` for a directory,
  ///   `.invalidArgument` for a pipe, a socket or a device.
  package static func readWhole(_ path: String, limitBytes: Int) throws(SystemError) -> [UInt8] {
    try OpenFile.open(path, [.read, .nonBlocking]).readWhole(limitBytes: limitBytes)
  }

  /// A counter, so that threads that replace the same file concurrently use different temporary
  /// files.
  private static let temporaryFileNumber = Atomic<Int>(0)

  /// Replaces a file atomically.
  ///
  /// When this returns, the new file is on disk under its name, if it is synced. A process that is
  /// killed meanwhile leaves a temporary file in the same directory, named
  /// `FILE.PROCESS-NUMBER.new`.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - bytes: The new contents.
  ///   - mode: The permissions, minus the umask.
  ///   - isSynced: Whether the file has to survive a crash of the system.
  package static func replace(
    _ path: String, with bytes: Span<UInt8>, mode: UInt32 = 0o600, isSynced: Bool = true
  ) throws(SystemError) {
    let number = temporaryFileNumber.add(1, ordering: .relaxed).newValue
    let temporaryPath = "\(path).\(ThisProcess.identifier)-\(number).new"
    do throws(SystemError) {
      let file = try OpenFile.open(
        temporaryPath, [.write, .create, .truncate, .noFollow], mode: mode)
      try file.write(bytes, at: 0)
      if isSynced { try file.synchronize() }
      try rename(temporaryPath, to: path)
    } catch {
      try? unlink(temporaryPath)
      throw error
    }
    if isSynced { try syncDirectory(directory(of: path) ?? ".") }
  }
}
