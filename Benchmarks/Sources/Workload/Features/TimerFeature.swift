public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Actions that start, stop, change and remove entries.
public enum TimerAction: Recordable, Codable {
  /// An entry began.
  case started(EntryDraft)
  /// An entry ended.
  case stopped(EntryID)
  /// An entry like an earlier one began.
  case continued(EntryID)
  /// An entry was deleted.
  case deleted(EntryID)
  /// At most this number of entries is kept from now on; the oldest are removed.
  case limited(to: Int64)
  /// An entry began at another time.
  case moved(EntryID, to: Moment)
  /// The first entry was merged into the second and removed.
  case merged(EntryID, into: EntryID)
  /// An entry was cut in two after a time.
  case split(EntryID, after: ElapsedTime)
}

/// The time entries.
public struct Timeline: RecordedState {
  /// The entries.
  public var entries: EntityTable<EntryID, Entry> = EntityTable()
  /// The most entries that are kept.
  public var limit: Int64 = .max
  /// No entry has a lower id.
  public var oldest: Int64 = 0
  /// How many actions named an entry that is not there.
  public var missing: Int64 = 0

  /// Makes an empty timeline.
  public init() {}
}

extension Timeline {
  mutating func start(_ draft: EntryDraft, at moment: Moment) {
    insert(
      Entry(
        description: draft.description, project: draft.project, task: draft.task,
        tags: draft.tags, start: draft.start ?? moment, duration: nil,
        isBillable: draft.isBillable, color: 0, revision: 0))
  }

  mutating func stop(_ id: EntryID, at moment: Moment) {
    change(id) { $0.duration = moment.elapsed(since: $0.start) }
  }

  mutating func proceed(_ id: EntryID, at moment: Moment) {
    guard var entry = entries[id] else { return missing &+= 1 }
    entry.start = moment
    entry.duration = nil
    entry.revision = 0
    insert(entry)
  }

  mutating func delete(_ id: EntryID) {
    if !entries.remove(id) { missing &+= 1 }
  }

  mutating func limit(to count: Int64) {
    limit = count
    evict()
  }

  mutating func move(_ id: EntryID, to start: Moment) {
    change(id) { $0.start = start }
  }

  mutating func merge(_ id: EntryID, into other: EntryID) {
    guard id != other, let duration = entries.read(id, { $0.duration ?? .zero }) else {
      return missing &+= 1
    }
    let kept: Void? = entries.modify(other) { entry in
      entry.duration = (entry.duration ?? .zero).adding(duration)
      entry.revision &+= 1
    }
    if kept == nil { missing &+= 1 } else { entries.remove(id) }
  }

  mutating func split(_ id: EntryID, after time: ElapsedTime) {
    guard var second = entries[id] else { return missing &+= 1 }
    entries.modify(id) { entry in
      entry.duration = time
      entry.revision &+= 1
    }
    second.start = second.start.adding(time)
    second.revision = 0
    insert(second)
  }

  /// Changes an entry, or counts it as missing.
  @inline(__always)
  mutating func change(_ id: EntryID, _ body: (inout Entry) -> Void) {
    let found: Void? = entries.modify(id) { entry in
      body(&entry)
      entry.revision &+= 1
    }
    if found == nil { missing &+= 1 }
  }

  mutating func insert(_ entry: consuming Entry) {
    entries.insert(entry)
    evict()
  }

  /// Removes the oldest entries until at most `limit` are left.
  mutating func evict() {
    while entries.count > limit {
      entries.remove(EntryID(value: oldest))
      oldest += 1
    }
  }
}

/// Reduces ``TimerAction``.
public struct TimerReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Starts, stops, changes and removes entries.
  public func reduce(
    _ state: inout Timeline, _ action: TimerAction, at moment: Moment
  ) -> Effect<TimerAction, Never> {
    switch action {
    case .started(let draft): state.start(draft, at: moment)
    case .stopped(let id): state.stop(id, at: moment)
    case .continued(let id): state.proceed(id, at: moment)
    case .deleted(let id): state.delete(id)
    case .limited(let count): state.limit(to: count)
    case .moved(let id, let start): state.move(id, to: start)
    case .merged(let id, let other): state.merge(id, into: other)
    case .split(let id, let time): state.split(id, after: time)
    }
    return .none
  }
}
