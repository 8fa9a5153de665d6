import CLMDB
import Glibc

extension LMDBError {
  /// A return code: one of LMDB, an `errno`, or one of this wrapper.
  ///
  /// A code that has no name here is still a value and can be compared and shown.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number that LMDB or the system returned.
    public var rawValue: Int32

    /// Takes any number.
    public init(rawValue: Int32) {
      self.rawValue = rawValue
    }
  }
}

// The codes of LMDB 0.9.24.
extension LMDBError.Code {
  /// The key is there already, or is not behind the last one; the C code is `MDB_KEYEXIST`.
  public static var keyExists: Self { Self(rawValue: MDB_KEYEXIST) }
  /// No such key, or the cursor is at the end; the C code is `MDB_NOTFOUND`.
  public static var notFound: Self { Self(rawValue: MDB_NOTFOUND) }
  /// A page is missing, a sign of damage; the C code is `MDB_PAGE_NOTFOUND`.
  public static var pageNotFound: Self { Self(rawValue: MDB_PAGE_NOTFOUND) }
  /// A page has the wrong type; the C code is `MDB_CORRUPTED`.
  public static var corrupted: Self { Self(rawValue: MDB_CORRUPTED) }
  /// A write of a meta page failed; the environment has to be reopened; the C code is `MDB_PANIC`.
  public static var panic: Self { Self(rawValue: MDB_PANIC) }
  /// The file is of another version of LMDB; the C code is `MDB_VERSION_MISMATCH`.
  public static var versionMismatch: Self { Self(rawValue: MDB_VERSION_MISMATCH) }
  /// The file is not an LMDB file; the C code is `MDB_INVALID`.
  public static var invalid: Self { Self(rawValue: MDB_INVALID) }
  /// The map has no room left; the C code is `MDB_MAP_FULL`.
  public static var mapFull: Self { Self(rawValue: MDB_MAP_FULL) }
  /// More named databases than the options allow; the C code is `MDB_DBS_FULL`.
  public static var databasesFull: Self { Self(rawValue: MDB_DBS_FULL) }
  /// No free slot for another reader; the C code is `MDB_READERS_FULL`.
  public static var readersFull: Self { Self(rawValue: MDB_READERS_FULL) }
  /// Too many thread-local keys; only on Windows; the C code is `MDB_TLS_FULL`.
  public static var tlsFull: Self { Self(rawValue: MDB_TLS_FULL) }
  /// The transaction changed too many pages; the C code is `MDB_TXN_FULL`.
  public static var transactionFull: Self { Self(rawValue: MDB_TXN_FULL) }
  /// A cursor went too deep, an error inside LMDB; the C code is `MDB_CURSOR_FULL`.
  public static var cursorFull: Self { Self(rawValue: MDB_CURSOR_FULL) }
  /// A page has too little room, an error inside LMDB; the C code is `MDB_PAGE_FULL`.
  public static var pageFull: Self { Self(rawValue: MDB_PAGE_FULL) }
  /// Another process made the data grow beyond this map; the C code is `MDB_MAP_RESIZED`.
  public static var mapResized: Self { Self(rawValue: MDB_MAP_RESIZED) }
  /// The database is of another kind than was asked for; the C code is `MDB_INCOMPATIBLE`.
  public static var incompatible: Self { Self(rawValue: MDB_INCOMPATIBLE) }
  /// A reader slot was used twice; the C code is `MDB_BAD_RSLOT`.
  public static var badReaderSlot: Self { Self(rawValue: MDB_BAD_RSLOT) }
  /// An earlier call of the transaction failed, it can only be given up; the C code is
  /// `MDB_BAD_TXN`.
  public static var badTransaction: Self { Self(rawValue: MDB_BAD_TXN) }
  /// A key is empty or above 511 bytes, or a value is too long; the C code is `MDB_BAD_VALSIZE`.
  public static var badValueSize: Self { Self(rawValue: MDB_BAD_VALSIZE) }
  /// The database handle is not one of this environment; the C code is `MDB_BAD_DBI`.
  public static var badDatabase: Self { Self(rawValue: MDB_BAD_DBI) }
}

