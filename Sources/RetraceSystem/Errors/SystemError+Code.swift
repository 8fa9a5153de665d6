import Glibc

extension SystemError {
  /// An `errno`, or a code of this module.
  ///
  /// Codes without a name here can still be compared and shown.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The system's number.
    public var rawValue: Int32

    /// Creates a code from any number.
    public init(rawValue: Int32) {
      self.rawValue = rawValue
    }
  }
}

extension SystemError.Code {
  /// Not permitted, for a reason other than the permission bits; the C code is `EPERM`.
  public static var notPermitted: Self { Self(rawValue: EPERM) }
  /// No such file or directory; the C code is `ENOENT`.
  public static var noSuchFile: Self { Self(rawValue: ENOENT) }
  /// Interrupted by a signal; the C code is `EINTR`.
  public static var interrupted: Self { Self(rawValue: EINTR) }
  /// The device failed; the C code is `EIO`.
  public static var inputOutput: Self { Self(rawValue: EIO) }
  /// An executable file that is not a program; the C code is `ENOEXEC`.
  package static var notAProgram: Self { Self(rawValue: ENOEXEC) }
  /// The descriptor is not open for this operation; the C code is `EBADF`.
  public static var badFileDescriptor: Self { Self(rawValue: EBADF) }
  /// The operation would block; the C code is `EAGAIN`.
  public static var tryAgain: Self { Self(rawValue: EAGAIN) }
  /// Out of memory; the C code is `ENOMEM`.
  public static var outOfMemory: Self { Self(rawValue: ENOMEM) }
  /// The permissions forbid it; the C code is `EACCES`.
  public static var accessDenied: Self { Self(rawValue: EACCES) }
  /// In use; the C code is `EBUSY`.
  public static var busy: Self { Self(rawValue: EBUSY) }
  /// The file exists already; the C code is `EEXIST`.
  public static var fileExists: Self { Self(rawValue: EEXIST) }
  /// Not a directory; the C code is `ENOTDIR`.
  public static var notADirectory: Self { Self(rawValue: ENOTDIR) }
  /// A directory; the C code is `EISDIR`.
  public static var isADirectory: Self { Self(rawValue: EISDIR) }
  /// An invalid argument; the C code is `EINVAL`.
  public static var invalidArgument: Self { Self(rawValue: EINVAL) }
  /// The process has too many files open; the C code is `EMFILE`.
  public static var tooManyOpenFiles: Self { Self(rawValue: EMFILE) }
  /// The system has too many files open; the C code is `ENFILE`.
  public static var tooManyOpenFilesInSystem: Self { Self(rawValue: ENFILE) }
  /// Not a terminal; the C code is `ENOTTY`.
  public static var notATerminal: Self { Self(rawValue: ENOTTY) }
  /// Beyond the limit on the size of a file; the C code is `EFBIG`.
  public static var fileTooLarge: Self { Self(rawValue: EFBIG) }
  /// The device is full; the C code is `ENOSPC`.
  public static var noSpace: Self { Self(rawValue: ENOSPC) }
  /// The file system is read-only; the C code is `EROFS`.
  public static var readOnlyFileSystem: Self { Self(rawValue: EROFS) }
  /// A pipe or socket without a reader; the C code is `EPIPE`.
  public static var brokenPipe: Self { Self(rawValue: EPIPE) }
  /// Too many symbolic links, or one where none is allowed; the C code is `ELOOP`.
  public static var tooManyLinks: Self { Self(rawValue: ELOOP) }
  /// The name is too long; the C code is `ENAMETOOLONG`.
  public static var nameTooLong: Self { Self(rawValue: ENAMETOOLONG) }
  /// The directory is not empty; the C code is `ENOTEMPTY`.
  public static var notEmpty: Self { Self(rawValue: ENOTEMPTY) }
  /// The user's quota is used up; the C code is `EDQUOT`.
  public static var quotaExceeded: Self { Self(rawValue: EDQUOT) }
  /// More bytes than the caller's limit; not a C code.
  public static var aboveLimit: Self { Self(rawValue: -1) }
  /// Fewer bytes than the caller asked for; not a C code.
  public static var endOfFile: Self { Self(rawValue: -2) }
}

extension SystemError.Code: CustomStringConvertible {
  /// The system's description of the code.
  public var description: String {
    switch self {
    case .aboveLimit: return "larger than the program's limit"
    case .endOfFile: return "unexpected end of file"
    default:
      var buffer = [CChar](repeating: 0, count: 256)
      // Unsafe: C writes at most the array's count, including a terminating zero.
      guard unsafe strerror_r(rawValue, &buffer, buffer.count) == 0 else {
        return "error \(rawValue)"
      }
      let message = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return "\(String(decoding: message, as: UTF8.self)) (\(rawValue))"
    }
  }
}
