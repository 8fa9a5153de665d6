import RetraceLog
import RetraceSystem

/// A walk over the blocks of a log, up to the first damage, that does not use LMDB.
///
/// It finds the first record that damage to the data file affects. It verifies the checksum and the
/// chain of the blocks in order, until a block fails or a damaged page hides the next one.
enum LogWalk {
  /// Verifies the blocks in order.
  ///
  /// - Parameters:
  ///   - path: The path of the data file.
  ///   - store: The identity of the store, which the chain covers.
  /// - Returns: The last record up to which the log verifies; 0 if nothing does.
  /// - Complexity: O(bytes of the log), each hashed once.
  static func lastVerified(_ path: String, store: StoreID) -> UInt64 {
    var verifier = LogVerifier<SHA256Hasher>(store: store)
    // The caller already knows that there is damage, so the error is not needed.
    try? walk(path) { key, block throws(LogError) in try verifier.check(block, at: key) }
    return verifier.sequence
  }

  private static func tree(
    named name: String, of meta: MetaPage, in file: PageFile
  ) -> TreeDescriptor? {
    var trees = TreeFile(file, meta)
    return (try? trees.tree(named: name)) ?? nil
  }

  /// Calls `body` with each block in the order of the keys.
  private static func walk(
    _ path: String, _ body: (UInt64, Span<UInt8>) throws(LogError) -> Void
  ) throws(StructureFailure) {
    let file = try StructureCheck.open(path)
    file.adviseNormal()
    let meta = file.metaPages.current
    let name = LogDatabases.names.log
    // The list of databases may name the log even if other entries of the list are damaged.
    guard var visited = PageSet(counted: meta.lastPage + 1, inFile: file.pages),
      let descriptor = tree(named: name, of: meta, in: file)
    else { return }
    let pages = TreePages(file: file, lastPage: meta.lastPage)
    let part = StructureDamage.Part.database(name)
    try TreeCheck.check(
      descriptor, of: part, in: pages, foundOn: 0, visited: &visited
    ) { entry, _ throws(StructureFailure) in
      let key = entry.key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let block = try StructureCheck.value(of: entry, in: pages, part)
      do throws(LogError) {
        guard entry.key.count == 8 else {
          throw LogError.damaged(sequence: 1, detail: "a block's key is not 8 bytes long")
        }
        try body(key, block.span)
      } catch {
        throw .damaged(StructureDamage(part: part, page: entry.page, detail: "\(error)"))
      }
    }
  }
}

extension StoreError {
  /// Creates the store's error for damaged pages, with the first affected record.
  ///
  /// - Complexity: O(bytes of the log before the damage).
  init(_ damage: StructureDamage, in store: StorePath, of identity: StoreID) {
    var sequence: UInt64 = 1
    // Without its schemas no record is readable, even if the log itself is intact.
    if damage.part != .database(LogDatabases.names.schemas) {
      sequence = LogWalk.lastVerified(store.file("data.mdb"), store: identity) + 1
    }
    self = .damaged(sequence, "\(damage)", in: store.directory)
  }

  /// Creates the store's error for a failed check of the data file's pages.
  init(_ failure: StructureFailure, in store: StorePath, of identity: StoreID) {
    switch failure {
    case .damaged(let damage): self.init(damage, in: store, of: identity)
    case .unsupportedVersion(let version):
      self.init(
        .incompatible, what: "The store \(store.directory) could not be opened.",
        why: "Its data file has LMDB's data version \(version); this program reads version 1.",
        advice: "Use the version that wrote it.")
    case .unreadable(let error): self.init(error, in: store.directory, doing: "be checked")
    }
  }
}