// The codes of the system that mean something to a store.
extension LMDBError.Code {
  /// The caller does not own what it wants to change; the C code is `EPERM`.
  public static var notPermitted: Self { Self(rawValue: EPERM) }
  /// The directory or file is not there; the C code is `ENOENT`.
  public static var noSuchFile: Self { Self(rawValue: ENOENT) }
  /// The call was interrupted by a signal; the C code is `EINTR`.
  public static var interrupted: Self { Self(rawValue: EINTR) }
  /// The device failed; the C code is `EIO`.
  public static var inputOutput: Self { Self(rawValue: EIO) }
  /// The descriptor is not open for this, also an empty file opened to read; the C code is `EBADF`.
  public static var badFileDescriptor: Self { Self(rawValue: EBADF) }
  /// The call would have to wait; the C code is `EAGAIN`.
  public static var tryAgain: Self { Self(rawValue: EAGAIN) }
  /// No memory, also no address space for the map; the C code is `ENOMEM`.
  public static var outOfMemory: Self { Self(rawValue: ENOMEM) }
  /// The file's permissions forbid it, or the environment only reads; the C code is `EACCES`.
  public static var accessDenied: Self { Self(rawValue: EACCES) }
  /// A device or a lock is in use; the C code is `EBUSY`.
  public static var busy: Self { Self(rawValue: EBUSY) }
  /// A part of the path is not a directory; the C code is `ENOTDIR`.
  public static var notADirectory: Self { Self(rawValue: ENOTDIR) }
  /// The file is a directory; the C code is `EISDIR`.
  public static var isADirectory: Self { Self(rawValue: EISDIR) }
  /// An argument has no meaning here; the C code is `EINVAL`.
  public static var invalidArgument: Self { Self(rawValue: EINVAL) }
  /// The process has too many files open; the C code is `EMFILE`.
  public static var tooManyOpenFiles: Self { Self(rawValue: EMFILE) }
  /// The system has too many files open; the C code is `ENFILE`.
  public static var tooManyOpenFilesInSystem: Self { Self(rawValue: ENFILE) }
  /// The file is above the limit on its size; the C code is `EFBIG`.
  public static var fileTooLarge: Self { Self(rawValue: EFBIG) }
  /// The device is full; the C code is `ENOSPC`.
  public static var noSpace: Self { Self(rawValue: ENOSPC) }
  /// The file system is mounted to be read only; the C code is `EROFS`.
  public static var readOnlyFileSystem: Self { Self(rawValue: EROFS) }
  /// The user's share of the device is used up; the C code is `EDQUOT`.
  public static var quotaExceeded: Self { Self(rawValue: EDQUOT) }
  /// The file system cannot do this; the C code is `EOPNOTSUPP`.
  public static var notSupported: Self { Self(rawValue: EOPNOTSUPP) }
  /// A thread that had the lock ended; the C code is `EOWNERDEAD`.
  public static var ownerDead: Self { Self(rawValue: EOWNERDEAD) }
}

// The codes of this wrapper, far from those of LMDB and of the system.
extension LMDBError.Code {
  /// This process has the same data file open already, which would break LMDB's locks.
  public static var alreadyOpen: Self { Self(rawValue: -40_001) }
  /// The environment was opened before a `fork`; a child process has to open it anew.
  public static var forked: Self { Self(rawValue: -40_002) }
  /// A write transaction was used on, or still belongs to, another thread than began it.
  public static var wrongThread: Self { Self(rawValue: -40_003) }
  /// The environment was closed.
  public static var closed: Self { Self(rawValue: -40_004) }
  /// This thread has a write transaction open already; a second would wait for itself.
  public static var nestedWrite: Self { Self(rawValue: -40_005) }
  /// A data or lock file is not a plain file with one name: a link, a pipe, a directory.
  public static var notPlainFile: Self { Self(rawValue: -40_006) }
  /// The data file at the path is no longer the one that was opened.
  public static var filesReplaced: Self { Self(rawValue: -40_007) }
  /// The lock file at the path is no longer the one that was opened.
  public static var lockFileReplaced: Self { Self(rawValue: -40_008) }
  /// Another process is opening or closing the environment and does not finish.
  public static var openingStalled: Self { Self(rawValue: -40_009) }
  /// The lock file counts other transactions than the data file: a program that was killed while it
  /// opened the environment left it half initialised.
  public static var lockFileStale: Self { Self(rawValue: -40_010) }
}

extension LMDBError.Code {
  /// Matches a code in a `catch` or `case` against the error's code.
  public static func ~= (pattern: Self, error: LMDBError) -> Bool {
    pattern == error.code
  }
}
