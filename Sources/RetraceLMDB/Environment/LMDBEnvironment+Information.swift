import CLMDB

/// Figures about one database, in pages and entries.
public struct LMDBStatistics: Hashable, Sendable {
  /// The size of a page in bytes.
  public var pageSizeBytes: Int
  /// The number of levels of the tree.
  public var depth: Int
  /// The number of inner pages.
  public var branchPages: Int
  /// The number of pages with entries.
  public var leafPages: Int
  /// The number of pages with values that are too long for a leaf.
  public var overflowPages: Int
  /// The number of entries.
  public var entries: Int

  /// The bytes of all pages of the database.
  public var byteCount: Int { (branchPages + leafPages + overflowPages) * pageSizeBytes }
}

/// Figures about an environment.
public struct LMDBInformation: Hashable, Sendable {
  /// The size of the map in bytes: the upper limit of the data.
  public var mapSizeBytes: Int
  /// The number of the highest page in use.
  public var lastPage: Int
  /// The number of the last committed transaction.
  public var lastTransaction: Int
  /// The number of reader slots.
  public var maxReaders: Int
  /// The number of reader slots that were ever used at one time.
  public var usedReaders: Int
}

extension LMDBEnvironment {
  /// Figures about the environment.
  ///
  /// - Complexity: O(1).
  /// - Returns: The figures of this moment.
  /// - Throws: ``LMDBError/Code/closed``, ``LMDBError/Code/forked``.
  public func info() throws(LMDBError) -> LMDBInformation {
    try withHandle(.environmentInformation) { handle throws(LMDBError) in
      // Unsafe: the handle is open during this closure, and the map's address is not used.
      let information = try unsafe calls.information(handle.pointer)
      return unsafe LMDBInformation(
        mapSizeBytes: information.me_mapsize, lastPage: information.me_last_pgno,
        lastTransaction: information.me_last_txnid, maxReaders: Int(information.me_maxreaders),
        usedReaders: Int(information.me_numreaders))
    }
  }

  /// Frees the slots of readers whose process ended inside a read transaction.
  ///
  /// LMDB does this only when asked. Until then their pages are not reused and the file grows.
  ///
  /// - Complexity: O(`maxReaders`), one lock query for each process among them.
  /// - Returns: The number of slots that were freed.
  /// - Throws: ``LMDBError/Code/closed``, ``LMDBError/Code/forked``, and what LMDB answers.
  @discardableResult
  public func clearStaleReaders() throws(LMDBError) -> Int {
    try withHandle(.checkReaders) { handle throws(LMDBError) in
      // Unsafe: the handle is open during this closure.
      Int(try unsafe calls.checkReaders(handle.pointer))
    }
  }

  /// Writes the data of the last commit into a file, while others read and write.
  ///
  /// A read transaction lasts as long as the copying. What was written is on disk only once the
  /// file is synchronized; after an error it is a part of the data and of no use.
  ///
  /// - Parameters:
  ///   - descriptor: An open file, empty, at its start.
  ///   - compacting: Whether free pages are left out and the others numbered anew.
  /// - Complexity: O(bytes of the pages in use).
  /// - Throws: ``LMDBError/Code/closed``, ``LMDBError/Code/forked``, ``LMDBError/Code/noSpace``,
  ///   what LMDB and the system answer; ``LMDBError/Code/incompatible`` for pages that do not fit.
  public func copy(to descriptor: Int32, compacting: Bool = true) throws(LMDBError) {
    try withHandle(.copyEnvironment) { handle throws(LMDBError) in
      // Unsafe: the handle is open during this closure.
      try unsafe calls.copy(handle.pointer, to: descriptor, compacting: compacting)
    }
  }

  /// Figures about a database as a read transaction sees it.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``LMDBError/Code/badDatabase`` for a database of another environment.
  public func statistics(
    of database: LMDBDatabase, in transaction: borrowing ReadTransaction
  ) throws(LMDBError) -> LMDBStatistics {
    try transaction.statistics(of: database)
  }

  /// Figures about a database as a write transaction sees it.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``LMDBError/Code/badDatabase`` for a database of another environment.
  public func statistics(
    of database: LMDBDatabase, in transaction: borrowing WriteTransaction
  ) throws(LMDBError) -> LMDBStatistics {
    try transaction.statistics(of: database)
  }

  /// The size of the data file in bytes, which never falls unless somebody cuts the file off.
  ///
  /// A page behind the end of the file ends the process that reads it in the map.
  ///
  /// - Complexity: One system call.
  /// - Throws: ``LMDBError/Code/closed``, ``LMDBError/Code/forked``, and what the system answers.
  public func dataFileBytes() throws(LMDBError) -> Int {
    try withHandle(.inspectFiles) { handle throws(LMDBError) in
      // Unsafe: the handle is open during this closure.
      try calls.status(ofDescriptor: unsafe calls.fileDescriptor(handle.pointer)).sizeBytes
    }
  }

  /// Whether the data file has no name any more, as far as the system says.
  ///
  /// - Complexity: One system call.
  public var isUnlinked: Bool {
    // Unsafe: the handle is open during this closure.
    let count = try? withHandle(.inspectFiles) { handle throws(LMDBError) in
      try calls.status(ofDescriptor: unsafe calls.fileDescriptor(handle.pointer)).linkCount
    }
    return count == 0
  }

  /// Checks that the data and lock files at the path are still the ones that were opened.
  ///
  /// Commits into a file that was unlinked would be acknowledged and lost; a lock file that was
  /// replaced lets two processes write.
  ///
  /// - Complexity: Two system calls.
  /// - Throws: ``LMDBError/Code/filesReplaced``, ``LMDBError/Code/lockFileReplaced``,
  ///   ``LMDBError/Code/notPlainFile``, ``LMDBError/Code/closed``, ``LMDBError/Code/forked``.
  public func verifyFiles() throws(LMDBError) {
    try withHandle(.inspectFiles) { handle throws(LMDBError) in
      let found = try calls.status(ofPath: dataPath)
      guard found?.identity == fileIdentity, found?.linkCount == 1 else {
        // Unsafe: the handle is open during this closure.
        let opened = try calls.status(
          ofDescriptor: unsafe calls.fileDescriptor(handle.pointer))
        // If the file was moved, what has its name may be called what it is.
        if opened.linkCount == 1 { _ = try calls.status(ofPlainFile: dataPath) }
        throw LMDBError(.filesReplaced, during: .inspectFiles)
      }
      guard try calls.status(ofPlainFile: lockPath)?.identity == lockFileIdentity
      else { throw LMDBError(.lockFileReplaced, during: .inspectFiles) }
    }
  }
}

extension LMDBStatistics {
  /// Takes over what C answered.
  init(_ statistics: MDB_stat) {
    pageSizeBytes = Int(statistics.ms_psize)
    depth = Int(statistics.ms_depth)
    branchPages = statistics.ms_branch_pages
    leafPages = statistics.ms_leaf_pages
    overflowPages = statistics.ms_overflow_pages
    entries = statistics.ms_entries
  }
}
