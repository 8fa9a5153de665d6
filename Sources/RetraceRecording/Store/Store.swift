public import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
public import RetraceStorage
import Synchronization

/// The recorded app: every action sent is appended to the log, reduced and published.
///
/// One writer thread encodes nothing and owns everything else: it notes a group of batches in the
/// attempt file, reduces a copy of the state, appends, commits, publishes. What is queued while a
/// commit runs goes into the next one. State and errors are values; the store may be shared by any
/// number of threads.
public final class Store<App: ReplayableApp>: Sendable {
  /// The opened log.
  public let storage: LogStorage
  /// The sequences of the `crashed` records that were appended when this store was opened.
  public var recovered: [UInt64] { recoveredSequences.withLock { $0 } }
  let configuration: StoreConfiguration
  private let engine: Mutex<Engine<App>>
  private let queue = Mutex(Queue())
  private let published: Mutex<Published>
  private let recoveredSequences = Mutex<[UInt64]>([])
  private let observers = Mutex(ObserverList<App.State>())

  private struct Queue {
    var batches: [PendingBatch<App>] = []
    var actionCount = 0
    var isScheduled = false
    var failure: StoreError?
    var isClosed = false
  }

  private struct Published {
    var state: App.State
    var sequence: UInt64
  }

  /// Opens a store for writing and folds its log.
  ///
  /// Batches that were being reduced when a former process ended are appended as `crashed` records
  /// first; that is durable when the call returns. Nothing else is written before the first batch.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - creating: Whether a store is made where there is none.
  ///   - configuration: How the store works.
  /// - Complexity: O(records in the log), each decoded and reduced.
  /// - Throws: ``StoreError``: `storeMissing`, `inUse`, `damaged`, `incompatible`, `storageFailed`…
  public static func open(
    at path: String, creating: Bool = true, configuration: StoreConfiguration
  ) throws(StoreError) -> Store<App> {
    let storage = try LogStorage.open(at: path, access: creating ? .create : .write)
    do throws(StoreError) {
      let identity = AppIdentity(of: App.self)
      let fold = try storage.withSnapshot { (snapshot) throws(StoreError) in
        var records = RecordFold<App>(
          directSchemas: try snapshot.numbers(ofSchema: App.Action.schema))
        try snapshot.fold(into: &records, through: snapshot.head.sequence)
        return records.fold
      }
      let store = Store(
        storage: storage, configuration: configuration,
        engine: Engine(fold: fold, configuration: configuration, identity: identity))
      try storage.writer.perform { () throws(StoreError) in try store.recover() }
      return store
    } catch {
      storage.close()
      throw error
    }
  }

  init(
    storage: LogStorage, configuration: StoreConfiguration, engine: consuming Engine<App>
  ) {
    self.storage = storage
    self.configuration = configuration
    published = Mutex(Published(state: engine.fold.state, sequence: engine.fold.sequence))
    self.engine = Mutex(engine)
  }

  // MARK: Reading

  /// The latest durable state.
  public var state: App.State { published.withLock { $0.state } }

  /// The sequence of the last record that ``state`` stands after.
  public var sequence: UInt64 { published.withLock { $0.sequence } }

  /// Names the scene that this session attaches to; without a call the session has none.
  ///
  /// - Precondition: The session has sent nothing yet; later calls change nothing.
  public func attach(to scene: SceneID) {
    engine.withLock { $0.scene = scene }
  }

  // MARK: Sending

