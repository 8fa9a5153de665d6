import CLMDB
import Glibc

extension LMDBError {
  /// A return code of LMDB, of the system or of this wrapper.
  ///
  /// Codes without a name here can still be compared and shown.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int32

    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }
  }
}

// The codes of LMDB 0.9.24.
extension LMDBError.Code {
  /// The key exists already, or an appended key is not the highest; the C code is `MDB_KEYEXIST`.
  package static var keyExists: Self { Self(rawValue: MDB_KEYEXIST) }
  /// No such key, or the cursor is at the end; the C code is `MDB_NOTFOUND`.
  package static var notFound: Self { Self(rawValue: MDB_NOTFOUND) }
  /// A page is missing, a sign of damage; the C code is `MDB_PAGE_NOTFOUND`.
  package static var pageNotFound: Self { Self(rawValue: MDB_PAGE_NOTFOUND) }
  /// A page has the wrong type; the C code is `MDB_CORRUPTED`.
  package static var corrupted: Self { Self(rawValue: MDB_CORRUPTED) }
  /// An earlier write of a meta page failed, so reopen the environment; the C code is `MDB_PANIC`.
  package static var panic: Self { Self(rawValue: MDB_PANIC) }
  /// The file has another version of LMDB's format; the C code is `MDB_VERSION_MISMATCH`.
  package static var versionMismatch: Self { Self(rawValue: MDB_VERSION_MISMATCH) }
  /// The file is not an LMDB file; the C code is `MDB_INVALID`.
  package static var invalid: Self { Self(rawValue: MDB_INVALID) }
  package static var mapFull: Self { Self(rawValue: MDB_MAP_FULL) }
  /// More named databases than the options allow; the C code is `MDB_DBS_FULL`.
  package static var databasesFull: Self { Self(rawValue: MDB_DBS_FULL) }
  /// No free reader slot; the C code is `MDB_READERS_FULL`.
  package static var readersFull: Self { Self(rawValue: MDB_READERS_FULL) }
  /// The transaction changed too many pages; the C code is `MDB_TXN_FULL`.
  package static var transactionFull: Self { Self(rawValue: MDB_TXN_FULL) }
  /// A cursor is too deep, an error inside LMDB; the C code is `MDB_CURSOR_FULL`.
  package static var cursorFull: Self { Self(rawValue: MDB_CURSOR_FULL) }
  /// A page lacks room, an error inside LMDB; the C code is `MDB_PAGE_FULL`.
  package static var pageFull: Self { Self(rawValue: MDB_PAGE_FULL) }
  /// Another process enlarged the data beyond this map; the C code is `MDB_MAP_RESIZED`.
  package static var mapResized: Self { Self(rawValue: MDB_MAP_RESIZED) }
  /// The database has another kind than requested; the C code is `MDB_INCOMPATIBLE`.
  package static var incompatible: Self { Self(rawValue: MDB_INCOMPATIBLE) }
  /// An earlier call of the transaction failed, so it can only be aborted; the C code is
  /// `MDB_BAD_TXN`.
  package static var badTransaction: Self { Self(rawValue: MDB_BAD_TXN) }
  /// A key is empty or above 511 bytes, or a value is too long; the C code is `MDB_BAD_VALSIZE`.
  package static var badValueSize: Self { Self(rawValue: MDB_BAD_VALSIZE) }
  /// The handle does not belong to a database of this environment; the C code is `MDB_BAD_DBI`.
  package static var badDatabase: Self { Self(rawValue: MDB_BAD_DBI) }
}

// The system's codes that matter to a store.
extension LMDBError.Code {
  /// Only the owner may change this; the C code is `EPERM`.
  package static var notPermitted: Self { Self(rawValue: EPERM) }
  /// The file or directory does not exist; the C code is `ENOENT`.
  package static var noSuchFile: Self { Self(rawValue: ENOENT) }
  /// The call was interrupted by a signal; the C code is `EINTR`.
  package static var interrupted: Self { Self(rawValue: EINTR) }
  /// The device failed; the C code is `EIO`.
  package static var inputOutput: Self { Self(rawValue: EIO) }
  /// The call would block; the C code is `EAGAIN`.
  package static var tryAgain: Self { Self(rawValue: EAGAIN) }
  /// No memory, or no address space for the map; the C code is `ENOMEM`.
  package static var outOfMemory: Self { Self(rawValue: ENOMEM) }
  /// Permissions forbid it, or the environment is read-only; the C code is `EACCES`.
  package static var accessDenied: Self { Self(rawValue: EACCES) }
  /// A device or a lock is in use; the C code is `EBUSY`.
  package static var busy: Self { Self(rawValue: EBUSY) }
  /// A part of the path is not a directory; the C code is `ENOTDIR`.
  package static var notADirectory: Self { Self(rawValue: ENOTDIR) }
  package static var isADirectory: Self { Self(rawValue: EISDIR) }
  package static var invalidArgument: Self { Self(rawValue: EINVAL) }
  package static var tooManyOpenFiles: Self { Self(rawValue: EMFILE) }
  /// Beyond the limit on the size of a file; the C code is `EFBIG`.
  package static var fileTooLarge: Self { Self(rawValue: EFBIG) }
  /// The device is full; the C code is `ENOSPC`.
  package static var noSpace: Self { Self(rawValue: ENOSPC) }
  package static var readOnlyFileSystem: Self { Self(rawValue: EROFS) }
  /// The user's quota is used up; the C code is `EDQUOT`.
  package static var quotaExceeded: Self { Self(rawValue: EDQUOT) }
  /// The file system cannot do this; the C code is `EOPNOTSUPP`.
  package static var notSupported: Self { Self(rawValue: EOPNOTSUPP) }
}

// The codes of this wrapper, outside the ranges of LMDB and the system.
extension LMDBError.Code {
  /// This process already has the data file open; opening it twice would break LMDB's locks.
  package static var alreadyOpen: Self { Self(rawValue: -40_001) }
  /// The environment was opened before a `fork`; a child process has to open its own.
  package static var forked: Self { Self(rawValue: -40_002) }
  /// A write transaction was used on, or still belongs to, another thread.
  package static var wrongThread: Self { Self(rawValue: -40_003) }
  package static var closed: Self { Self(rawValue: -40_004) }
  /// This thread already has a write transaction; a second one would deadlock.
  package static var nestedWrite: Self { Self(rawValue: -40_005) }
  /// A data or lock file is not a regular file, or it has a second name.
  package static var notPlainFile: Self { Self(rawValue: -40_006) }
  /// The path of the data file now belongs to another file.
  package static var filesReplaced: Self { Self(rawValue: -40_007) }
  /// The path of the lock file now belongs to another file.
  package static var lockFileReplaced: Self { Self(rawValue: -40_008) }
  /// Another process is opening or closing the environment and makes no progress.
  package static var openingStalled: Self { Self(rawValue: -40_009) }
  /// The lock file's transaction counter differs from the data file's, because a program was killed
  /// while it opened the environment.
  package static var lockFileStale: Self { Self(rawValue: -40_010) }
  /// The library has another version than the header that the program was built with.
  package static var otherLibrary: Self { Self(rawValue: -40_011) }
}
