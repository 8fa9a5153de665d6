import Glibc

/// An open file; the end of its life closes it.
///
/// Calls that a signal interrupts are made again. A descriptor is never inherited by a program that
/// is started.
public struct OpenFile: ~Copyable, Sendable {
  /// How a file is opened.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits; their values have no meaning outside.
    public var rawValue: Int32

    /// Takes bits.
    public init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// Bytes can be read.
    public static let read = Options(rawValue: 1)
    /// Bytes can be written.
    public static let write = Options(rawValue: 2)
    /// Each ``OpenFile/append(_:)`` goes to the end, whoever else appends.
    public static let append = Options(rawValue: 4)
    /// The file is made if there is none.
    public static let create = Options(rawValue: 8)
    /// With `create`: it is an error if there is one.
    public static let exclusive = Options(rawValue: 16)
    /// What the file holds is dropped.
    public static let truncate = Options(rawValue: 32)
    /// A symbolic link as the last part of the path is an error.
    public static let noFollow = Options(rawValue: 64)
    /// It must be a directory.
    public static let directory = Options(rawValue: 128)
    /// Opening a pipe or device does not wait.
    public static let nonBlocking = Options(rawValue: 256)

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

  /// The path it was opened by.
  public let path: String
  /// The number that C knows the file by; valid while this value lives.
  public let descriptor: Int32

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
  ///   - options: What for.
  ///   - mode: The permissions of a file that is made, less the umask.
  /// - Throws: ``SystemError``, among others `.noSuchFile`, `.fileExists`, `.accessDenied`,
  ///   `.tooManyLinks` for a link under `noFollow`.
  public static func open(
    _ path: String, _ options: Options = .read, mode: UInt32 = 0o600
  ) throws(SystemError) -> OpenFile {
    OpenFile(try System.open(path, options.flags, mode), path)
  }

  /// Opens a file in this directory, whatever its path is by now; the C function is `openat`.
  ///
  /// - Parameters:
  ///   - name: The name in the directory.
  ///   - options: What for.
  ///   - mode: The permissions of a file that is made, less the umask.
  /// - Throws: As ``open(_:_:mode:)``.
  public func open(
    _ name: String, _ options: Options = .read, mode: UInt32 = 0o600
  ) throws(SystemError) -> OpenFile {
    let path = self.path + "/" + name
    return OpenFile(try System.open(name, in: descriptor, path, options.flags, mode), path)
  }
}

extension OpenFile {
  /// The description of the file; the C function is `fstat`.
  public func info() throws(SystemError) -> FileInfo {
    FileInfo(try System.status(descriptor, path))
  }

  /// The size in bytes.
  public var size: Int { get throws(SystemError) { try info().sizeBytes } }
  /// The device and the number.
  public var identity: FileIdentity { get throws(SystemError) { try info().identity } }
  /// The number of names; 0 if it was removed while open.
  public var linkCount: Int { get throws(SystemError) { try info().linkCount } }
  /// The user it belongs to.
  public var owner: UInt32 { get throws(SystemError) { try info().owner } }
  /// The permission bits.
  public var mode: UInt32 { get throws(SystemError) { try info().mode } }
  /// Whether it is a file of bytes, not a directory, pipe or device.
  public var isRegular: Bool { get throws(SystemError) { try info().isRegular } }

  /// Brings bytes and description to the disk; the C function is `fsync`.
  ///
  /// After an error, what of the file is on disk is unknown, and a second call does not tell.
  public func synchronize() throws(SystemError) {
    try System.fsync(descriptor, path)
  }

  /// Changes the size; the C function is `ftruncate`.
  ///
  /// - Parameter size: The new size in bytes; bytes that are added are zero.
  public func truncate(to size: Int) throws(SystemError) {
    try System.truncate(descriptor, size, path)
  }
}
