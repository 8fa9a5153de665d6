/// Why the system did not do what it was asked.
public struct SystemError: Error, Hashable, Sendable {
  /// What went wrong.
  public var code: Code
  /// Which call it was.
  public var operation: Operation
  /// The file it was about, if it was about one.
  public var path: String?

  /// Makes an error.
  public init(_ code: Code, during operation: Operation, path: String? = nil) {
    self.code = code
    self.operation = operation
    self.path = path
  }
}

extension SystemError {
  /// The calls that can fail; the names are those of the C functions.
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    /// Opening a file.
    case open
    /// Closing a file.
    case close
    /// Reading at a position.
    case pread
    /// Writing at a position.
    case pwrite
    /// Reading what comes next.
    case read
    /// Writing what comes next.
    case write
    /// Bringing a file and its description to the disk.
    case fsync
    /// Changing a file's size.
    case ftruncate
    /// Reading the description of a file.
    case stat
    /// Changing permissions.
    case chmod
    /// Making a directory.
    case mkdir
    /// Making a directory with a name of its own.
    case mkdtemp
    /// Giving a file another name.
    case rename
    /// Removing a name.
    case unlink
    /// Removing a directory.
    case rmdir
    /// Listing a directory.
    case readdir
    /// Making a path absolute and free of links.
    case realpath
    /// Reading where a link points.
    case readlink
    /// Reading the figures of a file system.
    case statvfs
    /// Locking bytes of a file.
    case fcntl
    /// Locking a directory.
    case flock
    /// Waiting for a file to be ready.
    case poll
    /// Asking for reports of writes to a file.
    case inotify
    /// Making a pipe.
    case pipe
    /// Reading or changing how a terminal behaves.
    case tcsetattr
    /// Making a pair of terminal ends.
    case openpty
    /// Making a thread.
    case thread = "pthread_create"
    /// Starting a program.
    case spawn = "posix_spawn"
    /// Waiting for a program to end.
    case waitpid
    /// Sending a signal.
    case kill
    /// Reading random bytes.
    case getentropy
  }
}

extension SystemError: CustomStringConvertible {
  /// One line for a person: the call, the file, the name of the code, what it means.
  public var description: String {
    let subject = path.map { " \($0)" } ?? ""
    return "\(operation.rawValue)\(subject): \(code)"
  }
}
