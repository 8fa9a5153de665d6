import RetraceSystem

extension StoreError {
  /// Creates the store's error for a failed system call.
  init(_ error: SystemError, in path: String, doing what: String) {
    let (code, why, advice) = StoreError.meaning(of: error)
    self.init(
      code, what: "The store \(path) could not \(what).", why: why, advice: advice,
      underlying: "\(error)", remedy: error.code == .fileTooLarge ? .raiseFileSizeLimit : nil)
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
        .notPlainFile, "A link or something else is where a file or directory should be.",
        "Put the file itself there."
      )
    default:
      (
        .storageFailed, "The system refused a call.",
        "Look at the disk and the system's log; open the store again to see what was kept."
      )
    }
  }

  private static var noThread: (Code, String, String) {
    (
      .storageFailed, "The system makes no more threads.",
      "Raise the limits on processes (`ulimit -u`) and address space (`ulimit -v`), or end "
        + "other programs."
    )
  }

  // Texts for codes that LMDB and the system share.

  static var noRoom: (Code, String, String) {
    (
      .diskFull, "There is no room left on the disk, or in your share of it.",
      "Free some room and try again; everything acknowledged is kept."
    )
  }

  static var aboveLimit: (Code, String, String) {
    (
      .diskFull, "A file would grow above the limit on the size of files.",
      "Try again with a higher limit; everything acknowledged is kept."
    )
  }

  static var noRights: (Code, String, String) {
    (
      .permissionDenied, "You may not use its files, or its directory, as that needs.",
      "Give yourself read and write rights; reading needs to write the lock file, too."
    )
  }

  static var readOnlyPlace: (Code, String, String) {
    (
      .readOnly, "It lies on a file system that cannot be written to.",
      "Copy it to another place."
    )
  }
}
