/// A failed system call.
///
/// ```swift
/// func isWithoutTerminal(_ error: SystemError) -> Bool { error.code == .notATerminal }
/// ```
public struct SystemError: Error, Hashable, Sendable {
  /// The error code.
  public var code: Code
  /// The call that failed.
  public var operation: Operation
  /// The path of the call's file; `nil` if the call names no file.
  public var path: String?

  package init(_ code: Code, during operation: Operation, path: String? = nil) {
    self.code = code
    self.operation = operation
    self.path = path
  }
}

extension SystemError {
  /// The calls that can fail, by the names of the C functions.
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    /// Opening a file.
    case open
    /// Reading at an offset.
    case pread
    /// Writing at an offset.
    case pwrite
    /// Reading the next bytes.
    case read
    /// Writing the next bytes.
    case write
    /// Syncing a file and its metadata to disk.
    case fsync
    /// Changing a file's size.
    case ftruncate
    /// Reading the metadata of a file.
    case stat
    /// Creating a directory.
    case mkdir
    /// Creating a directory with a unique name.
    case mkdtemp
    /// Renaming a file.
    case rename
    /// Removing a name.
    case unlink
    /// Removing a directory.
    case rmdir
    /// Listing a directory.
    case readdir
    /// Resolving a path to an absolute one without links.
    case realpath
    /// Reading the target of a link.
    case readlink
    /// Reading the statistics of a file system.
    case statvfs
    /// Locking bytes of a file.
    case fcntl
    /// Locking a directory.
    case flock
    /// Waiting for a file to be ready.
    case poll
    /// Watching a file for writes.
    case inotify
    /// Creating a pipe.
    case pipe
    /// Reading or changing the mode of a terminal.
    case tcsetattr
    /// Creating a thread.
    case thread = "pthread_create"
    /// Starting a program.
    case spawn = "posix_spawn"
    /// Waiting for a program to end.
    case waitpid
  }
}

extension SystemError: CustomStringConvertible {
  /// A line for people: the call, the file, the code and its meaning.
  public var description: String {
    let subject = path.map { " \($0)" } ?? ""
    return "\(operation.rawValue)\(subject): \(code)"
  }
}
