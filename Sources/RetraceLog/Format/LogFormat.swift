/// The constants of the log's format.
public enum LogFormat {
  /// The version of the format that this code writes.
  @inlinable public static var version: UInt8 { 3 }
  /// The versions of the format that this code reads.
  @inlinable public static var readableVersions: ClosedRange<UInt8> { 1...version }
  /// The number of bytes in a block's header.
  @inlinable public static var headerBytes: Int { 80 }
  /// The number of bytes at which a block is sealed: four storage pages less a page header.
  ///
  /// Only a block with a single record may be longer.
  @inlinable public static var blockBytesMax: Int { 4 * 4096 - 16 }
  /// The largest payload of an action, in bytes: 1 MiB.
  @inlinable public static var actionBytesMax: Int { 1 << 20 }
  /// The largest payload of any record, in bytes: 64 MiB.
  @inlinable public static var payloadBytesMax: Int { 64 << 20 }
  /// The maximum total size of a batch's encoded actions, in bytes.
  ///
  /// A batch that crashed the program must fit into one `crashed` record.
  @inlinable public static var batchBytesMax: Int { 32 << 20 }
  /// The maximum size of an idempotency key, in bytes.
  @inlinable public static var keyBytesMax: Int { 64 }
  /// The highest sequence.
  ///
  /// The lock file of a store has a byte for each sequence; the bytes above have other uses.
  @inlinable public static var sequenceMax: UInt64 { (1 << 62) - 1 }

  /// Returns the number under which the log stores a schema of commands or refusals.
  ///
  /// These schemas are numbered from 1, independently of action schemas. The top bit distinguishes
  /// them in the log.
  @inlinable public static func commandSchemaNumber(_ number: UInt32) -> UInt32 { 1 << 31 | number }

  /// Returns whether a number read from a file can be a schema number.
  @inlinable public static func isSchemaNumber(_ number: Int64) -> Bool {
    number >= 1 && number < 1 << 31
  }

  /// Returns whether a number read from a file can be a sequence.
  ///
  /// Check such a number when you read it, so that later arithmetic on it cannot overflow.
  @inlinable public static func isSequence(_ number: UInt64) -> Bool {
    number >= 1 && number <= sequenceMax
  }
}

/// The flags of a record, in the order of their bits.
///
/// Bit 7 is reserved for encrypted fields; a record with that bit or an unknown bit is rejected.
@usableFromInline
enum RecordFlag {
  @usableFromInline static let startsBatch: UInt64 = 1 << 0
  @usableFromInline static let kind: UInt64 = 1 << 1
  @usableFromInline static let session: UInt64 = 1 << 2
  @usableFromInline static let schema: UInt64 = 1 << 3
  @usableFromInline static let cause: UInt64 = 1 << 4
  @usableFromInline static let key: UInt64 = 1 << 5
  @usableFromInline static let stateHash: UInt64 = 1 << 6
  @usableFromInline static let effect: UInt64 = 1 << 8
  /// Since version 3.
  @usableFromInline static let realTime: UInt64 = 1 << 9
  /// Since version 3.
  @usableFromInline static let shortHash: UInt64 = 1 << 10

  /// Returns the flags that records of a version can have.
  static func all(inVersion version: UInt8) -> UInt64 { version < 3 ? 0x17f : 0x77f }
}
