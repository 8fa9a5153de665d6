public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Synchronisation with a server.
public enum SyncAction: Recordable, Codable {
  /// It began.
  case began(revision: Int64)
  /// It succeeded.
  case succeeded(revision: Int64, changes: Int64)
  /// It failed.
  case failed(code: Int32, message: String)
  /// Both sides had changed an entry.
  case conflicted(EntryID, keepsOurs: Bool)
  /// The next one begins at a moment.
  case scheduled(at: Moment)
  /// The state was reset.
  case reset
}

/// Synchronisation with a server.
public struct Sync: Recordable, Equatable {
  /// The revision that is being synchronised.
  public var pending: Int64 = 0
  /// The last revision that was synchronised.
  public var revision: Int64 = 0
  /// How many changes were received.
  public var changes: Int64 = 0
  /// How often it failed.
  public var failures: Int64 = 0
  /// What the last failure said.
  public var message: String = ""
  /// The entry of the last conflict.
  public var conflict: EntryID?
  /// How often ours was kept.
  public var kept: Int64 = 0
  /// When it begins again.
  public var next: Moment?

  /// Makes the first state.
  public init() {}
}

extension Sync {
  mutating func succeed(_ revision: Int64, _ changes: Int64) {
    self.revision = revision
    self.changes &+= changes
    next = nil
  }

  mutating func fail(_ code: Int32, _ message: String) {
    failures &+= Int64(code & 1) + 1
    self.message = message
  }

  mutating func settle(_ id: EntryID, _ keepsOurs: Bool) {
    conflict = id
    if keepsOurs { kept &+= 1 }
  }
}

/// Reduces ``SyncAction``.
public struct SyncReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes the state of the synchronisation.
  public func reduce(
    _ state: inout Sync, _ action: SyncAction, at moment: Moment
  ) -> Effect<SyncAction, Never> {
    switch action {
    case .began(let revision): state.pending = revision
    case .succeeded(let revision, let changes): state.succeed(revision, changes)
    case .failed(let code, let message): state.fail(code, message)
    case .conflicted(let id, let keepsOurs): state.settle(id, keepsOurs)
    case .scheduled(let moment): state.next = moment
    case .reset: state = Sync()
    }
    return .none
  }
}
