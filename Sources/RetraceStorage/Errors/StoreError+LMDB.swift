import RetraceLMDB

extension StoreError {
  init(_ error: LMDBError, in path: String, doing what: String) {
    if StoreError.isDamage(error) {
      // LMDB cannot tell which records a page contains.
      self = .damaged(
        1, "Its data file is not an LMDB file, or its pages are inconsistent", in: path)
      underlying = "\(error)"
      return
    }
    let (code, why, advice) = StoreError.meaning(of: error)
    self.init(
      code, what: "The store \(path) could not \(what).", why: why, advice: advice,
      underlying: "\(error)", remedy: error.code == .fileTooLarge ? .raiseFileSizeLimit : nil)
  }

  /// Returns the result of an LMDB call, or throws its error as the store's.
  static func lmdb<Value: ~Copyable>(
    _ call: @autoclosure () throws(LMDBError) -> Value, in path: String, doing what: String
  ) throws(StoreError) -> Value {
    do throws(LMDBError) { return try call() } catch {
      throw StoreError(error, in: path, doing: what)
    }
  }

  /// Returns whether a call failed because of the data file's contents.
  private static func isDamage(_ error: LMDBError) -> Bool {
    switch error.code {
    case .invalid, .corrupted, .pageNotFound, .incompatible, .cursorFull, .pageFull: true
    // After a damaged page, every call in the transaction fails with this code.
    case .badTransaction: error.operation == .get || error.operation == .moveCursor
    default: false
    }
  }

  /// Returns the meaning of an error that the limit on the address space explains; otherwise `nil`.
  private static func meaning(
    of error: LMDBError, limitedTo bytes: Int
  ) -> (Code, String, String)? {
    let limit = "The address space of the process is limited to \(bytes / 1024) KiB"
    return switch error.code {
    case .outOfMemory:
      (
        .storageFailed, "\(limit), which leaves no room for its data file.",
        "Raise the limit (`ulimit -v`) and try again; all committed records are kept."
      )
    case .mapFull, .mapResized:
      (
        .mapFull, "\(limit), and the log no longer fits into it.",
        "Raise the limit (`ulimit -v`) and open the store again; all committed records are kept."
      )
    default: nil
    }
  }

  private static var otherLibrary: (Code, String, String) {
    let header = LMDBVersion.header
    return (
      .incompatible,
      "This program was built for LMDB \(header), but runs with the library of "
        + "LMDB \(LMDBVersion.library).",
      "Install the library of LMDB \(header.major).\(header.minor), or use a program that is "
        + "linked statically."
    )
  }

  private static func meaning(of error: LMDBError) -> (Code, String, String) {
    if let bytes = LMDBEnvironment.addressSpaceLimitBytes,
      let meaning = meaning(of: error, limitedTo: bytes)
    {
      return meaning
    }
    return switch error.code {
    case .noSpace, .quotaExceeded: noRoom
    case .fileTooLarge: aboveLimit
    case .mapFull:
      (
        .mapFull, "The log is larger than the address space reserved for it.",
        "Open the store with a larger map."
      )
    case .alreadyOpen:
      (
        .alreadyOpen, "This process has it open already.",
        "Use the store that is open, or close it first."
      )
    case .notPlainFile:
      (
        .notPlainFile,
        "Its data or lock file is a link, has several hard links or is not a regular file.",
        "Replace it with a regular file that you own and that has one hard link."
      )
    case .filesReplaced:
      (
        .filesReplaced, "Its data file was replaced or removed while it was open.",
        "Close every program that uses the store, put its own data file back, and open it again."
      )
    case .lockFileReplaced:
      (
        .filesReplaced, "Its lock file was replaced or removed while it was open.",
        "Close every program that uses the store and open it again; no record is lost."
      )
    case .lockFileStale:
      (
        .storageFailed,
        "Its lock file lock.mdb does not match the data file, because a program was killed while "
          + "it opened the store.",
        "Close every program that uses the store and open it again; no record is lost."
      )
    case .accessDenied, .notPermitted: noRights
    case .readOnlyFileSystem: readOnlyPlace
    case .versionMismatch:
      (
        .incompatible, "Its data file has the format of another LMDB version.",
        "Use the version that wrote it."
      )
    case .otherLibrary: otherLibrary
    case .panic:
      (
        .storageFailed, "An earlier write of its data file failed, so it accepts no more records.",
        "Close the store and open it again to see what was kept."
      )
    case .closed: (.closed, "It was closed.", "Open it again.")
    case .invalidArgument where error.operation == .setMapSize:
      (
        .mapFull, "A map of the requested size is not possible.",
        "Open the store with a larger map."
      )
    default:
      (
        .storageFailed, "A call of LMDB or the system failed.",
        "Look at the disk and the system's log; open the store again to see what was kept."
      )
    }
  }
}
