/// Why a call into LMDB, or the wrapper around it, did not do what was asked.
public struct LMDBError: Error, Hashable, Sendable {
  /// What went wrong.
  public var code: Code
  /// Which call it was.
  public var operation: Operation

  /// Makes an error.
  public init(_ code: Code, during operation: Operation) {
    self.code = code
    self.operation = operation
  }
}

extension LMDBError {
  /// The calls that can fail, or be made to fail by a test.
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    /// Making an environment handle; the C function is `mdb_env_create`.
    case createEnvironment
    /// Setting the number of named databases; the C function is `mdb_env_set_maxdbs`.
    case setMaxDatabases
    /// Setting the size of the map; the C function is `mdb_env_set_mapsize`.
    case setMapSize
    /// Setting the number of reader slots; the C function is `mdb_env_set_maxreaders`.
    case setMaxReaders
    /// Opening the files; the C function is `mdb_env_open`.
    case openEnvironment
    /// Setting room aside for the lock file and looking at its locks; the C functions are
    /// `posix_fallocate` and `fcntl`.
    case prepareLockFile
    /// Looking at the files of an environment; the C functions are `lstat` and `fstat`.
    case inspectFiles
    /// Closing the environment; the C function is `mdb_env_close`.
    case closeEnvironment
    /// Clearing the slots of readers that ended; the C function is `mdb_reader_check`.
    case checkReaders
    /// Reading figures about the environment; the C function is `mdb_env_info`.
    case environmentInformation
    /// Writing a copy of the data; the C function is `mdb_env_copyfd2`.
    case copyEnvironment
    /// Reading figures about a database; the C function is `mdb_stat`.
    case statistics
    /// Beginning a read transaction; the C function is `mdb_txn_begin`.
    case beginRead
    /// Beginning a write transaction; the C function is `mdb_txn_begin`.
    case beginWrite
    /// Committing; the C function is `mdb_txn_commit`.
    case commit
    /// Giving a transaction up; the C function is `mdb_txn_abort`.
    case abort
    /// Opening a named database; the C function is `mdb_dbi_open`.
    case openDatabase
    /// Reading a value; the C function is `mdb_get`.
    case get
    /// Writing a value; the C function is `mdb_put`.
    case put
    /// Writing a value behind all others; the C function is `mdb_put` with `MDB_APPEND`.
    case append
    /// Deleting a value; the C function is `mdb_del`.
    case delete
    /// Emptying a database; the C function is `mdb_drop`.
    case removeAll
    /// Opening a cursor; the C function is `mdb_cursor_open`.
    case openCursor
    /// Moving a cursor; the C function is `mdb_cursor_get`.
    case moveCursor
  }
}

extension LMDBError: CustomStringConvertible {
  /// One line for a person: the call, the name of the code, what it means.
  public var description: String {
    "LMDB \(operation.rawValue): \(code)"
  }
}
