import Retrace
import RetraceLMDB
import RetraceSystem

/// A reader of the log's blocks, through a cursor of a read or a write transaction.
struct BlockScan: ~Copyable, ~Escapable {
  private var cursor: LMDBCursor
  private let path: String

  @_lifetime(copy cursor)
  init(_ cursor: consuming LMDBCursor, in path: String) {
    self.cursor = cursor
    self.path = path
  }

  /// Calls `body` with each raw block and its key, from the block that contains a sequence on.
  ///
  /// Stops when `body` returns `false`. Keys are at least 1.
  @_lifetime(self: copy self)
  mutating func forEachRawBlock(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) throws(StoreError) -> Bool
  ) throws(StoreError) {
    do throws(LMDBError) {
      guard try cursor.seek(atOrBefore: max(1, sequence)) else { return }
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    while true {
      guard let key = cursor.integerKey else {
        throw StoreError.damaged(sequence, "A block's key is not 8 bytes long", in: path)
      }
      guard key > 0 else {
        throw StoreError.damaged(1, "A block has the key 0, which no record has", in: path)
      }
      cursor.prefetchValue()
      guard try body(key, cursor.value) else { return }
      do throws(LMDBError) {
        guard try cursor.next() else { return }
      } catch {
        throw StoreError(error, in: path, doing: "be read")
      }
    }
  }

  /// Calls `body` with those records of one block that lie in a range, and advances `next`.
  ///
  /// The block's checksum is verified first.
  static func records(
    of block: Span<UInt8>, at key: UInt64, in path: String, _ next: inout UInt64,
    through last: UInt64, _ body: (borrowing RecordCursor) throws(StoreError) -> Void
  ) throws(StoreError) {
    // The key is checked first, so that the error names the missing record.
    guard key <= next else {
      throw StoreError.damaged(next, "The next block starts at record \(key)", in: path)
    }
    var records = try cursor(over: block, at: key, in: path)
    guard records.header.lastSequence >= next else {
      throw StoreError.damaged(next, "The block of record \(key) ends before this record", in: path)
    }
    while next <= last {
      do throws(LogError) {
        guard try records.next() else { return }
      } catch {
        throw StoreError(error, in: path)
      }
      guard records.sequence >= next else { continue }
      try body(records)
      next += 1
    }
  }

  /// Returns a cursor before the first record of a block, after verifying the block's checksum.
  @_lifetime(copy block)
  static func cursor(
    over block: Span<UInt8>, at key: UInt64, in path: String
  ) throws(StoreError) -> RecordCursor {
    do throws(LogError) {
      let header = try BlockHeader(decoding: block, at: key, checksummedBy: SHA256Hasher.self)
      return try RecordCursor(block, header: header)
    } catch {
      throw StoreError(error, in: path)
    }
  }
}
