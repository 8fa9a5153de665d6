import RetraceLog
import RetraceStorage

/// All bytes of a log: its head, its blocks and its schemas.
struct LogContent: Equatable {
  var head: Head
  var blocks: [UInt64: [UInt8]] = [:]
  var schemas: [String] = []

  init(of storage: LogStorage) throws(StoreError) {
    self = try storage.withReadView { (view) throws(StoreError) in
      var content = LogContent(head: view.head)
      try view.scanBlocks(from: 1) { sequence, block throws(StoreError) in
        content.blocks[sequence] = block.indices.map { block[$0] }
        return true
      }
      while let json = try view.schema(UInt32(content.schemas.count + 1)) {
        content.schemas.append(json)
      }
      return content
    }
  }

  init(at path: String) throws(StoreError) {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    try self.init(of: storage)
  }

  private init(head: Head) { self.head = head }
}
