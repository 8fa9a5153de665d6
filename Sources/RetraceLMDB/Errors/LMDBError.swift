/// A failed call into LMDB or its wrapper.
public struct LMDBError: Error, Hashable, Sendable {
  package var code: Code
  package var operation: Operation

  package init(_ code: Code, during operation: Operation) {
    self.code = code
    self.operation = operation
  }
}

extension LMDBError {
  /// The calls that can fail, or that a test can make fail.
  package enum Operation: String, Hashable, Sendable, CaseIterable {
    /// Creating an environment handle; the C function is `mdb_env_create`.
    case createEnvironment
    /// Setting the number of named databases; the C function is `mdb_env_set_maxdbs`.
    case setMaxDatabases
    /// Setting the size of the map; the C function is `mdb_env_set_mapsize`.
    case setMapSize
    /// Setting the number of reader slots; the C function is `mdb_env_set_maxreaders`.
    case setMaxReaders
    /// Opening the files; the C function is `mdb_env_open`.
    case openEnvironment
    /// Reserving space for the lock file and checking its locks; the C functions are
    /// `posix_fallocate` and `fcntl`.
    case prepareLockFile
    /// Checking the files of an environment; the C functions are `lstat` and `fstat`.
    case inspectFiles
    /// Closing the environment; the C function is `mdb_env_close`.
    case closeEnvironment
    /// Freeing the slots of ended readers; the C function is `mdb_reader_check`.
    case checkReaders
    /// Reading the statistics of the environment; the C function is `mdb_env_info`.
    case environmentInformation
    /// Writing a copy of the data; the C function is `mdb_env_copyfd2`.
    case copyEnvironment
    /// Reading the statistics of a database; the C function is `mdb_stat`.
    case statistics
    /// Beginning a read transaction; the C function is `mdb_txn_begin`.
    case beginRead
    /// Beginning a write transaction; the C function is `mdb_txn_begin`.
    case beginWrite
    /// Committing; the C function is `mdb_txn_commit`.
    case commit
    /// Aborting a transaction; the C function is `mdb_txn_abort`.
    case abort
    /// Opening a named database; the C function is `mdb_dbi_open`.
    case openDatabase
    /// Reading a value; the C function is `mdb_get`.
    case get
    /// Writing a value; the C function is `mdb_put`.
    case put
    /// Writing a value after all others; the C function is `mdb_put` or `mdb_cursor_put`.
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
  /// A line for people: the call, the code and its meaning.
  public var description: String {
    "LMDB \(operation.rawValue): \(code)"
  }
}
