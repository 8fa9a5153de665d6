import CLMDB

extension LMDBError.Code: CustomStringConvertible {
  /// The meaning of the code; LMDB's library explains its own codes and the system's.
  package var description: String {
    switch self {
    case .alreadyOpen: "this process has the environment open already"
    case .forked: "the environment was opened before a fork"
    case .wrongThread: "the write transaction belongs to another thread"
    case .closed: "the environment is closed"
    case .nestedWrite: "this thread has a write transaction open already"
    case .notPlainFile: "a data or lock file is not a regular file with exactly one hard link"
    case .filesReplaced: "the data file was replaced or removed while it was open"
    case .lockFileReplaced: "the lock file was replaced or removed while it was open"
    case .openingStalled:
      "another process is opening or closing the environment and makes no progress"
    case .lockFileStale: "the transaction counters of the lock file and the data file differ"
    case .otherLibrary: "the library has another version than the header of the build"
    // Unsafe: the text belongs to the library, and is copied at once.
    default: unsafe String(cString: mdb_strerror(rawValue))
    }
  }
}
