import LMDBFile
import Retrace
import RetraceLMDB
import RetraceSystem

/// The directory `derived/` of a store: states at some sequences, and the pages of their tables.
///
/// It can be deleted at any time without loss. Its faults are never errors: the log is folded
/// instead, and ``SnapshotUse`` says why.
public final class SnapshotStorage: Sendable {
  static let name = "derived"

  let directory: String
  let storeID: StoreID
  let mayWrite: Bool
  private let openingLock: (any EnvironmentOpeningLock)?
  private let faults: LMDBFaultPlan?
  let state = Lock(State())

  struct State {
    var environment: LMDBEnvironment?
    /// Set after the pages were checked and the databases opened for writing.
    var databases: DerivedDatabases?
    var isClosed = false
  }

  init(
    _ store: StorePath, storeID: StoreID, mayWrite: Bool,
    openingLock: (any EnvironmentOpeningLock)?, faults: LMDBFaultPlan?
  ) {
    directory = store.file(Self.name)
    self.storeID = storeID
    self.mayWrite = mayWrite
    self.openingLock = openingLock
    self.faults = faults
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  var dataPath: String { directory + "/data.mdb" }

  var checkedFile: CheckedFile { CheckedFile(in: directory) }

  /// Returns the current snapshots and pages; `nil` without snapshots.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``TreeFileError`` if the directory is unusable.
  func pages() throws(TreeFileError) -> StoredPages? {
    guard !isClosed, try hasDataFile() else { return nil }
    // Before LMDB maps the file, because LMDB crashes on a truncated one.
    _ = try TreeFile.open(at: dataPath)
    return StoredPages(try SnapshotView(of: try environment(), at: dataPath, store: storeID))
  }

  /// Returns the current snapshots and pages; `nil` without snapshots, or if they are unreadable.
  ///
  /// If they are damaged, all of them are removed.
  ///
  /// - Parameter use: Gets the reason why they are unreadable.
  /// - Complexity: O(1).
  package func pages(reportingTo use: inout SnapshotUse) -> StoredPages? {
    do throws(TreeFileError) {
      return try pages()
    } catch {
      use.failure = error.detail
      if error.isDamage { removeAll() }
      return nil
    }
  }

  /// Returns the pages of the last commit, or `nil` if there is no data file.
  ///
  /// Another process may overwrite them meanwhile, so an error need not mean damage.
  func pagesWithoutTransaction() throws(TreeFileError) -> StoredPages? {
    guard !isClosed, try hasDataFile() else { return nil }
    return StoredPages(try SnapshotView(withoutTransactionAt: dataPath, store: storeID))
  }

  func hasDataFile() throws(TreeFileError) -> Bool {
    guard let info = try Self.info(directory) else { return false }
    try requireTrust(info)
    return try hasTrustedFiles()
  }

  /// Creates the directory if it is missing.
  ///
  /// Throws if there is one that cannot be trusted.
  func makeDirectory() throws(TreeFileError) {
    do throws(SystemError) {
      if try !FileSystem.exists(directory) { try FileSystem.makeDirectory(directory) }
    } catch {
      guard error.code == .fileExists else { throw TreeFileError(error) }
    }
    try requireTrustedDirectory()
  }

  /// Throws if the directory is not a directory, or if other users can write to it.
  func requireTrustedDirectory() throws(TreeFileError) {
    guard let info = try Self.info(directory) else {
      throw TreeFileError("\(directory) is missing", isDamage: false)
    }
    try requireTrust(info)
  }

  private func requireTrust(_ info: FileInfo) throws(TreeFileError) {
    guard info.isDirectory else {
      throw TreeFileError("\(directory) is not a directory", isDamage: false)
    }
    guard info.mode & 0o022 == 0 else {
      throw TreeFileError("other users can write to \(directory)", isDamage: false)
    }
  }

  /// Returns whether the directory has a data file.
  ///
  /// Throws if it is not a directory, if other users can write to it, or if a file in it is a link
  /// or has a second name.
  func hasTrustedDataFile() throws(TreeFileError) -> Bool {
    try requireTrustedDirectory()
    return try hasTrustedFiles()
  }

  private func hasTrustedFiles() throws(TreeFileError) -> Bool {
    let hasData = try hasTrustedFile("data.mdb")
    for name in ["lock.mdb", "turn.lock"] { _ = try hasTrustedFile(name) }
    return hasData
  }

  private func hasTrustedFile(_ name: String) throws(TreeFileError) -> Bool {
    let path = "\(directory)/\(name)"
    guard let info = try Self.info(path) else { return false }
    guard info.isRegular, info.linkCount == 1 else {
      throw TreeFileError("\(path) is a link or has a second name", isDamage: false)
    }
    return true
  }

  /// Returns the description of a file without following a link, or `nil` if it is missing.
  private static func info(_ path: String) throws(TreeFileError) -> FileInfo? {
    do throws(SystemError) {
      return try FileSystem.linkInfo(path)
    } catch {
      if error.code == .noSuchFile || error.code == .notADirectory { return nil }
      throw TreeFileError(error)
    }
  }

  func environment() throws(TreeFileError) -> LMDBEnvironment {
    try state.withLock { state throws(TreeFileError) in
      guard !state.isClosed else { throw TreeFileError("the store was closed", isDamage: false) }
      if let environment = state.environment { return environment }
      var options = LMDBEnvironment.Options(
        mapSizeBytes: LogStorage.defaultMapBytes, maxDatabases: 4, isReadOnly: !mayWrite,
        readahead: false)
      options.openingLock = openingLock
      options.faults = faults
      do throws(LMDBError) {
        let environment = try DerivedEnvironments.open(directory, options: options)
        state.environment = environment
        return environment
      } catch {
        throw TreeFileError("\(error)", isDamage: false)
      }
    }
  }

  /// Releases the environment; the next call opens the current files of the directory.
  func forget() {
    state.withLock { state in
      state.environment = nil
      state.databases = nil
    }
  }

  /// Closes the storage; page sources in use keep their view.
  func close() {
    state.withLock { $0.isClosed = true }
    forget()
  }

  /// Removes all snapshots.
  ///
  /// The directory is renamed first, so that no process opens it half removed.
  package func removeAll() {
    forget()
    // If the removal fails, the next open finds the damage again.
    guard (try? FileSystem.exists(directory)) == true,
      let discarded = try? FileSystem.makeTemporaryDirectory(Self.discardedPrefix, in: parent)
    else { return }
    try? FileSystem.rename(directory, to: discarded + "/" + Self.name)
    removeDiscarded()
  }

  /// Removes renamed directories, including those that crashed processes left.
  func removeDiscarded() {
    for name in (try? FileSystem.list(parent)) ?? [] where name.hasPrefix(Self.discardedPrefix) {
      try? FileSystem.removeTree("\(parent)/\(name)")
    }
  }

  /// The prefix of the names that the directory is moved to before it is removed.
  private static let discardedPrefix = ".derived-"

  private var parent: String { String(directory.dropLast(Self.name.count + 1)) }
}
