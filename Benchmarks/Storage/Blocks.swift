import Figures
import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog
import RetraceState
import RetraceStorage

/// Hashes nothing, so that only the blocks are measured.
private struct NoHasher: ByteHasher {
  func update(_ bytes: Span<UInt8>) {}
  func digest() -> Digest { .zero }
  static func checksum(_ bytes: Span<UInt8>) -> UInt64 { 0 }
}

/// Appends batches in blocks of 16 KiB, the last of which each transaction rewrites.
func appendBlocks(_ batches: [EncodedActions], to folder: String) throws -> Measured {
  let environment = try LMDBEnvironment.open(folder)
  defer { environment.close() }
  let log = try environment.createDatabase("log")
  let start = FiguresClock.thread.now
  var builder = BlockBuilder<NoHasher>(store: StoreID(1, 2), startingAt: 1, after: .zero)
  var tail: UInt64 = 0
  var envelope = Envelope(session: 1, moment: Moment(microseconds: 0), schema: 1)
  for batch in batches {
    var transaction = try environment.beginWrite()
    envelope.moment.microseconds += 1_000_000
    envelope.startsBatch = true
    var offset = 0
    while let range = batch.range(at: offset) {
      let record = batch.bytes.span.extracting(range)
      if try !builder.append(envelope, payload: record) {
        try write(&builder, to: log, replacing: &tail, &transaction)
        builder.startNext()
        _ = try builder.append(envelope, payload: record)
      }
      envelope.startsBatch = false
      offset = range.upperBound
      _ = builder.append(further: batch.bytes.span, at: &offset, envelope)
    }
    try write(&builder, to: log, replacing: &tail, &transaction)
    try transaction.commit()
  }
  let nanoseconds = FiguresClock.thread.now - start
  let (records, checksum) = try readBlocks(log, in: environment)
  return Measured(nanoseconds: nanoseconds, operations: records, checksum: checksum)
}

/// Returns the number of records in the blocks, and the sum of their lengths and first bytes.
private func readBlocks(
  _ log: LMDBDatabase, in environment: LMDBEnvironment
) throws -> (records: UInt64, checksum: UInt64) {
  let transaction = try environment.beginRead()
  var blocks = try transaction.cursor(over: log)
  var found: (records: UInt64, checksum: UInt64) = (0, 0)
  while try blocks.next() {
    guard let key = blocks.integerKey, key == found.records + 1 else {
      throw FiguresError("a block is missing after record \(found.records)")
    }
    var block = try RecordCursor(blocks.value, at: key)
    while try block.next() {
      found.records += 1
      found.checksum &+= UInt64(block.payload.count) + UInt64(block.payload[0])
    }
  }
  return found
}

/// Writes a block as the log does: replaces the tail, or appends a new block.
private func write(
  _ builder: inout BlockBuilder<NoHasher>, to log: LMDBDatabase, replacing tail: inout UInt64,
  _ transaction: inout WriteTransaction
) throws {
  _ = builder.finish()
  if builder.firstSequence == tail {
    try transaction.put(builder.bytes, for: tail, in: log)
  } else {
    tail = builder.firstSequence
    try transaction.append(builder.bytes, for: tail, in: log)
  }
}
