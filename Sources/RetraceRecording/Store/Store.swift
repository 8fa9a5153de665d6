public import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
public import RetraceStorage
import Synchronization

/// The recorded app: every action sent is appended to the log, reduced and published.
///
/// One writer encodes nothing and owns everything else: it notes a group of batches in the attempt
/// file, reduces a copy of the state, appends, commits, publishes. It has a thread of its own; a
/// caller that blocks takes its place where nothing else is in hand. What is queued while a commit
/// runs goes into the next one. A large group is reduced by a second thread while the first appends
/// it. State and errors are values; the store may be shared by any number of threads.
public final class Store<App: ReplayableApp>: Sendable {
  /// The opened log.
  public let storage: LogStorage
  /// The sequences of the `crashed` records that were appended when this store was opened.
  public var recovered: [UInt64] { recoveredSequences.withLock { $0 } }
  let configuration: StoreConfiguration
  /// What refuses actions that could not be read back.
  let limits = AppSchemas.of(App.self).limits
  let engine: Mutex<Engine<App>>
  let queue = Mutex(Queue())
  let published: Mutex<Published>
  let window = Mutex(Window())
  let recoveredSequences = Mutex<[UInt64]>([])
  /// Where large groups are reduced while they are appended; it begins with the first of them.
  let reducer: WorkerThread
  let observers = Mutex(ObserverList<App.State>())
  /// Whether there ever were observers: most stores of tools have none.
  let wasObserved = Atomic(false)
  let effects: EffectRunner<App>
  /// What tells that some process committed, once somebody follows.
  let watch = Mutex<FileWatch?>(nil)
  let isCatchUpScheduled = Atomic(false)
  /// Which snapshot the state came from when it was opened, or folded again after damage.
  let use: Mutex<SnapshotUse>

  /// What is shown; an object, so that the writer copies no state to show another.
  final class Published: Sendable {
    let state: App.State
    let inFlight: EffectsInFlight
    let sequence: UInt64
    /// Where absent pages of the state are read, which says whether all that was read was right.
    let pages: StoredPages?

    init(_ fold: Fold<App>, pages: StoredPages?) {
      state = fold.state
      inFlight = fold.inFlight
      sequence = fold.sequence
      self.pages = pages
    }

    /// Whether all that was read of the state so far was what was written.
    var isSound: Bool { pages?.fault == nil }

    /// What an empty batch is answered with: nothing was appended.
    var emptyReceipt: Receipt<App> {
      Receipt(
        sequences: sequence + 1..<sequence + 1, state: state, sequence: sequence,
        effectsInFlight: inFlight)
    }
  }

  /// Opens a store for writing, from the newest snapshot that can be used and what came after it.
  ///
  /// Batches that were being reduced when a former process ended are appended as `crashed` records
  /// first, and what former sessions left in flight is settled as far as its time has come:
  /// dropped, or replaced by the action that the leaf declares. That is durable when the call
  /// returns; leaves that run again have been started. Nothing else is written before the first
  /// batch.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - creating: Whether a store is made where there is none.
  ///   - configuration: How the store works.
  ///   - environment: What effects run in. Without one, only leaves that need none are run, and
  ///     all others stay in flight in the log, for whoever opens the store with one.
  /// - Complexity: O(records behind the snapshot), each decoded and reduced; all without one.
  /// - Throws: `StoreError`: `storeMissing`, `inUse`, `damaged`, `incompatible`, `storageFailed`…
  public static func open(
    at path: String, creating: Bool = true, configuration: StoreConfiguration,
    environment: App.Environment? = nil
  ) throws(StoreError) -> Store<App> {
    guard configuration.durability != .memory else { throw StoreError.persistent(path) }
    let storage = try LogStorage.open(at: path, access: creating ? .create : .write)
    return try open(over: storage, configuration: configuration, environment: environment)
  }

  /// Folds the log of a storage that was opened for writing; if that fails, the storage is closed.
  package static func open(
    over storage: LogStorage, configuration: StoreConfiguration,
    environment: App.Environment? = nil
  ) throws(StoreError) -> Store<App> {
    do throws(StoreError) {
      let identity = AppIdentity(of: App.self)
      try storage.requireFoldable(configuration.foldTrial, by: identity.reducerFingerprint)
      var keeper = SnapshotKeeper<App>(
        storage.snapshots, policy: configuration.snapshots, identity: identity.ofSnapshots)
      let restored = try storage.withSnapshot { (snapshot) throws(StoreError) in
        try snapshot.restore(
          App.self, through: snapshot.head.sequence, from: storage.snapshots,
          identity: identity.ofSnapshots, keeper: keeper)
      }
      keeper.start(from: restored)
      let engine = Engine(
        records: restored.records, keeper: keeper, configuration: configuration,
        identity: identity, reducer: WorkerThread(name: "retrace-reducer"))
      let store = Store(
        storage: storage, configuration: configuration, environment: environment, engine: engine,
        use: restored.use)
      try storage.performWriting { () throws(StoreError) in
        try store.recover()
        try store.relax()
      }
      return store
    } catch {
      storage.close()
      throw error
    }
  }

  init(
    storage: LogStorage, configuration: StoreConfiguration, environment: App.Environment?,
    engine: consuming Engine<App>, use: SnapshotUse
  ) {
    effects = EffectRunner(
      environment: environment, configuration: configuration, writer: storage.writer)
    self.storage = storage
    self.use = Mutex(use)
    self.configuration = configuration
    reducer = engine.reducer
    published = Mutex(Published(engine.fold, pages: engine.keeper.pages))
    self.engine = Mutex(engine)
  }

  deinit { effects.stop(.closed) }

  // MARK: Reading

  /// The latest durable state; with relaxed durability, the latest acknowledged one.
  ///
  /// A part that was never needed is read when it is asked for; ``read(_:)`` makes sure that it is
  /// what was written.
  public var state: App.State { latest.state }

  /// What is in flight after the latest durable record, whoever runs it.
  public var effectsInFlight: EffectsInFlight { latest.inFlight }

  /// The sequence of the last record that ``state`` stands after.
  public var sequence: UInt64 { latest.sequence }

  var latest: Published { published.withLock { $0 } }
}
