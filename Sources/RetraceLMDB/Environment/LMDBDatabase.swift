import CLMDB
import RetraceSystem

/// A named database of an environment, whose keys are ordered by their bytes.
///
/// It is valid while the environment is open, in transactions that began after the database was
/// opened. In other transactions, also of another environment for the same directory, calls throw
/// ``LMDBError/Code/badDatabase``.
public struct LMDBDatabase: Hashable, Sendable {
  package let name: String

  let handle: MDB_dbi
  /// The opening of the environment that the handle belongs to.
  let opening: UInt64
}

extension LMDBEnvironment {
  /// Opens an existing database in a read transaction of its own.
  ///
  /// - Parameter name: The name of the database.
  /// - Returns: The database, or `nil` if it does not exist.
  /// - Throws: ``LMDBError/Code/databasesFull``, ``LMDBError/Code/incompatible`` if the database
  ///   has flags that this wrapper never sets, and what ``beginRead()`` throws.
  public func openDatabase(_ name: String) throws(LMDBError) -> LMDBDatabase? {
    try databases.withLock { known throws(LMDBError) in
      if let handle = known[name] { return database(name, handle) }
      try registerTransaction(.beginRead)
      defer { unregisterTransaction(wasWriting: false) }
      let transaction = try beginAdoptingMapSize(readOnly: true)
      do throws(LMDBError) {
        let handle = try openDatabases([name], in: transaction, create: false)[0]
        known[name] = handle
        return database(name, handle)
      } catch {
        guard error.code == .notFound else { throw error }
        return nil
      }
    }
  }

  /// Opens a database in a write transaction of its own, and creates it if it is missing.
  ///
  /// When this returns, the database is on disk.
  ///
  /// - Parameter name: The name of the database.
  /// - Returns: The database.
  /// - Throws: ``LMDBError/Code/databasesFull``, ``LMDBError/Code/accessDenied`` if the environment
  ///   is read-only, and what ``beginWrite()`` and committing throw.
  public func createDatabase(_ name: String) throws(LMDBError) -> LMDBDatabase {
    try createDatabases([name])[0]
  }

  /// Opens databases in one write transaction, and creates missing ones.
  ///
  /// When this returns, all of them are on disk. If it fails, none is created, unless a commit
  /// failed and its outcome is unknown.
  ///
  /// - Parameter names: The names of the databases.
  /// - Returns: The databases, in the order of `names`.
  /// - Throws: As ``createDatabase(_:)``.
  package func createDatabases(_ names: [String]) throws(LMDBError) -> [LMDBDatabase] {
    let known = databases.withLock { known in names.compactMap { known[$0] } }
    if known.count == names.count { return zip(names, known).map { database($0, $1) } }
    try registerTransaction(.beginWrite)
    defer { unregisterTransaction(wasWriting: true) }
    // Take LMDB's write lock before the lock on the names. A thread that opens a database in its
    // write transaction takes them in the same order; the opposite order could deadlock.
    let transaction = try beginAdoptingMapSize(readOnly: false)
    setWriter()
    return try databases.withLock { known throws(LMDBError) in
      let handles = try openDatabases(names, in: transaction, create: true)
      for (name, handle) in zip(names, handles) { known[name] = handle }
      return zip(names, handles).map { database($0, $1) }
    }
  }

  /// Opens databases and ends the transaction.
  ///
  /// LMDB requires that the transaction ends before another transaction opens databases.
  private func openDatabases(
    _ names: [String], in transaction: Handle, create: Bool
  ) throws(LMDBError) -> [MDB_dbi] {
    var handles: [MDB_dbi] = []
    do throws(LMDBError) {
      for name in names {
        // Unsafe: the transaction was just begun and ends in this function.
        let handle = try unsafe calls.openDatabase(transaction.pointer, name, create: create)
        guard try unsafe calls.flags(transaction.pointer, handle) == 0 else {
          throw LMDBError(.incompatible, during: .openDatabase)
        }
        handles.append(handle)
      }
    } catch {
      unsafe calls.abort(transaction.pointer)
      throw error
    }
    try unsafe calls.commit(transaction.pointer)
    return handles
  }

  private func database(_ name: String, _ handle: MDB_dbi) -> LMDBDatabase {
    LMDBDatabase(name: name, handle: handle, opening: opening)
  }

  @inline(__always)
  func handle(
    of database: LMDBDatabase, _ operation: LMDBError.Operation
  ) throws(LMDBError) -> MDB_dbi {
    guard database.opening == opening else {
      throw LMDBError(.badDatabase, during: operation)
    }
    return database.handle
  }
}
