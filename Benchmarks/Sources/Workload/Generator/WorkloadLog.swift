import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceSystem
public import RetraceStorage

/// A log of the mix, written into a store.
public struct WorkloadLog: Sendable {
  /// What was written, for figures of bytes.
  public struct Written: Sendable {
    /// The actions.
    public var actions: UInt64 = 0
    /// All records: the actions and the opening of the session.
    public var records: UInt64 = 0
    /// The bytes of the payloads of all records.
    public var payloadBytes: UInt64 = 0
    /// The entries that live at the end, as the generator counts them.
    public var liveEntries: UInt64 = 0

    /// Makes counts of zero.
    public init() {}
  }

  /// The seed of the random numbers.
  public var seed: UInt64
  /// How many actions are written, at most.
  public var actions: Int
  /// The most entries that live.
  public var entries: Int
  /// Whether writing ends as soon as the log has ``entries`` entries.
  public var endsWhenFull = false
  /// How many records lie between two recorded hashes of the state; 0 records none.
  public var hashInterval = 10_000
  /// Whether each record without a whole hash has a short one, as if it were a commit of its own in
  /// a session with a scene; ``hashInterval`` has to be over 0.
  public var hasShortHashes = false
  /// How many records are committed together.
  public var commitInterval = 100_000

  /// Describes a log.
  ///
  /// - Parameters:
  ///   - actions: How many actions are written.
  ///   - entries: The most entries that live.
  ///   - seed: The seed of the random numbers.
  public init(actions: Int, entries: Int, seed: UInt64 = 1) {
    self.actions = actions
    self.entries = entries
    self.seed = seed
  }

  /// Makes a store with the log; each action is a batch of its own, with a moment of its own.
  ///
  /// Hashes cost a fold of the log; without them writing takes about half the time.
  ///
  /// - Parameter path: The directory that is made.
  /// - Complexity: O(actions), each encoded and, for hashes, reduced.
  /// - Throws: `StoreError`.
  @discardableResult
  public func write(to path: String) throws(StoreError) -> Written {
    let storage = try LogStorage.open(at: path, access: .create)
    defer { storage.close() }
    return try storage.appendRaw { transaction throws(StoreError) in
      var writing = Writing(self)
      while !writing.isDone {
        try transaction { appender throws(StoreError) in
          try writing.append(to: &appender)
        }
      }
      return writing.written
    }
  }
}

/// A log that is being written.
private struct Writing: ~Copyable {
  let log: WorkloadLog
  var mix: ActionMix
  var fold = Fold<WorkloadApp>()
  var schema: UInt32 = 0
  var sinceHash = 0
  var written = WorkloadLog.Written()
  var writer = AvroWriter(capacity: 4_096)
  var hashWriter = AvroWriter(capacity: 4_096)

  init(_ log: WorkloadLog) {
    self.log = log
    mix = ActionMix(seed: log.seed, entries: log.entries)
  }

  var isDone: Bool {
    written.actions == log.actions || (log.endsWhenFull && mix.liveEntries >= log.entries)
  }

  mutating func append(to appender: inout LogAppender) throws(StoreError) {
    if schema == 0 { try open(&appender) }
    for _ in 0..<log.commitInterval where !isDone { try appendAction(to: &appender) }
  }

  private mutating func open(_ appender: inout LogAppender) throws(StoreError) {
    let action = WorkloadAction.schema
    schema = try appender.schemaNumber(json: action.text)
    var composer = SchemaComposer()
    let opened = SessionOpened(
      app: WorkloadApp.name, build: WorkloadApp.build,
      actionSchema: action.fingerprint(with: SHA256Hasher.self),
      stateSchema: WorkloadState.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self),
      reducer: WorkloadApp.reducerFingerprint, scene: nil, zone: "UTC", zoneDatabase: "")
    try appender.append(
      opened, Envelope(sequence: 1, session: 1, moment: mix.nextMoment(), schema: schema))
    fold.skip(1)
    written.records += 1
    written.payloadBytes += UInt64(opened.encoded().count)
  }

  private mutating func appendAction(to appender: inout LogAppender) throws(StoreError) {
    let action = mix.next()
    let moment = mix.nextMoment()
    writer.removeAll()
    action.encode(into: &writer)
    var hash: RecordedStateHash?
    if log.hashInterval > 0 {
      _ = fold.apply(action, at: moment, sequence: fold.sequence + 1)
      sinceHash += 1
      if sinceHash == log.hashInterval || written.actions + 1 == log.actions {
        hash = .whole(stateHash())
        sinceHash = 0
      } else if log.hasShortHashes {
        hash = RecordedStateHash(shortOf: stateHash())
      }
    }
    var envelope = Envelope(session: 1, moment: moment, schema: schema)
    envelope.recordedHash = hash
    try appender.append(envelope, payload: writer.span)
    written.actions += 1
    written.records += 1
    written.payloadBytes += UInt64(writer.count)
    written.liveEntries = UInt64(mix.liveEntries)
  }

  private mutating func stateHash() -> Digest {
    StateHasher.hash(&fold.state, with: SHA256Hasher.self, &hashWriter)
  }
}
