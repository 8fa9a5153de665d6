import Figures
import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog

/// Hashes nothing, so that what is measured is the blocks.
private struct NoHasher: ByteHasher {
  func update(_ bytes: Span<UInt8>) {}
  func digest() -> Digest { .zero }
  static func checksum(_ bytes: Span<UInt8>) -> UInt64 { 0 }
}

/// Appends records in blocks of 16 KiB, the last of which each transaction rewrites.
func appendBlocks(_ records: Records, to folder: String, batch: Int) throws -> Measured {
  let environment = try LMDBEnvironment.open(folder)
  defer { environment.close() }
  let log = try environment.createDatabase("log")
  return try timed(by: .thread) {
    var builder = BlockBuilder<NoHasher>(store: StoreID(1, 2), startingAt: 1, after: .zero)
    var envelope = Envelope(session: 1, moment: Moment(microseconds: 0), schema: 1)
    var checksum: UInt64 = 0
    var at = 0
    let bytes = records.bytes.span
    while at < records.count {
      let end = min(at + batch, records.count)
      var transaction = try environment.beginWrite()
      while at < end {
        let record = bytes.extracting(records.range(at))
        envelope.moment.microseconds += 1_000_000
        if try !builder.append(envelope, payload: record) {
          try write(&builder, to: log, &transaction)
          builder.startNext()
          _ = try builder.append(envelope, payload: record)
        }
        checksum &+= UInt64(record.count) + UInt64(record[0])
        at += 1
      }
      try write(&builder, to: log, &transaction)
      try transaction.commit()
    }
    return (builder.sequence - 1, checksum)
  }
}

private func write(
  _ builder: inout BlockBuilder<NoHasher>, to log: LMDBDatabase,
  _ transaction: inout WriteTransaction
) throws {
  _ = builder.finish()
  try transaction.put(builder.bytes, for: builder.firstSequence, in: log)
}
