import CLMDB
import Synchronization

/// A named database of an environment, in which keys are ordered by their bytes.
///
/// It stays valid as long as the environment is open. A transaction that began before the database
/// was opened does not know it and answers ``LMDBError/Code/badDatabase``.
public struct LMDBDatabase: Hashable, Sendable {
  /// The name in the environment.
  public let name: String

  let handle: MDB_dbi
  let environment: LMDBFileIdentity
}

extension LMDBEnvironment {
  /// Opens a database that exists, in a read transaction of its own.
  ///
  /// - Parameter name: The name of the database.
  /// - Returns: The database, or `nil` if there is none of that name.
  /// - Throws: ``LMDBError/Code/databasesFull``, ``LMDBError/Code/incompatible`` if it is of a
  ///   kind that this wrapper does not make, and what ``beginRead()`` throws.
  public func openDatabase(_ name: String) throws(LMDBError) -> LMDBDatabase? {
    try databases.withLock { known throws(LMDBError) in
      if let handle = known[name] { return database(name, handle) }
      try enter(.beginRead)
      defer { leave(wasWriting: false) }
      let transaction = try beginResizing(readOnly: true)
      do throws(LMDBError) {
        let handle = try openDatabase(name, in: transaction, create: false)
        known[name] = handle
        return database(name, handle)
      } catch {
        guard error.code == .notFound else { throw error }
        return nil
      }
    }
  }

  /// Makes a database, or opens it if it exists, in a write transaction of its own.
  ///
  /// When this returns, the database is on disk.
  ///
  /// - Parameter name: The name of the database.
  /// - Returns: The database.
  /// - Throws: ``LMDBError/Code/databasesFull``, ``LMDBError/Code/accessDenied`` if the
  ///   environment only reads, and what ``beginWrite()`` and committing throw.
  public func createDatabase(_ name: String) throws(LMDBError) -> LMDBDatabase {
    if let handle = databases.withLock({ $0[name] }) { return database(name, handle) }
    try enter(.beginWrite)
    defer { leave(wasWriting: true) }
    // LMDB's write lock first, then the lock on the names, as a thread takes them that opens a
    // database inside its write transaction; the other order could deadlock.
    let transaction = try beginResizing(readOnly: false)
    noteWriter()
    let handle = try databases.withLock { known throws(LMDBError) in
      let handle = try openDatabase(name, in: transaction, create: true)
      known[name] = handle
      return handle
    }
    return database(name, handle)
  }

  /// Opens a database and ends the transaction, as LMDB demands before another database is opened.
  private func openDatabase(
    _ name: String, in transaction: Handle, create: Bool
  ) throws(LMDBError) -> MDB_dbi {
    let handle: MDB_dbi
    do throws(LMDBError) {
      // Unsafe: the transaction was just begun and ends in this function.
      handle = try unsafe calls.openDatabase(transaction.pointer, name, create: create)
      guard try unsafe calls.flags(transaction.pointer, handle) == 0 else {
        throw LMDBError(.incompatible, during: .openDatabase)
      }
    } catch {
      unsafe calls.abort(transaction.pointer)
      throw error
    }
    try unsafe calls.commit(transaction.pointer)
    return handle
  }

  private func database(_ name: String, _ handle: MDB_dbi) -> LMDBDatabase {
    LMDBDatabase(name: name, handle: handle, environment: fileIdentity)
  }

  /// The handle of a database in C, if it is one of this environment.
  @inline(__always)
  func handle(
    of database: LMDBDatabase, _ operation: LMDBError.Operation
  ) throws(LMDBError) -> MDB_dbi {
    guard database.environment == fileIdentity else {
      throw LMDBError(.badDatabase, during: operation)
    }
    return database.handle
  }
}
