import Glibc

/// An open file, which is closed when the value is destroyed.
///
/// Calls that a signal interrupts are repeated. Child processes never inherit the descriptor.
package struct OpenFile: ~Copyable, Sendable {
  package struct Options: OptionSet, Hashable, Sendable {
    /// The bits, whose values have no meaning outside this module.
    package var rawValue: Int32

    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// Creates the union of options.
    ///
    /// Replaces the standard library's initializer, which looks up a conformance at run time.
    package init(arrayLiteral elements: Options...) {
      rawValue = elements.reduce(0) { $0 | $1.rawValue }
    }

    package static let read = Options(rawValue: 1)
    package static let write = Options(rawValue: 2)
    /// Makes each ``OpenFile/append(_:)`` write at the end, even if other processes append too.
    package static let append = Options(rawValue: 4)
    package static let create = Options(rawValue: 8)
    /// With `create`: fails if the file exists.
    package static let exclusive = Options(rawValue: 16)
    package static let truncate = Options(rawValue: 32)
    /// Fails if the last part of the path is a symbolic link.
    package static let noFollow = Options(rawValue: 64)
    /// Fails if the path is not a directory.
    package static let directory = Options(rawValue: 128)
    /// Does not block on opening a pipe or a device.
    package static let nonBlocking = Options(rawValue: 256)

    var flags: Int32 {
      var flags = O_CLOEXEC
      flags |= contains([.read, .write]) ? O_RDWR : contains(.write) ? O_WRONLY : O_RDONLY
      if contains(.append) { flags |= O_APPEND }
      if contains(.create) { flags |= O_CREAT }
      if contains(.exclusive) { flags |= O_EXCL }
      if contains(.truncate) { flags |= O_TRUNC }
      if contains(.noFollow) { flags |= O_NOFOLLOW }
      if contains(.directory) { flags |= O_DIRECTORY }
      if contains(.nonBlocking) { flags |= O_NONBLOCK }
      return flags
    }
  }

  package let path: String
  package let descriptor: Int32

  init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    System.close(descriptor)
  }

  /// Opens a file; the C function is `open`.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - options: The access and further options.
  ///   - mode: The permissions of a created file, minus the umask.
  /// - Throws: ``SystemError``, such as `.noSuchFile`, `.fileExists`, `.accessDenied`, or
  ///   `.tooManyLinks` for a link under `noFollow`.
  package static func open(
    _ path: String, _ options: Options = .read, mode: UInt32 = 0o600
  ) throws(SystemError) -> OpenFile {
    OpenFile(try System.open(path, options.flags, mode), path)
  }
}

extension OpenFile {
  /// Returns the metadata of the file; the C function is `fstat`.
  package func info() throws(SystemError) -> FileInfo {
    FileInfo(try System.status(descriptor, path))
  }

  package var size: Int { get throws(SystemError) { try info().sizeBytes } }
  package var identity: FileIdentity { get throws(SystemError) { try info().identity } }
  package var mode: UInt32 { get throws(SystemError) { try info().mode } }
  package var isRegular: Bool { get throws(SystemError) { try info().isRegular } }

  /// Syncs the contents and the metadata to disk; the C function is `fsync`.
  ///
  /// After an error the contents on disk are unknown, even if a second call succeeds.
  package func synchronize() throws(SystemError) {
    try System.fsync(descriptor, path)
  }

  /// Changes the size; the C function is `ftruncate`.
  ///
  /// - Parameter size: The new size in bytes; added bytes are zero.
  package func truncate(to size: Int) throws(SystemError) {
    try System.truncate(descriptor, size, path)
  }
}
