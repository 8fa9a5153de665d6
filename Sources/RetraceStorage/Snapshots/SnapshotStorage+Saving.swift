import LMDBFile
import Retrace
import RetraceLMDB
import RetraceSystem

extension SnapshotStorage {
  /// The outcome of a save.
  public enum SaveResult: Hashable, Sendable {
    /// The snapshot is on disk; the number of table pages written for it, and their bytes.
    case saved(pages: Int, bytes: Int)
    /// Another process is saving, or the directory is not writable.
    case skipped
    /// Another process saved a usable snapshot, from which this state does not come.
    case overtaken
    /// The snapshot that the state came from is gone, and no other is usable.
    case lost
    /// The save failed; nothing is lost.
    case failed(String)
  }

  /// Saves in one transaction; the calling thread must have no other one in this environment.
  ///
  /// - Parameters:
  ///   - origin: The snapshot that the state came from or was last saved as; `nil` for none.
  ///   - isUsable: Returns whether a stored snapshot could be used instead.
  ///   - body: Writes the pages and returns the snapshot.
  func save(
    from origin: StateSnapshot?, gapMax: UInt64, isUsable: (StateSnapshot) -> Bool,
    _ body: (inout SnapshotWriter) -> StateSnapshot
  ) -> SaveResult {
    guard mayWrite, !isClosed else { return .skipped }
    do throws(TreeFileError) {
      // Skip instead of waiting, because the other process may be stopped.
      guard let saveLock = try takeSaveLock() else { return .skipped }
      defer { try? saveLock.release(at: 0) }
      let (databases, isChecked) = try openForWriting()
      do throws(LMDBError) {
        let environment = try environmentForWriting()
        var writer = SnapshotWriter(try environment.beginWrite(), databases)
        let newest = try writer.newest()
        let found = newest.flatMap { try? StateSnapshot(decoding: $0.span) }
        if newest == nil || found != origin {
          if let found, isUsable(found) { return .overtaken }
          guard try writer.removeSnapshots(after: origin, of: storeID) else { return .lost }
        }
        let snapshot = body(&writer)
        let saved = SaveResult.saved(pages: writer.pages, bytes: writer.bytes)
        try writer.finish(snapshot, gapMax: gapMax)
        if isChecked { checkedFile.note(environment) }
        return saved
      } catch {
        throw TreeFileError("\(error)", isDamage: false)
      }
    } catch {
      // The open environment may belong to a file that was replaced.
      forget()
      return .failed(error.detail)
    }
  }

  private func environmentForWriting() throws(LMDBError) -> LMDBEnvironment {
    guard let environment = state.withLock({ $0.environment }) else {
      throw LMDBError(.closed, during: .beginWrite)
    }
    return environment
  }

  /// Creates the directory if it is missing, and takes the lock for saving; returns `nil` if
  /// another process holds it.
  private func takeSaveLock() throws(TreeFileError) -> ByteRangeLock? {
    try makeDirectory()
    _ = try hasTrustedDataFile()
    do throws(SystemError) {
      let lock = try ByteRangeLock.open(directory + "/turn.lock")
      guard try lock.tryExclusive(at: 0) else { return nil }
      return lock
    } catch {
      throw TreeFileError(error)
    }
  }

  /// Opens the databases, and creates missing ones.
  ///
  /// The first call checks all pages before that, unless the last change of the file was a save by
  /// a process that had checked them.
  ///
  /// - Returns: The databases, and whether all pages were checked or written by LMDB since then.
  private func openForWriting() throws(TreeFileError) -> (DerivedDatabases, isChecked: Bool) {
    if let databases = state.withLock({ $0.databases }) {
      return (databases, checkedFile.covers(try environment()))
    }
    removeDiscarded()
    let hasDataFile = try hasDataFile()
    if hasDataFile { _ = try TreeFile.open(at: dataPath) }
    let environment = try environment()
    if hasDataFile, !checkedFile.covers(environment) { try checkPages(of: environment) }
    do throws(LMDBError) {
      let databases = try DerivedDatabases.open(in: environment)
      state.withLock { $0.databases = databases }
      return (databases, true)
    } catch {
      throw TreeFileError("\(error)", isDamage: false)
    }
  }

  /// Checks all pages of the last commit, and removes everything if they are damaged.
  private func checkPages(of environment: LMDBEnvironment) throws(TreeFileError) {
    let transaction: ReadTransaction
    do throws(LMDBError) {
      transaction = try environment.beginRead()
    } catch {
      throw TreeFileError("\(error)", isDamage: false)
    }
    do throws(StructureFailure) {
      _ = try StructureCheck.check(dataPath, transaction: transaction.number)
    } catch {
      guard case .damaged(let damage) = error else {
        throw TreeFileError("\(error)", isDamage: false)
      }
      removeAll()
      throw TreeFileError("\(damage)")
    }
  }
}
