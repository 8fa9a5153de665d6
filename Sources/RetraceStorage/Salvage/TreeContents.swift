import LMDBFile
import Retrace
import RetraceSystem

/// The contents of a data file's tree, if all of its pages are intact.
///
/// A damaged tree is not used, because it could lead to an older commit.
struct TreeContents {
  /// The end of the log; `nil` if the head is damaged.
  var head: Head?
  /// The end of the log one commit earlier, from the other meta page; `nil` if unknown.
  var headBefore: Head?
  /// The offset of each block in bytes, by its first sequence.
  var blocks: [UInt64: Int]
  var schemas: [UInt32: [UInt8]]

  /// Reads the tree of a data file; returns `nil` if any of its pages is damaged.
  ///
  /// - Complexity: O(pages), each read a few times; memory for an entry for each block.
  init?(_ path: String) {
    guard (try? StructureCheck.check(path)) != nil,
      let file = try? StructureCheck.open(path)
    else { return nil }
    let commit = file.metaPages.current
    var trees = TreeFile(file, commit)
    let names = LogDatabases.names
    guard let meta = Self.tree(names.meta, in: &trees),
      let known = Self.tree(names.schemas, in: &trees), let blocks = Self.blocks(commit, in: file)
    else { return nil }
    head = Self.head(in: meta, &trees)
    if commit.transaction > 0, let before = file.metaPages.page(of: commit.transaction - 1) {
      // The pages of that commit are not overwritten before the next commit.
      var trees = TreeFile(file, before)
      headBefore = Self.tree(names.meta, in: &trees).flatMap { Self.head(in: $0, &trees) }
    }
    self.blocks = blocks
    schemas = [:]
    for base in [0, LogFormat.commandSchemaNumber(0)] {
      var number: UInt32 = base + 1
      while let json = Self.value(of: LogDatabases.schemaKey(number), in: known, &trees) {
        schemas[number] = json
        number += 1
      }
    }
  }

  private static func tree(_ name: String, in trees: inout TreeFile) -> TreeDescriptor? {
    do throws(TreeFileError) { return try trees.tree(named: name) } catch { return nil }
  }

  private static func head(in meta: TreeDescriptor, _ trees: inout TreeFile) -> Head? {
    guard let bytes = value(of: LogDatabases.headKey, in: meta, &trees) else { return nil }
    return try? Head(decoding: bytes.span, checksummedBy: SHA256Hasher.self)
  }

  private static func value(
    of key: [UInt8], in tree: TreeDescriptor, _ trees: inout TreeFile
  ) -> [UInt8]? {
    do throws(TreeFileError) { return try trees.value(of: key.span, in: tree) } catch { return nil }
  }

  private static func blocks(_ commit: MetaPage, in file: PageFile) -> [UInt64: Int]? {
    var blocks: [UInt64: Int] = [:]
    do throws(StructureFailure) {
      let isFound = try StructureCheck.forEachEntry(
        of: LogDatabases.names.log, at: commit, in: file
      ) { entry in
        guard entry.key.count == 8 else { return }
        blocks[entry.key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }] = entry.valueOffset
      }
      return isFound ? blocks : nil
    } catch {
      return nil
    }
  }
}
