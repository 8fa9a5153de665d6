import CLMDB

/// The statistics of a database, in pages and entries.
package struct LMDBStatistics: Hashable, Sendable {
  package var depth: Int
  package var leafPages: Int
  /// The number of overflow pages, which hold values that are too long for a leaf.
  package var overflowPages: Int
  package var entries: Int
}

package struct LMDBEnvironmentStatistics: Hashable, Sendable {
  /// The size of the map in bytes, which limits the data.
  package var mapSizeBytes: Int
  package var lastPage: Int
  package var lastTransaction: Int
  package var maxReaders: Int
}

extension LMDBEnvironment {
  /// Returns the current statistics of the environment.
  ///
  /// - Throws: ``LMDBError/Code/closed``, ``LMDBError/Code/forked``.
  package func info() throws(LMDBError) -> LMDBEnvironmentStatistics {
    try withHandle(.environmentInformation) { handle throws(LMDBError) in
      // Unsafe: the handle is open during this closure, and the map's address is not used.
      let information = try unsafe calls.information(handle.pointer)
      return unsafe LMDBEnvironmentStatistics(
        mapSizeBytes: information.me_mapsize, lastPage: information.me_last_pgno,
        lastTransaction: information.me_last_txnid, maxReaders: Int(information.me_maxreaders))
    }
  }

  /// Frees the slots of readers whose process ended during a read transaction.
  ///
  /// LMDB does this only on request. Until then it cannot reuse their pages, and the file grows.
  ///
  /// - Complexity: O(`maxReaders`), one lock query for each process that has a slot.
  /// - Throws: ``LMDBError/Code/closed``, ``LMDBError/Code/forked``, and errors of LMDB.
  @discardableResult
  package func clearStaleReaders() throws(LMDBError) -> Int {
    try withHandle(.checkReaders) { handle throws(LMDBError) in
      // Unsafe: the handle is open during this closure.
      Int(try unsafe calls.checkReaders(handle.pointer))
    }
  }

  /// Writes the data of the last commit into a file, while other processes read and write.
  ///
  /// A read transaction is open meanwhile, so the data file can grow. The copy is on disk only
  /// after its file is synced. After an error, the copy is incomplete and useless.
  ///
  /// - Parameters:
  ///   - descriptor: An open, empty file, at its start.
  ///   - compacting: Whether free pages are omitted and the others renumbered.
  /// - Complexity: O(bytes of the pages in use).
  /// - Throws: ``LMDBError/Code/closed``, ``LMDBError/Code/forked``, ``LMDBError/Code/noSpace``,
  ///   errors of LMDB and the system; ``LMDBError/Code/incompatible`` for inconsistent pages.
  package func copy(to descriptor: Int32, compacting: Bool = true) throws(LMDBError) {
    try withHandle(.copyEnvironment) { handle throws(LMDBError) in
      // Unsafe: the handle is open during this closure.
      try unsafe calls.copy(handle.pointer, to: descriptor, compacting: compacting)
    }
  }

  /// Returns the size of the data file in bytes.
  ///
  /// LMDB never makes the file smaller, so a smaller size means that a program has truncated it.
  /// Access to a mapped page past the end of the file crashes the process with SIGBUS.
  ///
  /// - Complexity: One system call.
  /// - Throws: ``LMDBError/Code/closed``, ``LMDBError/Code/forked``, and errors of the system.
  package func dataFileBytes() throws(LMDBError) -> Int {
    try withHandle(.inspectFiles) { handle throws(LMDBError) in
      // Unsafe: the handle is open during this closure.
      try calls.status(ofDescriptor: unsafe calls.fileDescriptor(handle.pointer)).sizeBytes
    }
  }

  /// Whether the data file was unlinked; `false` if that cannot be determined.
  ///
  /// - Complexity: One system call.
  package var isUnlinked: Bool {
    // Unsafe: the handle is open during this closure.
    let count = try? withHandle(.inspectFiles) { handle throws(LMDBError) in
      try calls.status(ofDescriptor: unsafe calls.fileDescriptor(handle.pointer)).linkCount
    }
    return count == 0
  }

  /// Checks that the paths of the data and lock files still lead to the files that were opened.
  ///
  /// Commits into an unlinked file would be acknowledged and lost. If the lock file was replaced,
  /// two processes could write at once.
  ///
  /// - Complexity: Two system calls.
  /// - Throws: ``LMDBError/Code/filesReplaced``, ``LMDBError/Code/lockFileReplaced``,
  ///   ``LMDBError/Code/notPlainFile``, ``LMDBError/Code/closed``, ``LMDBError/Code/forked``.
  package func verifyFiles() throws(LMDBError) {
    try withHandle(.inspectFiles) { handle throws(LMDBError) in
      let found = try calls.status(ofPath: dataPath)
      guard found?.identity == fileIdentity, found?.linkCount == 1 else {
        // Unsafe: the handle is open during this closure.
        let opened = try calls.status(
          ofDescriptor: unsafe calls.fileDescriptor(handle.pointer))
        // If the file still has a name, report what is in its place, or that it has two names.
        if opened.linkCount > 0 { _ = try calls.status(ofPlainFile: dataPath) }
        throw LMDBError(.filesReplaced, during: .inspectFiles)
      }
      guard try calls.status(ofPlainFile: lockPath)?.identity == lockFileIdentity
      else { throw LMDBError(.lockFileReplaced, during: .inspectFiles) }
    }
  }
}

extension LMDBStatistics {
  init(_ statistics: MDB_stat) {
    depth = Int(statistics.ms_depth)
    leafPages = statistics.ms_leaf_pages
    overflowPages = statistics.ms_overflow_pages
    entries = statistics.ms_entries
  }
}
