public import RetraceAvro

/// A writer of an Avro object container file, block by block, into memory that the caller empties.
///
/// Append values; from time to time, ``drain(_:)`` the complete bytes into a file; at the end, call
/// ``closeBlock()`` and drain once more. Does not compress.
///
/// ```swift
/// let marker = (0..<ContainerWriter.markerByteCount).map { _ in UInt8.random(in: 0...255) }
/// var writer = ContainerWriter(schema: NotesAction.schema, marker: marker)
/// writer.append(NotesAction.added(title: "tea"))
/// writer.closeBlock()
/// writer.drain { bytes in print(bytes.count) }
/// ```
public struct ContainerWriter: ~Copyable, Sendable {
  /// The number of bytes of the sync marker.
  public static let markerByteCount = 16

  private let marker: [UInt8]
  private let blockSize: Int
  private var output: AvroWriter
  private var block: AvroWriter
  private var blockCount = 0

  /// The number of values appended so far.
  public private(set) var count = 0

  /// Starts a file with its header.
  ///
  /// - Parameters:
  ///   - schema: The schema of all values.
  ///   - metadata: Further entries of the header; names that start with `avro.` are reserved.
  ///   - marker: The sync marker: 16 random bytes, or a part of a hash.
  ///   - blockSize: The number of bytes at which a block is closed.
  /// - Precondition: The marker has 16 bytes, and no name in the metadata starts with `avro.`.
  public init(
    schema: Schema, metadata: [(name: String, value: [UInt8])] = [], marker: [UInt8],
    blockSize: Int = 64 << 10
  ) {
    precondition(
      marker.count == Self.markerByteCount, "ContainerWriter: the marker must have 16 bytes")
    precondition(
      metadata.allSatisfy { !$0.name.hasPrefix("avro.") },
      "ContainerWriter: names that start with `avro.` are reserved")
    self.marker = marker
    self.blockSize = blockSize
    output = AvroWriter(capacity: blockSize + 1024)
    block = AvroWriter(capacity: blockSize + 1024)
    output.raw(ContainerReader.magic)
    output.beginBlocks(count: metadata.count + 2)
    output.string("avro.schema")
    output.bytes([UInt8](schema.text.utf8))
    output.string("avro.codec")
    output.bytes([UInt8]("null".utf8))
    for entry in metadata {
      output.string(entry.name)
      output.bytes(entry.value)
    }
    output.endBlocks()
    output.raw(marker)
  }

  /// Appends a value whose type has the file's schema.
  public mutating func append(_ value: some Recordable) {
    value.encode(into: &block)
    endValue()
  }

  /// Appends an encoded value.
  public mutating func append(encoded bytes: Span<UInt8>) {
    block.raw(bytes)
    endValue()
  }

  /// Appends a value without a Swift type.
  ///
  /// - Throws: `AvroError` if the value does not fit the schema; nothing is appended then.
  public mutating func append(_ value: AvroValue, with codec: SchemaCodec) throws(AvroError) {
    let start = block.count
    do {
      try codec.encode(value, into: &block)
    } catch {
      block.truncate(to: start)
      throw error
    }
    endValue()
  }

  private mutating func endValue() {
    blockCount += 1
    count += 1
    if block.count >= blockSize { closeBlock() }
  }

  /// Closes the current block; the file is complete once its bytes are drained.
  public mutating func closeBlock() {
    guard blockCount > 0 else { return }
    output.long(Int64(blockCount))
    output.long(Int64(block.count))
    output.raw(block.bytes)
    output.raw(marker)
    block.removeAll()
    blockCount = 0
  }

  /// The number of complete bytes that are not yet drained.
  public var pendingCount: Int { output.count }

  /// Calls `body` with the complete bytes not yet drained, and removes them unless it throws.
  public mutating func drain<Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    try body(output.span)
    output.removeAll()
  }
}
