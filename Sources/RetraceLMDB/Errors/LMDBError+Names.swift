import CLMDB
import Glibc

extension LMDBError.Code: CustomStringConvertible {
  /// The name and the meaning of the code.
  package var description: String {
    if let name {
      return "\(name.symbol): \(name.meaning)"
    }
    return "code \(rawValue)"
  }

  /// The C name of the code; `nil` if it has no name here.
  package var symbol: String? { name?.symbol }

  private var name: (symbol: String, meaning: String)? {
    switch rawValue {
    case MDB_KEYEXIST...MDB_LAST_ERRCODE: nameInLMDB
    case ..<0: nameInWrapper
    default: nameInSystem
    }
  }

  private var nameInLMDB: (symbol: String, meaning: String)? {
    switch self {
    case .keyExists: ("MDB_KEYEXIST", "the key exists already or is out of order")
    case .notFound: ("MDB_NOTFOUND", "no such key")
    case .pageNotFound: ("MDB_PAGE_NOTFOUND", "a page is missing, the file is damaged")
    case .corrupted: ("MDB_CORRUPTED", "a page has the wrong type, the file is damaged")
    case .panic: ("MDB_PANIC", "an earlier write failed, the environment has to be reopened")
    case .versionMismatch:
      ("MDB_VERSION_MISMATCH", "the file has the format of another LMDB version")
    case .invalid: ("MDB_INVALID", "the file is not an LMDB file")
    case .mapFull: ("MDB_MAP_FULL", "the map has no room left")
    case .databasesFull: ("MDB_DBS_FULL", "too many named databases")
    case .readersFull: ("MDB_READERS_FULL", "no free slot for another reader")
    case .tlsFull: ("MDB_TLS_FULL", "too many thread-local keys")
    case .transactionFull: ("MDB_TXN_FULL", "the transaction changed too many pages")
    case .cursorFull: ("MDB_CURSOR_FULL", "the tree is deeper than a cursor allows")
    case .pageFull: ("MDB_PAGE_FULL", "a page has too little space")
    case .mapResized: ("MDB_MAP_RESIZED", "another process enlarged the data beyond this map")
    case .incompatible: ("MDB_INCOMPATIBLE", "the database has flags that are not supported")
    case .badReaderSlot: ("MDB_BAD_RSLOT", "a reader slot was used twice")
    case .badTransaction: ("MDB_BAD_TXN", "the transaction can only be aborted")
    case .badValueSize: ("MDB_BAD_VALSIZE", "a key or value has a length that is not allowed")
    case .badDatabase: ("MDB_BAD_DBI", "the database belongs to another environment")
    default: nil
    }
  }

  private var nameInSystem: (symbol: String, meaning: String)? {
    switch self {
    case .notPermitted: ("EPERM", "not permitted")
    case .noSuchFile: ("ENOENT", "no such file or directory")
    case .interrupted: ("EINTR", "interrupted by a signal")
    case .inputOutput: ("EIO", "the device failed")
    case .badFileDescriptor: ("EBADF", "the file is not open for this operation")
    case .tryAgain: ("EAGAIN", "the call would block")
    case .outOfMemory: ("ENOMEM", "out of memory")
    case .accessDenied: ("EACCES", "permission denied")
    case .busy: ("EBUSY", "in use")
    case .notADirectory: ("ENOTDIR", "not a directory")
    case .isADirectory: ("EISDIR", "is a directory")
    case .invalidArgument: ("EINVAL", "invalid argument")
    case .tooManyOpenFiles: ("EMFILE", "too many open files")
    case .tooManyOpenFilesInSystem: ("ENFILE", "too many open files in the system")
    case .fileTooLarge: ("EFBIG", "the file would exceed the size limit")
    case .noSpace: ("ENOSPC", "no space left on the device")
    case .readOnlyFileSystem: ("EROFS", "the file system is read only")
    case .notSupported: ("EOPNOTSUPP", "the file system cannot do this")
    case .quotaExceeded: ("EDQUOT", "the quota is used up")
    case .ownerDead: ("EOWNERDEAD", "a thread ended with the lock held")
    default: nil
    }
  }

  private var nameInWrapper: (symbol: String, meaning: String)? {
    switch self {
    case .alreadyOpen: ("ALREADY_OPEN", "this process has the environment open already")
    case .forked: ("FORKED", "the environment was opened before a fork")
    case .wrongThread: ("WRONG_THREAD", "the write transaction belongs to another thread")
    case .closed: ("CLOSED", "the environment is closed")
    case .nestedWrite: ("NESTED_WRITE", "this thread has a write transaction open already")
    case .notPlainFile:
      ("NOT_PLAIN_FILE", "a data or lock file is not a regular file with exactly one hard link")
    case .filesReplaced:
      ("FILES_REPLACED", "the data file was replaced or removed while it was open")
    case .lockFileReplaced:
      ("LOCK_FILE_REPLACED", "the lock file was replaced or removed while it was open")
    case .openingStalled:
      (
        "OPENING_STALLED",
        "another process is opening or closing the environment and makes no progress"
      )
    case .lockFileStale:
      ("LOCK_FILE_STALE", "the transaction counters of the lock file and the data file differ")
    case .otherLibrary:
      ("OTHER_LIBRARY", "the library has another version than the header of the build")
    default: nil
    }
  }
}
