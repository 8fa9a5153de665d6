import Retrace
import RetraceSystem

/// A batch, as the log stores it under its idempotency key.
package struct KeyedBatch: Hashable, Sendable {
  package var sequences: Range<UInt64>
  /// The digest of the batch's payloads; see ``digest(of:)``.
  package var digest: [UInt8]

  package init(sequences: Range<UInt64>, digest: [UInt8]) {
    self.sequences = sequences
    self.digest = digest
  }

  /// The largest number of keys that a log keeps; the oldest are removed.
  package static var keysMax: Int { 1_000_000 }
  package static var keyBytesMax: Int { 64 }
  /// The beginning of the keys that only stores make.
  package static var reservedPrefix: String { "retrace.undo/" }
  private static var digestBytes: Int { 16 }

  /// Returns the first 16 bytes of the SHA-256 of a batch's payloads.
  ///
  /// The hash covers the payloads in order, each preceded by its length as a little-endian UInt32.
  ///
  /// - Complexity: O(bytes of the payloads).
  package static func digest(of payloads: EncodedActions) -> [UInt8] {
    var hasher = SHA256Hasher()
    hasher.update(payloads.bytes.span)
    return digest(hasher)
  }

  /// Returns the digest of a command, which no batch of actions has.
  ///
  /// - Complexity: O(bytes of the command).
  package static func digest(ofCommand bytes: [UInt8]) -> [UInt8] {
    var hasher = SHA256Hasher()
    let (prefix, command) = (commandPrefix, EncodedActions([bytes]))
    hasher.update(prefix.span)
    hasher.update(command.bytes.span)
    return digest(hasher)
  }

  /// The bytes hashed before a command.
  ///
  /// A batch of actions begins with the length of its first action. As a length, the first four of
  /// these bytes exceed the limit, so no batch of actions hashes the same bytes.
  static let commandPrefix = Array("command".utf8)

  static func digest(_ hasher: SHA256Hasher) -> [UInt8] {
    Array(hasher.digest().bytes.prefix(digestBytes))
  }

  /// The bytes on disk.
  var encoded: [UInt8] {
    var writer = AvroWriter(capacity: 28)
    writer.littleEndian(sequences.lowerBound)
    writer.littleEndian(UInt32(clamping: sequences.count))
    writer.raw(digest)
    return writer.bytes
  }

  /// Decodes the bytes on disk; returns `nil` if they are invalid.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count == 12 + KeyedBatch.digestBytes else { return nil }
    do throws(AvroError) {
      var reader = AvroReader(bytes)
      let first = try reader.littleEndian64()
      let count = UInt64(try reader.littleEndian32())
      guard count > 0, first > 0, first <= LogFormat.sequenceMax else { return nil }
      let digest = try reader.raw(KeyedBatch.digestBytes)
      self.init(
        sequences: first..<first + count, digest: digest.indices.map { digest[$0] })
    } catch {
      return nil
    }
  }
}
