import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The kind of a record.
@frozen
public enum RecordKind: UInt8, CaseIterable, Hashable, Sendable {
  /// An action; the only kind that is reduced.
  case action = 0
  /// The opening of a session, its first record; the payload is a ``SessionOpened``.
  case sessionOpened = 1
  /// The end of a session; the payload is a ``SessionClosed``.
  case sessionClosed = 2
  /// The end of an effect; the payload is an ``EffectFinished``.
  case effectFinished = 3
  /// A batch whose reduction crashed the program; the payload is a ``Crashed``.
  case crashed = 4
  /// A jump of the wall clock; the payload is a ``ClockJumped``.
  ///
  /// Retired: the real time of records shows jumps. A migration keeps such records.
  case clockJumped = 5
  /// A command; the payload is a ``RecordedCommand``. Since version 2.
  case command = 6

  /// The first version of the format with this kind.
  public var firstVersion: UInt8 { self == .command ? 2 : 1 }

  /// The name in output.
  package var symbol: String {
    switch self {
    case .action: "action"
    case .sessionOpened: "sessionOpened"
    case .sessionClosed: "sessionClosed"
    case .effectFinished: "effectFinished"
    case .crashed: "crashed"
    case .clockJumped: "clockJumped"
    case .command: "command"
    }
  }
}

/// The hash of a state as a record has it.
///
/// A short hash is compared in place of a whole one where records would otherwise be several times
/// as long. Two different states have the same short hash with a probability of 2^-32.
public enum RecordedStateHash: Hashable, Sendable {
  /// All 32 bytes.
  case whole(Digest)
  /// The first four bytes, as a little-endian number.
  case short(UInt32)

  /// The number of bytes of a short hash.
  @inlinable static var shortByteCount: Int { 4 }

  /// Creates the short hash with the first bytes of a whole one.
  @inlinable
  public init(shortOf hash: Digest) { self = .short(UInt32(truncatingIfNeeded: hash.word0)) }

  /// The bytes of a short hash; `nil` for a whole one.
  public var shortBytes: [UInt8]? {
    guard case .short(let value) = self else { return nil }
    return (0..<Self.shortByteCount).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
  }

  /// Returns whether this is the hash, or the short hash, of a state with a whole hash.
  @inlinable
  public func matches(_ hash: Digest) -> Bool {
    switch self {
    case .whole(let recorded): recorded == hash
    case .short: self == RecordedStateHash(shortOf: hash)
    }
  }
}

/// The metadata of a record: everything but its payload.
///
/// ```swift
/// try storage.withReadView { (view) throws(StoreError) in
///   try view.forEachRecord(from: 1, through: view.head.sequence) { (envelope: Envelope, _) in
///     if envelope.kind == RecordKind.command { print(envelope.sequence, envelope.moment) }
///   }
/// }
/// ```
public struct Envelope: Hashable, Sendable {
  /// The position in the log, from 1 without gaps.
  public var sequence: UInt64
  /// The kind of the record.
  public var kind: RecordKind
  /// The session that appended the record: the sequence of its `sessionOpened`.
  public var session: UInt64
  /// The moment of the record by the app's clock; for an action, when it was sent.
  public var moment: Moment
  /// The time of the machine when the record was made; `nil` for ``moment``.
  ///
  /// In a session whose clock was fixed by an option, `nil` means that it is unknown. Records had
  /// no real time before version 3 of the format.
  public var realTime: Moment?
  /// The number of the session's action schema.
  public var schema: UInt32
  /// The earlier record whose effect sent this record.
  public var cause: UInt64?
  /// Whether the record is the first of its batch.
  public var startsBatch: Bool
  /// The idempotency key of the batch: 1 to 64 bytes, on its first record.
  public var key: [UInt8]?
  /// The hash of the state after this record, on the last record of some batches.
  public var stateHash: Digest? {
    get { if case .whole(let hash)? = recordedHash { hash } else { nil } }
    set { recordedHash = newValue.map { .whole($0) } }
  }
  /// The hash of the state after this record, whole or short, on the last record of some batches.
  public var recordedHash: RecordedStateHash?
  /// Whether the reducer returned an effect when the record was appended.
  public var hasEffect: Bool

  /// Creates an envelope.
  public init(
    sequence: UInt64 = 0, kind: RecordKind = .action, session: UInt64, moment: Moment,
    realTime: Moment? = nil, schema: UInt32, cause: UInt64? = nil, startsBatch: Bool = true,
    key: [UInt8]? = nil, stateHash: Digest? = nil, hasEffect: Bool = false
  ) {
    self.sequence = sequence
    self.kind = kind
    self.session = session
    self.moment = moment
    self.realTime = realTime
    self.schema = schema
    self.cause = cause
    self.startsBatch = startsBatch
    self.key = key
    recordedHash = stateHash.map { .whole($0) }
    self.hasEffect = hasEffect
  }
}
