import RetraceSystem

/// A check that the pages of an LMDB 0.9 data file are consistent, in safe code that only reads.
///
/// LMDB trusts its pages: a damaged one can crash the process, or make LMDB return wrong bytes. So
/// this checks everything that LMDB follows: both meta pages, the header of every page, every node
/// in its page, the order of keys and the bounds that branch pages set, and the depth and the
/// counts of every tree. No page may be used twice, and the free list may name no page in use.
/// Values are not checked; the log has checksums.
package enum StructureCheck {
  /// Checks a data file, even while other processes commit.
  ///
  /// The pages of the latest commit stay unchanged until the second commit after it. So an
  /// inconsistency is damage only if no process has committed since; otherwise the check runs
  /// again.
  ///
  /// - Parameter path: The path of the data file.
  /// - Returns: The figures; `nil` if other processes commit too often, in which case use
  ///   ``check(_:transaction:)``.
  /// - Complexity: O(pages), each read once, but only the first bytes of a long value. Memory: one
  ///   bit per page and one page per level.
  package static func check(_ path: String) throws(StructureFailure) -> StructureReport? {
    try withLatestCommit(path) { (meta, file) throws(StructureFailure) in
      try check(meta, in: file)
    }
  }

  /// Checks the list of databases and some databases, unless other processes commit too often.
  ///
  /// Every open reads these pages. A damaged one can crash LMDB or make it loop forever. A file
  /// that is shorter than its page count is checked whole: LMDB's count may include pages at the
  /// end that a transaction allocated and freed, and only pages in use have to exist.
  ///
  /// - Parameters:
  ///   - names: The names of small databases; ``check(_:)`` checks those that grow with the log.
  ///   - path: The path of the data file.
  /// - Complexity: O(pages of those trees), which are few; O(pages) if the file is shorter.
  package static func check(only names: [String], of path: String) throws(StructureFailure) {
    _ = try withLatestCommit(path) { (meta, file) throws(StructureFailure) in
      if meta.lastPage >= file.pages {
        _ = try check(meta, in: file)
        return
      }
      guard var visited = PageSet(counted: meta.lastPage + 1, inFile: file.pages) else { return }
      var counts = Counts()
      try checkTrees(meta, meta.transaction & 1, in: file, &visited, &counts, only: names)
    }
  }

  /// Calls `body` with the latest commit, and again if another process has committed meanwhile.
  ///
  /// - Returns: What `body` returns; `nil` after four tries.
  private static func withLatestCommit<R>(
    _ path: String, _ body: (MetaPage, PageFile) throws(StructureFailure) -> R
  ) throws(StructureFailure) -> R? {
    for _ in 0..<4 {
      let file = try open(path)
      do throws(StructureFailure) {
        let report = try body(file.metaPages.current, file)
        if try isLatest(file) { return report }
      } catch {
        if try isLatest(file) { throw error }
      }
    }
    return nil
  }

  /// Checks the pages of a commit that a read transaction protects.
  ///
  /// - Parameters:
  ///   - path: The path of the data file.
  ///   - transaction: The number of the commit.
  /// - Returns: The figures; `nil` if the commit's meta page was overwritten, which happens after
  ///   two more commits.
  /// - Complexity: As ``check(_:)``.
  package static func check(
    _ path: String, transaction: UInt64
  ) throws(StructureFailure) -> StructureReport? {
    let file = try open(path)
    guard let meta = file.metaPages.page(of: transaction) else { return nil }
    return try check(meta, in: file)
  }

  /// Returns whether the commit that a file was opened at is still the latest.
  ///
  /// Meta pages that another process is writing belong to a later commit.
  private static func isLatest(_ opened: PageFile) throws(StructureFailure) -> Bool {
    do throws(StructureFailure) {
      let current = try MetaPages.read(opened.file).current
      return current.transaction == opened.metaPages.current.transaction
    } catch {
      guard case .damaged = error else { throw error }
      return false
    }
  }

  /// Opens a data file and checks its meta pages.
  ///
  /// While another process commits, a meta page may be read half written, or the two pages may
  /// belong to commits that are not consecutive. So inconsistent pages are read again.
  package static func open(_ path: String) throws(StructureFailure) -> PageFile {
    var triesLeft = 4
    while true {
      do throws(StructureFailure) {
        let file = try PageFile.open(path)
        try file.metaPages.check()
        return file
      } catch {
        guard case .damaged = error, triesLeft > 0 else { throw error }
        triesLeft -= 1
        MonotonicClock.sleep(milliseconds: 1)
      }
    }
  }

  /// Checks the pages of one database, and calls `body` with each entry in the order of the keys.
  ///
  /// Other databases may be damaged.
  ///
  /// - Parameters:
  ///   - name: The name of the database.
  ///   - commit: The commit to read.
  ///   - file: A file whose meta pages are checked; see ``open(_:)``.
  ///   - body: Called with the entries of each page that is consistent with the pages before it.
  /// - Returns: Whether the database was found.
  /// - Complexity: O(pages of the database), each read once, but only the first bytes of a long
  ///   value. Memory: one bit per page of the file.
  /// - Throws: ``StructureFailure`` for the first damaged page, or what `body` throws.
  @discardableResult
  package static func forEachEntry(
    of name: String, at commit: MetaPage, in file: PageFile,
    _ body: (DatabaseEntry) throws(StructureFailure) -> Void
  ) throws(StructureFailure) -> Bool {
    var trees = TreeFile(file, commit)
    guard var visited = PageSet(counted: commit.lastPage + 1, inFile: file.pages),
      let descriptor = try? trees.tree(named: name)
    else { return false }
    let (part, pages) = (
      StructureDamage.Part.database(name), TreePages(file: file, lastPage: commit.lastPage)
    )
    try TreeCheck.check(descriptor, of: part, in: pages, foundOn: 0, visited: &visited) {
      entry, _ throws(StructureFailure) in
      try body(DatabaseEntry(entry, of: part, in: pages))
    }
    return true
  }

  private static func check(
    _ meta: MetaPage, in file: PageFile
  ) throws(StructureFailure) -> StructureReport {
    file.adviseNormal()
    let metaPage = meta.transaction & 1
    guard var visited = PageSet(counted: meta.lastPage + 1, inFile: file.pages) else {
      throw .damaged(
        StructureDamage(
          part: .meta, page: metaPage,
          detail: "counts \(meta.lastPage + 1) pages, the file has \(file.pages)"))
    }
    var counts = Counts()
    try checkTrees(meta, metaPage, in: file, &visited, &counts)
    try checkFreeList(meta, metaPage, in: file, &visited, &counts)
    return StructureReport(
      transaction: meta.transaction, pageSizeBytes: file.pageSize, pages: meta.lastPage + 1,
      treePages: counts.tree, overflowPages: counts.overflow, freePages: counts.free,
      databases: counts.databases)
  }

  private struct Counts {
    var tree: UInt64 = 0
    var overflow: UInt64 = 0
    var free: UInt64 = 0
    var databases: [String] = []

    mutating func add(_ descriptor: TreeDescriptor) {
      tree += descriptor.branchPages + descriptor.leafPages
      overflow += descriptor.overflowPages
    }
  }

  /// Checks the list of databases, and all or some of the databases.
  private static func checkTrees(
    _ meta: MetaPage, _ metaPage: UInt64, in file: PageFile, _ visited: inout PageSet,
    _ counts: inout Counts, only names: [String]? = nil
  ) throws(StructureFailure) {
    var databases: [(name: String, descriptor: TreeDescriptor, page: UInt64)] = []
    try TreeCheck.check(
      meta.main, of: .main, in: TreePages(file: file, lastPage: meta.lastPage),
      foundOn: metaPage, visited: &visited
    ) { entry, _ throws(StructureFailure) in
      guard entry.flags == PageImage.Node.databaseFlag else { return }
      let descriptor = TreeDescriptor(entry.image, at: entry.value)
      guard entry.valueBytes == TreeDescriptor.byteCount, descriptor.pad == 0,
        descriptor.hasKnownFlags
      else {
        throw .damaged(
          StructureDamage(
            part: .main, page: entry.page,
            detail: "describes a database with unknown flags or a wrong size"))
      }
      databases.append((String(decoding: entry.key, as: UTF8.self), descriptor, entry.page))
    }
    counts.add(meta.main)
    counts.databases = databases.map(\.name)
    for (name, descriptor, page) in databases where names?.contains(name) ?? true {
      try TreeCheck.check(
        descriptor, of: .database(name), in: TreePages(file: file, lastPage: meta.lastPage),
        foundOn: page, visited: &visited
      ) { entry, _ throws(StructureFailure) in
        guard entry.flags != PageImage.Node.databaseFlag else {
          throw .damaged(
            StructureDamage(
              part: .database(name), page: entry.page, detail: "contains a nested database",
              from: Array(entry.key)))
        }
      }
      counts.add(descriptor)
    }
  }

  /// Checks the tree of free pages and its lists.
  private static func checkFreeList(
    _ meta: MetaPage, _ metaPage: UInt64, in file: PageFile, _ visited: inout PageSet,
    _ counts: inout Counts
  ) throws(StructureFailure) {
    var lists: [(page: UInt64, list: PageImage)] = []
    let pages = TreePages(file: file, lastPage: meta.lastPage)
    try TreeCheck.check(
      meta.freeList, of: .freeList, in: pages, foundOn: metaPage, visited: &visited
    ) { entry, _ throws(StructureFailure) in
      let list = PageImage(try self.value(of: entry, in: pages, .freeList))
      let transaction = PageImage(Array(entry.key)).number64(0)
      let listBytes = list.bytes.count
      guard entry.key.count == 8, transaction <= meta.transaction,
        entry.flags != PageImage.Node.databaseFlag, listBytes >= 8,
        list.number64(0) <= UInt64(listBytes / 8 - 1)
      else { throw freeListDamage(entry.page, "has an invalid list of free pages") }
      lists.append((entry.page, list))
    }
    counts.add(meta.freeList)
    // The lists are checked last, because `visited` must first contain all pages of the tree.
    for (page, list) in lists {
      let count = Int(list.number64(0))
      var last = UInt64.max
      for index in 0..<count {
        let free = list.number64(8 + 8 * index)
        guard free >= 2, free < last, free <= meta.lastPage, visited.add(free) == nil else {
          throw freeListDamage(
            page, "lists page \(free), which is already in use, out of order or outside the file")
        }
        last = free
      }
      counts.free += UInt64(count)
    }
  }

  /// Returns the bytes of a value, which may be on overflow pages.
  static func value(
    of entry: TreeCheck.Entry, in pages: TreePages, _ part: StructureDamage.Part
  ) throws(StructureFailure) -> [UInt8] {
    do throws(TreePageError) {
      return try pages.value(of: entry.node, in: entry.image)
    } catch {
      switch error {
      case .unreadable(let error): throw .unreadable(error)
      case .damaged(let page, let detail):
        throw .damaged(StructureDamage(part: part, page: page, detail: detail))
      }
    }
  }

  private static func freeListDamage(_ page: UInt64, _ detail: String) -> StructureFailure {
    .damaged(StructureDamage(part: .freeList, page: page, detail: detail))
  }
}
