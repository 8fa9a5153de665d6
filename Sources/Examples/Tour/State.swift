import Counter
import Retrace
import RetraceSystem

/// Pages in memory, for states that are not needed after the process or the test.
final class InMemoryPages: PageSource {
  typealias Hasher = SHA256Hasher

  private struct Contents {
    var pages: [PageKey: [UInt8]] = [:]
    var firstError: PageError?
  }

  private let contents = Lock(Contents())

  var firstError: PageError? { contents.withLock { $0.firstError } }

  func report(_ error: PageError) {
    contents.withLock { $0.firstError = $0.firstError ?? error }
  }

  func withPage(_ key: PageKey, _ body: (Span<UInt8>) -> Void) -> Bool {
    guard let page = contents.withLock({ $0.pages[key] }) else { return false }
    body(page.span)
    return true
  }

  func commit(_ save: PageSave) {
    contents.withLock { contents in
      for (key, page) in save.pages { contents.pages[key] = page }
      for key in save.replaced { contents.pages[key] = nil }
    }
  }
}

/// The pages of one save, until it is committed.
struct PageSave: PageSink {
  var pages: [PageKey: [UInt8]] = [:]
  var replaced: [PageKey] = []

  mutating func put(_ key: PageKey, _ page: Span<UInt8>) {
    var bytes: [UInt8] = []
    for index in page.indices { bytes.append(page[index]) }
    pages[key] = bytes
  }

  mutating func markReplaced(_ key: PageKey) { replaced.append(key) }
}

/// Saves a state: writes only the pages that changed since it was last saved.
func save(
  _ state: inout CounterState, at sequence: UInt64, in source: InMemoryPages
) -> SnapshotRecord {
  var copy = state
  var save = PageSave()
  let record = StatePages.save(&copy, at: sequence, with: SHA256Hasher.self, into: &save)
  source.commit(save)
  StatePages.adopt(&state, from: copy)
  return record
}

/// Opens a saved state without reading a page; each page is read when it is first needed.
func open(
  _ record: SnapshotRecord, from source: InMemoryPages
) throws(StoredStateError) -> CounterState {
  try StatePages.open(from: record, source: source)
}

/// Returns whether a page differs from the one that was saved.
func isDamaged(_ error: PageError) -> Bool {
  let kind: PageError.Kind = error.kind
  return kind == .hashMismatch || kind == .malformed
}

/// Returns the lowest and the highest sort key of each table of a snapshot, without reading a page.
func sortKeys(in record: SnapshotRecord) -> [ClosedRange<Int64>?] {
  record.tables.map { (table: TableRoot) in
    let trunks = table.trunks.filter { (trunk: PageReference) in !trunk.isEmpty }
    guard let lowest = trunks.map(\.lowestSortKey).min(),
      let highest = trunks.map(\.highestSortKey).max()
    else { return nil }
    return lowest...highest
  }
}

/// Workers that do all work on the calling thread.
struct CallingThread: WorkerPool {
  var threadCount: Int { 1 }

  func map<Result: Sendable>(
    _ count: Int, _ piece: @Sendable (Int) -> Result
  ) -> [Result] {
    (0..<count).map(piece)
  }
}

/// Returns the hash of a state; every fold of one log gives the same one.
func hash<State: RecordedState>(of state: inout State) -> Digest {
  var writer = AvroWriter()
  return StateHasher.hash(&state, with: SHA256Hasher.self, &writer, on: CallingThread())
}

/// A visitor that counts the entities of all tables.
struct EntityCounter: TableVisitor {
  var count = 0

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) { count += table.count }
}

/// Returns the number of entities in all tables of a state.
func entityCount<State: RecordedState>(of state: State) -> Int {
  var state = state
  var counter = EntityCounter()
  state.visitTables(&counter)
  return counter.count
}

/// Returns the entities of a table whose sort key is in a range.
func entities<ID: EntityID, Entity: TableEntity>(
  of table: EntityTable<ID, Entity>, from lowest: Int64, through highest: Int64
) -> [Entity] {
  var found: [Entity] = []
  table.forEach(inSortKeys: lowest...highest) { _, entity in found.append(entity) }
  return found
}

/// Returns a text for a value that may not have arrived.
func text(of value: Loadable<String>) -> String {
  switch value {
  case .nothing: ""
  case .loading: "loading"
  case .loaded(let text): text
  case .failed(let reason): "not loaded: \(reason)"
  }
}

/// Returns when a break is over, and how long it has lasted.
func breakTime(
  from start: Moment, now: Moment, planned: ElapsedTime
) -> (end: Moment, lasted: ElapsedTime) {
  (start.adding(planned), now.elapsed(since: start))
}
