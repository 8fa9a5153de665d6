import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import Workload

/// A prepared workload: its actions, their bytes one after another, and the blocks of its log.
struct Subject<App: ReplayableApp>: ~Copyable {
  private let actions: BorrowableArray<App.Action>
  private let spacing: Int64
  private let bytes: [UInt8]
  /// The end of each action in ``bytes``.
  private let ends: [Int]
  private let blocks: [[UInt8]]
  private let plan: DecodingPlan<App>

  /// Encodes the actions and appends them to blocks, as the store does.
  init(_ actions: [App.Action], spacing: Int64) throws {
    var writer = AvroWriter()
    var ends: [Int] = []
    for action in actions {
      action.encode(into: &writer)
      ends.append(writer.count)
    }
    var plan = DecodingPlan<App>()
    try plan.append(App.Action.schema, hashing: UncheckedHasher.self)
    blocks = try Self.blocks(writer.bytes, ends, spacing: spacing)
    self.actions = BorrowableArray(actions)
    self.spacing = spacing
    bytes = writer.bytes
    self.ends = ends
    self.plan = plan
  }

  private static func blocks(
    _ bytes: [UInt8], _ ends: [Int], spacing: Int64
  ) throws -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    var builder = BlockBuilder<UncheckedHasher>(
      store: StoreID(1, 2), startingAt: 1, after: .zero)
    var start = 0
    for (index, end) in ends.enumerated() {
      let payload = bytes.span.extracting(start..<end)
      let envelope = Envelope(
        session: 1, moment: Moment(microseconds: Int64(index) * spacing), schema: 1)
      if try !builder.append(envelope, payload: payload) {
        _ = builder.finish()
        blocks.append(copy(builder.bytes))
        builder.startNext()
        guard try builder.append(envelope, payload: payload) else { throw Disagreement.block }
      }
      start = end
    }
    _ = builder.finish()
    blocks.append(copy(builder.bytes))
    return blocks
  }

  /// Does a part of the work for the first records and prints their number.
  func run(_ part: String, _ count: Int) throws {
    switch part {
    case "encode": print(encode(count), "encoded")
    case "decode": print(try decode(count), "decoded")
    case "reduce": print(reduce(count).sequence, "reduced")
    case "fold": print(try fold(count).sequence, "folded")
    case "check": print(try check(), "records, the same result from every part")
    default: fail("unknown part \(part)", code: 64)
    }
  }

  @inline(never)
  private func encode(_ count: Int) -> Int {
    var writer = AvroWriter(capacity: 4096)
    actions.forEach(first: count) { element, _ in
      writer.removeAll()
      element.value.encode(into: &writer)
    }
    return count
  }

  @inline(never)
  private func decode(_ count: Int) throws -> Int {
    var start = 0
    for index in 0..<count {
      let end = ends[index]
      var reader = AvroReader(bytes.span.extracting(start..<end))
      _ = try App.Action(decoding: &reader)
      try reader.finish()
      start = end
    }
    return count
  }

  @inline(never)
  private func reduce(_ count: Int) -> Fold<App> {
    var fold = Fold<App>()
    actions.forEach(first: count) { element, index in
      _ = fold.apply(
        element.value, at: Moment(microseconds: Int64(index) * spacing),
        sequence: UInt64(index + 1))
    }
    return fold
  }

  /// Walks blocks, decodes and reduces, without the checksums and the chain, which are C code.
  @inline(never)
  private func fold(_ count: Int) throws -> Fold<App> {
    var records = RecordFold(plan: plan)
    for block in blocks {
      var cursor = try RecordCursor(block.span, at: records.fold.sequence + 1)
      while try cursor.next() {
        try records.advance(cursor)
        if records.fold.sequence == UInt64(count) { return records.fold }
      }
    }
    return records.fold
  }

  /// Compares the results of the parts over all records.
  private func check() throws -> Int {
    var start = 0
    var writer = AvroWriter()
    for end in ends {
      let span = bytes.span.extracting(start..<end)
      writer.removeAll()
      try App.Action(encoded: span).encode(into: &writer)
      guard writer.bytes == copy(span) else { throw Disagreement.encoding }
      start = end
    }
    var left = AvroWriter()
    var right = AvroWriter()
    reduce(actions.count).state.encodeWhole(into: &left)
    try fold(actions.count).state.encodeWhole(into: &right)
    guard left.count > 64, left.bytes == right.bytes else { throw Disagreement.state }
    return ends.count
  }
}

/// The result in which two parts differ.
enum Disagreement: Error {
  case block
  case encoding
  case state
}

private func copy(_ span: Span<UInt8>) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(span.count)
  for index in span.indices { bytes.append(span[index]) }
  return bytes
}

/// Replaces SHA-256 and XXH64, which are C code and not counted; blocks in memory need neither.
struct UncheckedHasher: ByteHasher {
  mutating func update(_ bytes: Span<UInt8>) {}
  func digest() -> Digest { .zero }
  static func checksum(_ bytes: Span<UInt8>) -> UInt64 { UInt64(bytes.count) }
}
