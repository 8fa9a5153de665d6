import RetraceSystem

extension StoreError {
  init(_ error: SystemError, in path: String, doing what: String) {
    let (code, why, advice) = StoreError.meaning(of: error)
    self.init(
      code, what: "The store \(path) could not \(what).", why: why, advice: advice,
      underlying: "\(error)", remedy: error.code == .fileTooLarge ? .raiseFileSizeLimit : nil)
  }

  /// Returns the result of a system call, or throws its error as the store's.
  static func system<Value: ~Copyable>(
    _ call: @autoclosure () throws(SystemError) -> Value, in path: String, doing what: String
  ) throws(StoreError) -> Value {
    do throws(SystemError) { return try call() } catch {
      throw StoreError(error, in: path, doing: what)
    }
  }

  private static func meaning(of error: SystemError) -> (Code, String, String) {
    switch error.code {
    case .tryAgain where error.operation == .thread: noThread
    case .noSpace, .quotaExceeded: noRoom
    case .fileTooLarge: aboveLimit
    case .accessDenied, .notPermitted: noRights
    case .readOnlyFileSystem: readOnlyPlace
    case .tooManyLinks, .isADirectory, .notADirectory:
      (
        .notPlainFile, "A link or the wrong kind of file is where a file or directory should be.",
        "Replace it with a regular file or a directory."
      )
    default:
      (
        .storageFailed, "A system call failed.",
        "Look at the disk and the system's log; open the store again to see what was kept."
      )
    }
  }

  private static var noThread: (Code, String, String) {
    (
      .storageFailed, "The system cannot create another thread.",
      "Raise the limits on processes (`ulimit -u`) and address space (`ulimit -v`), or end "
        + "other programs."
    )
  }

  // Texts for codes that LMDB and the system share.

  static var noRoom: (Code, String, String) {
    (
      .diskFull, "The disk is full, or your quota is used up.",
      "Free some space and try again; all committed records are kept."
    )
  }

  static var aboveLimit: (Code, String, String) {
    (
      .diskFull, "A file would exceed the limit on file sizes (`ulimit -f`).",
      "Try again with a higher limit; all committed records are kept."
    )
  }

  static var noRights: (Code, String, String) {
    (
      .permissionDenied, "You lack permission for its files or its directory.",
      "Give yourself read and write permission; reading also writes the lock file."
    )
  }

  static var readOnlyPlace: (Code, String, String) {
    (
      .readOnly, "It is on a read-only file system.",
      "Copy it to another place."
    )
  }
}
