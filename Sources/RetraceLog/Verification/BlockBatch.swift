import RetraceArchitecture
import RetraceAvro
import RetraceState

/// Copies of blocks with valid headers and checksums, to be checked by several threads.
///
/// The blocks are checked in runs, each as if the blocks before it were valid. Merging the runs
/// checks that assumption. If anything does not fit, all blocks are checked again in order, so that
/// the report is the same as with one thread.
struct BlockBatch<H: ByteHasher>: ~Copyable {
  private struct Block: Sendable {
    let header: BlockHeader
    let bytes: Range<Int>
  }

  private let store: StoreID
  private let workers: any WorkerPool
  /// The number of bytes that are collected before they are checked.
  private let bytesMax: Int
  private var blocks: [Block] = []
  private var copies = AvroWriter(capacity: 0)

  init(of store: StoreID, on workers: any WorkerPool, gathering bytesMax: Int) {
    self.store = store
    self.bytesMax = bytesMax
    self.workers = workers
  }

  /// Adds the next block, and checks all added blocks if there are enough.
  ///
  /// - Throws: ``LogError`` with the first record that cannot be trusted.
  mutating func check(
    _ block: Span<UInt8>, at key: UInt64, by verifier: inout LogVerifier<H>
  ) throws(LogError) {
    let last = blocks.last?.header.lastSequence ?? verifier.sequence
    let header = try? BlockHeader(decoding: block, at: key, checksummedBy: H.self)
    guard let header, key == last + 1 else {
      try finish(by: &verifier)
      return try verifier.check(block, at: key)
    }
    if blocks.isEmpty { copies = AvroWriter(capacity: bytesMax + block.count) }
    let start = copies.count
    copies.raw(block)
    blocks.append(Block(header: header, bytes: start..<copies.count))
    if copies.count >= bytesMax { try finish(by: &verifier) }
  }

  /// Checks the blocks added so far.
  ///
  /// - Throws: ``LogError`` with the first record that cannot be trusted.
  mutating func finish(by verifier: inout LogVerifier<H>) throws(LogError) {
    let taken = blocks
    blocks = []
    // Keeps the memory for the next blocks: the array is then no longer shared, so it is not
    // copied.
    defer { copies.removeAll() }
    let (store, workers) = (store, workers)
    try Self.check(taken, in: copies.bytes, of: store, by: &verifier, on: workers)
  }

  private static func check(
    _ blocks: [Block], in bytes: [UInt8], of store: StoreID, by verifier: inout LogVerifier<H>,
    on workers: any WorkerPool
  ) throws(LogError) {
    // More runs than threads, because runs take different times.
    let runs = min(blocks.count, 4 * workers.threadCount)
    let found = workers.map(runs) { run -> LogVerifier<H>? in
      let run = blocks[(blocks.count * run / runs)..<(blocks.count * (run + 1) / runs)]
      return verified(run, in: bytes, of: store)
    }
    if let verified = verifier.merged(with: found) {
      verifier = verified
      return
    }
    for block in blocks {
      let copy = bytes.span.extracting(block.bytes)
      try verifier.check(copy, at: block.header.firstSequence)
    }
  }

  /// Returns the verifier after a run of blocks, started before the first; `nil` on any error.
  private static func verified(
    _ run: ArraySlice<Block>, in bytes: [UInt8], of store: StoreID
  ) -> LogVerifier<H>? {
    guard let first = run.first?.header else { return nil }
    var verifier = LogVerifier<H>(
      store: store, after: first.firstSequence - 1, chain: first.chainBefore)
    for block in run {
      let copy = bytes.span.extracting(block.bytes)
      do throws(LogError) {
        try verifier.check(copy, under: block.header)
      } catch {
        return nil
      }
    }
    return verifier
  }
}
