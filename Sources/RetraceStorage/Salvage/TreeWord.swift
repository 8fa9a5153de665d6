import RetraceLog
import RetraceSystem

/// What the tree of a data file says of a log, if all of its pages fit together.
///
/// A tree that does not fit could lead to an older commit; it is not asked then.
struct TreeWord {
  /// Where the log ends; `nil` if the head is damaged.
  var head: Head?
  /// Where the log ended one commit before, as the other meta page says; `nil` if that cannot be
  /// told.
  var headBefore: Head?
  /// Where in the file the block of each first sequence begins, in bytes.
  var blocks: [UInt64: Int]
  /// The JSON of the schemas by number.
  var schemas: [UInt32: [UInt8]]

  /// Asks the tree of a data file; `nil` if anything of it does not fit together.
  ///
  /// - Complexity: O(pages), each read a few times; memory for an entry for each block.
  init?(_ path: String) {
    guard (try? StructureCheck.check(path)) != nil,
      let file = try? StructureCheck.open(path)
    else { return nil }
    let commit = file.metas.current
    var trees = TreeFile(file, commit)
    let names = LogDatabases.names
    guard let log = Self.tree(names.log, in: &trees),
      let meta = Self.tree(names.meta, in: &trees),
      let known = Self.tree(names.schemas, in: &trees),
      let blocks = Self.blocks(of: log, commit, in: file)
    else { return nil }
    head = Self.head(in: meta, &trees)
    if commit.transaction > 0, let before = file.metas.page(of: commit.transaction - 1) {
      // The pages of that commit are not written again before the next one.
      var trees = TreeFile(file, before)
      headBefore = Self.tree(names.meta, in: &trees).flatMap { Self.head(in: $0, &trees) }
    }
    self.blocks = blocks
    schemas = [:]
    for base in [0, LogFormat.commandSchema(0)] {
      var number: UInt32 = base + 1
      while let json = Self.value(of: LogDatabases.schemaKey(number), in: known, &trees) {
        schemas[number] = json
        number += 1
      }
    }
  }

  private static func tree(_ name: String, in trees: inout TreeFile) -> TreeRecord? {
    do throws(TreeFault) { return try trees.tree(named: name) } catch { return nil }
  }

  private static func head(in meta: TreeRecord, _ trees: inout TreeFile) -> Head? {
    guard let bytes = value(of: LogDatabases.headKey, in: meta, &trees) else { return nil }
    return try? Head(decoding: bytes.span, checksummedBy: SHA256Hasher.self)
  }

  private static func value(
    of key: [UInt8], in tree: TreeRecord, _ trees: inout TreeFile
  ) -> [UInt8]? {
    do throws(TreeFault) { return try trees.value(of: key.span, in: tree) } catch { return nil }
  }

  private static func blocks(
    of log: TreeRecord, _ commit: MetaPage, in file: PageFile
  ) -> [UInt64: Int]? {
    guard var met = PageSet(counted: commit.lastPage + 1, inFile: file.pages) else { return nil }
    var blocks: [UInt64: Int] = [:]
    do throws(StructureFailure) {
      try TreeCheck.check(
        log, of: .database(LogDatabases.names.log),
        in: TreePages(file: file, lastPage: commit.lastPage), foundOn: 0, met: &met
      ) { entry, _ in
        guard entry.key.count == 8 else { return }
        let key = entry.key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let isLong = entry.flags == PageImage.Node.isLong
        blocks[key] =
          isLong
          ? Int(entry.image.number64(entry.value)) * file.pageSize + PageImage.headerBytes
          : Int(entry.page) * file.pageSize + entry.value
      }
    } catch {
      return nil
    }
    return blocks
  }
}