  /// Sends actions as one batch and returns when they are durable.
  ///
  /// The moment is sampled when this is called. An empty batch writes nothing.
  ///
  /// - Complexity: O(bytes encoded) plus the reducer's; two disk flushes, shared with whatever else
  ///   is queued.
  /// - Throws: `recordTooLarge` before anything is queued; `commitOutcomeUnknown` when the disk
  ///   failed and reopening must tell; `closed`; `reentrant` from an observer.
  @discardableResult
  public func send(_ actions: [App.Action]) async throws(StoreError) -> Receipt<App> {
    try refuseReentrancy("send")
    let batch = try encode(actions)
    let result: Result<Receipt<App>, StoreError> = await withCheckedContinuation { continuation in
      let pending = batch.completing { continuation.resume(returning: $0) }
      do throws(StoreError) {
        try self.push(pending, bounded: false)
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Sends one action and returns when it is durable; see ``send(_:)-([App.Action])``.
  @discardableResult
  public func send(_ action: App.Action) async throws(StoreError) -> Receipt<App> {
    try await send([action])
  }

  /// Sends actions as one batch and blocks until they are durable.
  ///
  /// - Throws: As the asynchronous form does.
  @discardableResult
  public func sendBlocking(_ actions: [App.Action]) throws(StoreError) -> Receipt<App> {
    try refuseReentrancy("sendBlocking")
    let outcome = Outcome<App>()
    try push(try encode(actions).completing { outcome.set($0) }, bounded: false)
    storage.writer.perform { self.drain() }
    return try outcome.get()
  }

  /// Fixes the order of a batch and returns; ``flush()`` tells when it is durable.
  ///
  /// - Throws: `overloaded` when more actions wait than the configuration allows; `closed`;
  ///   `recordTooLarge`.
  public func enqueue(_ actions: [App.Action]) throws(StoreError) {
    try push(try encode(actions), bounded: true)
  }

  /// Blocks until everything that was enqueued before is durable.
  ///
  /// - Throws: The first error of a batch that was enqueued, if one failed.
  public func flush() throws(StoreError) {
    try refuseReentrancy("flush")
    storage.writer.perform { self.drain() }
    if let failure = queue.withLock({ $0.failure }) { throw failure }
  }

  /// Decides on the latest state what to append, inside the write transaction.
  ///
  /// No other process can append between the body's look at the state and the commit.
  ///
  /// - Parameters:
  ///   - closing: Whether the session is closed in the same commit, as a one-shot command does.
  ///   - body: Answers the actions of the batch; what it throws appends nothing.
  /// - Throws: ``TransactionError``.
  @discardableResult
  public func transact<Refusal: Error>(
    closing: Bool = false,
    _ body: @Sendable (borrowing App.State, Moment) throws(Refusal) -> [App.Action]
  ) throws(TransactionError<Refusal>) -> Receipt<App> {
    do throws(StoreError) { try refuseReentrancy("transact") } catch { throw .store(error) }
    let moment = configuration.clock()
    return try storage.writer.perform {
      () throws(TransactionError<Refusal>) -> Receipt<App> in
      self.drain()
      return try self.transactHere(at: moment, closing: closing, body)
    }
  }

  /// Closes the session with a `sessionClosed` record that carries the state hash, and the log.
  ///
  /// A session that sent nothing writes nothing. Later calls do nothing.
  ///
  /// - Throws: `commitOutcomeUnknown` or `storageFailed`; the store is closed all the same.
  public func close() throws(StoreError) {
    try refuseReentrancy("close")
    let wasClosed = queue.withLock { queue in
      defer { queue.isClosed = true }
      return queue.isClosed
    }
    guard !wasClosed else { return }
    defer { storage.close() }
    try storage.writer.perform { () throws(StoreError) in
      self.drain()
      try self.engine.withLock { (engine) throws(StoreError) in
        _ = try engine.commit([], closing: true, to: self.storage)
        try engine.removeAttempt(in: self.storage)
      }
    }
  }

  // MARK: Observing

  /// Calls the body with the latest state at once, and again after each batch that changed it.
  ///
  /// The later calls come from the writer thread, after the commit; from there only
  /// ``enqueue(_:)`` is allowed. Cancel by dropping the observation.
  public func observe(_ body: @escaping @Sendable (App.State) -> Void) -> Observation {
    let observation = observers.withLock { $0.add(body) }
    body(state)
    return observation
  }

  /// Calls the body with what a selection of the state maps to, at once and after each change of
  /// the selected input; the mapping runs only when the input differs.
  public func select<Input: Equatable & Sendable, Output>(
    _ input: @escaping @Sendable (App.State) -> Input,
    map: @escaping @Sendable (Input) -> Output,
    _ body: @escaping @Sendable (Output) -> Void
  ) -> Observation {
    let last = Mutex<Input?>(nil)
    return observe { state in
      let next = input(state)
      let isNew = last.withLock { last in
        defer { last = next }
        return last != next
      }
      if isNew { body(map(next)) }
    }
  }

  // MARK: The writer thread

  private func recover() throws(StoreError) {
    let (sequences, sequence) = try engine.withLock { (engine) throws(StoreError) in
      (try engine.recover(in: storage), engine.fold.sequence)
    }
    recoveredSequences.withLock { $0 = sequences }
    published.withLock { $0.sequence = sequence }
  }

  private func transactHere<Refusal: Error>(
    at moment: Moment, closing: Bool,
    _ body: (borrowing App.State, Moment) throws(Refusal) -> [App.Action]
  ) throws(TransactionError<Refusal>) -> Receipt<App> {
    let current = published.withLock { $0 }
    let actions: [App.Action]
    do throws(Refusal) {
      actions = try body(current.state, moment)
    } catch {
      throw .refused(error)
    }
    do throws(StoreError) {
      if let failure = queue.withLock({ $0.failure }) { throw failure }
      let batch = try encode(actions, at: moment)
      guard !batch.actions.isEmpty else {
        let next = current.sequence + 1
        return Receipt(sequences: next..<next, state: current.state, sequence: current.sequence)
      }
      return try commit([batch], closing: closing)[0]
    } catch {
      throw .store(error)
    }
  }

  /// Commits everything that is queued; what arrives meanwhile goes into the next commit.
  private func drain() {
    while true {
      let batches = queue.withLock { queue in
        defer {
          queue.batches = []
          queue.actionCount = 0
          queue.isScheduled = false
        }
        return queue.batches
      }
      guard !batches.isEmpty else { return }
      do throws(StoreError) {
        let receipts = try commit(batches, closing: false)
        for (batch, receipt) in zip(batches, receipts) { batch.completion(.success(receipt)) }
      } catch {
        queue.withLock { if $0.failure == nil { $0.failure = error } }
        for batch in batches { batch.completion(.failure(error)) }
      }
    }
  }

  private func commit(
    _ batches: [PendingBatch<App>], closing: Bool
  ) throws(StoreError) -> [Receipt<App>] {
    let receipts = try engine.withLock { (engine) throws(StoreError) in
      try engine.commit(batches, closing: closing, to: storage)
    }
    publish(receipts, closing: closing)
    return receipts
  }

  private func publish(_ receipts: [Receipt<App>], closing: Bool) {
    guard let last = receipts.last else { return }
    let before = published.withLock { published in
      defer { published = Published(state: last.state, sequence: last.sequence) }
      return published.state
    }
    let bodies = observers.withLock { $0.bodies }
    guard !bodies.isEmpty else { return }
    var previous = before
    for receipt in receipts where receipt.state != previous {
      for body in bodies { body(receipt.state) }
      previous = receipt.state
    }
  }

  // MARK: The queue

  private func encode(
    _ actions: [App.Action], at moment: Moment? = nil
  ) throws(StoreError) -> PendingBatch<App> {
    var writer = AvroWriter(capacity: 256)
    var payloads: [[UInt8]] = []
    payloads.reserveCapacity(actions.count)
    for action in actions {
      writer.removeAll()
      action.encode(into: &writer)
      guard writer.count <= LogFormat.actionBytes else {
        throw StoreError.recordTooLarge(bytes: writer.count)
      }
      payloads.append(writer.bytes)
    }
    return PendingBatch(
      actions: actions, payloads: payloads, moment: moment ?? configuration.clock())
  }

  private func push(_ batch: PendingBatch<App>, bounded: Bool) throws(StoreError) {
    let empty = batch.actions.isEmpty
    let schedules = try queue.withLock { (queue) throws(StoreError) -> Bool in
      if queue.isClosed { throw StoreError.closed }
      if let failure = queue.failure { throw failure }
      if bounded && queue.actionCount >= configuration.queueLimit {
        throw StoreError.overloaded(limit: configuration.queueLimit)
      }
      if empty { return false }
      queue.batches.append(batch)
      queue.actionCount += batch.actions.count
      defer { queue.isScheduled = true }
      return !queue.isScheduled
    }
    if empty {
      let current = published.withLock { $0 }
      let next = current.sequence + 1
      batch.completion(
        .success(
          Receipt(sequences: next..<next, state: current.state, sequence: current.sequence)))
    } else if schedules {
      storage.writer.submit { self.drain() }
    }
  }

  private func refuseReentrancy(_ call: String) throws(StoreError) {
    if storage.writer.isCurrent { throw StoreError.reentrant(call) }
  }
}
