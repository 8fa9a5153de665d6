import RetraceLog
import RetraceSystem

/// A walk over the blocks of a log without LMDB, as far as its pages can be trusted.
///
/// It names the first record that damage of the data file concerns: every block that can be reached
/// in order is verified by checksum and chain, up to the first that cannot.
enum LogWalk {
  /// Verifies the blocks in order.
  ///
  /// - Parameters:
  ///   - path: The path of the data file.
  ///   - store: The identity that the chain covers.
  /// - Returns: The last record up to which the log is what was written; 0 if nothing can be
  ///   trusted.
  /// - Complexity: O(bytes of the log), each hashed once.
  static func lastTrusted(_ path: String, store: StoreID) -> UInt64 {
    var verifier = LogVerifier<SHA256Hasher>(store: store)
    // What is wrong ends the walk; that something is, is known.
    try? walk(path) { key, block throws(LogError) in try verifier.check(block, at: key) }
    return verifier.sequence
  }

  private static func tree(
    named name: String, of meta: MetaPage, in file: PageFile
  ) -> TreeRecord? {
    var trees = TreeFile(file, meta)
    return (try? trees.tree(named: name)) ?? nil
  }

  /// Lends the blocks in the order of their keys.
  private static func walk(
    _ path: String, _ body: (UInt64, Span<UInt8>) throws(LogError) -> Void
  ) throws(StructureFailure) {
    let file = try StructureCheck.open(path)
    file.expectWalk()
    let meta = file.metas.current
    let name = LogDatabases.names.log
    // A list of databases that is damaged elsewhere may still name the log.
    guard var met = PageSet(counted: meta.lastPage + 1, inFile: file.pages),
      let record = tree(named: name, of: meta, in: file)
    else { return }
    let pages = TreePages(file: file, lastPage: meta.lastPage)
    let part = StructureDamage.Part.database(name)
    try TreeCheck.check(
      record, of: part, in: pages, foundOn: 0, met: &met
    ) { entry, _ throws(StructureFailure) in
      let key = entry.key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let block = try StructureCheck.value(of: entry, in: pages, part)
      do throws(LogError) {
        guard entry.key.count == 8 else {
          throw LogError.damaged(sequence: 1, detail: "a block's key has no 8 bytes")
        }
        try body(key, block.span)
      } catch {
        throw .damaged(StructureDamage(part: part, page: entry.page, detail: "\(error)"))
      }
    }
  }
}

extension StoreError {
  /// What damage of the pages of a store's data file means: the first record that it concerns.
  ///
  /// - Complexity: O(bytes of the log before the damage).
  init(_ damage: StructureDamage, in store: StorePath, of identity: StoreID) {
    var sequence: UInt64 = 1
    // Without its schemas no record can be read, though all bytes of the log may be there.
    if damage.part != .database(LogDatabases.names.schemas) {
      sequence = LogWalk.lastTrusted(store.file("data.mdb"), store: identity) + 1
    }
    self = .damaged(sequence, "\(damage)", in: store.directory)
  }

  /// What a failed check of the pages of a store's data file means.
  init(_ failure: StructureFailure, in store: StorePath, of identity: StoreID) {
    switch failure {
    case .damaged(let damage): self.init(damage, in: store, of: identity)
    case .otherVersion(let version):
      self.init(
        .incompatible, what: "The store \(store.directory) could not be opened.",
        why: "Its data file is of LMDB's data version \(version), known is 1.",
        advice: "Use the version that wrote it.")
    case .unreadable(let error): self.init(error, in: store.directory, doing: "be checked")
    }
  }
}
