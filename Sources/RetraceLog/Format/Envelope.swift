import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// What a record of the log is.
@frozen
public enum RecordKind: UInt8, CaseIterable, Hashable, Sendable {
  /// Something happened or was asked; the only kind that is folded.
  case action = 0
  /// A session began with this record; the payload is a ``SessionOpened``.
  case sessionOpened = 1
  /// A session ended; the payload is a ``SessionClosed``.
  case sessionClosed = 2
  /// An effect came to its end; the payload is an ``EffectFinished``.
  case effectFinished = 3
  /// A batch whose reduction ended the program; the payload is a ``Crashed``.
  case crashed = 4
  /// The wall clock was moved; the payload is a ``ClockJumped``.
  case clockJumped = 5
  /// A request that was decided on; the payload is a ``RecordedCommand``. Since version 2.
  case command = 6

  /// The first version of the format that has the kind.
  public var firstVersion: UInt8 { self == .command ? 2 : 1 }
}

/// What the log says about a record beside its payload.
public struct Envelope: Hashable, Sendable {
  /// The position in the log, gapless from 1.
  public var sequence: UInt64
  /// What the record is.
  public var kind: RecordKind
  /// The session that appended it: the sequence of its `sessionOpened`.
  public var session: UInt64
  /// The recorded instant, sampled when the action was sent.
  public var moment: Moment
  /// The number of the action schema with which the session writes.
  public var schema: UInt32
  /// The earlier record whose effect sent this one.
  public var cause: UInt64?
  /// Whether the record is the first of its batch.
  public var startsBatch: Bool
  /// The idempotency key of the batch: 1 to 64 bytes, on its first record.
  public var key: [UInt8]?
  /// The hash of the state after this record, on the last record of some batches.
  public var stateHash: Digest?
  /// Whether the reducer answered an effect when the record was appended.
  public var hasEffect: Bool

  /// Makes an envelope.
  public init(
    sequence: UInt64 = 0, kind: RecordKind = .action, session: UInt64, moment: Moment,
    schema: UInt32, cause: UInt64? = nil, startsBatch: Bool = true, key: [UInt8]? = nil,
    stateHash: Digest? = nil, hasEffect: Bool = false
  ) {
    self.sequence = sequence
    self.kind = kind
    self.session = session
    self.moment = moment
    self.schema = schema
    self.cause = cause
    self.startsBatch = startsBatch
    self.key = key
    self.stateHash = stateHash
    self.hasEffect = hasEffect
  }
}
