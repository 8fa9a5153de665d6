public import RetraceAvro
public import RetraceLog
import RetraceSchema

/// A writer of a bundle, item by item, into memory that the caller empties.
///
/// Append the schemas, the time zone files and the blocks; call ``finish(_:)`` last. From time to
/// time, ``drain(_:)`` the complete bytes into a file.
///
/// ```swift
/// var writer = BundleWriter<SwiftHasher>(header)
/// writer.append(schema: json, kind: .action, number: 1)
/// writer.append(block: block.span, first: 1)
/// writer.finish(head)
/// writer.drain { bytes in print(bytes.count) }
/// ```
public struct BundleWriter<H: ByteHasher>: ~Copyable {
  private var container: ContainerWriter
  private var item = AvroWriter()
  private var hasher = H()
  private var output: [UInt8] = []
  private var counts = (schemas: 0, zones: 0, blocks: 0)

  /// Starts a bundle with its header.
  public init(_ header: BundleHeader) {
    item.branch(BundleFormat.Branch.header.rawValue)
    header.encode(into: &item)
    // The marker is a part of a hash, so that equal logs have equal bundles.
    let marker = Array(H.digest(of: item.span).bytes.prefix(ContainerWriter.markerByteCount))
    container = ContainerWriter(
      schema: BundleFormat.schema,
      metadata: [(BundleFormat.versionName, Array(BundleFormat.version.utf8))], marker: marker)
    append()
  }

  /// Appends a schema.
  ///
  /// - Parameters:
  ///   - json: The JSON as the log stores it.
  ///   - kind: What it is a schema of.
  ///   - number: The number of the schema, from 1.
  public mutating func append(schema json: String, kind: BundleSchemaKind, number: UInt32) {
    item.branch(BundleFormat.Branch.schema.rawValue)
    item.branch(kind.rawValue)
    item.long(Int64(number))
    item.string(json)
    append()
    counts.schemas += 1
  }

  /// Appends the file of a time zone.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file in the format TZif.
  ///   - name: The id of the zone, such as `Europe/Berlin`.
  public mutating func append(zoneFile file: [UInt8], name: String) {
    item.branch(BundleFormat.Branch.zone.rawValue)
    item.string(name)
    item.bytes(file)
    append()
    counts.zones += 1
  }

  /// Appends the next block of the log.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - first: The sequence of its first record.
  public mutating func append(block: Span<UInt8>, first: UInt64) {
    item.branch(BundleFormat.Branch.block.rawValue)
    item.long(Int64(clamping: first))
    item.long(Int64(block.count))
    item.raw(block)
    append()
    counts.blocks += 1
  }

  /// Ends the bundle with its trailer; nothing can be appended afterwards.
  ///
  /// - Parameter head: The end of the log.
  public mutating func finish(_ head: Head) {
    container.closeBlock()
    collect()
    let trailer = BundleTrailer(
      schemas: counts.schemas, zones: counts.zones, blocks: counts.blocks, head: head)
    item.branch(BundleFormat.Branch.trailer.rawValue)
    trailer.encode(into: &item)
    append()
    container.closeBlock()
    var end = pending()
    let covered = end.count - BundleFormat.uncoveredBytes
    hasher.update(end.span.extracting(first: covered))
    end.replaceSubrange(covered..<covered + Digest.byteCount, with: hasher.digest().bytes)
    output += end
  }

  /// Calls `body` with the complete bytes not yet drained, and removes them unless it throws.
  ///
  /// - Complexity: O(bytes), each hashed once.
  public mutating func drain<Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    collect()
    try body(output.span)
    output.removeAll(keepingCapacity: true)
  }

  private mutating func append() {
    container.append(encoded: item.span)
    item.removeAll()
  }

  /// Moves the complete blocks of the container to the output, and hashes them.
  private mutating func collect() {
    let bytes = pending()
    hasher.update(bytes.span)
    output += bytes
  }

  private mutating func pending() -> [UInt8] {
    var bytes: [UInt8] = []
    container.drain { complete in bytes += [UInt8](copying: complete) }
    return bytes
  }
}
