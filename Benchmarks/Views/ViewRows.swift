import Figures
import Retrace
import RetraceRecording
import RetraceSystem
import Workload

/// The size of the tree: views of the store, and selectors below each.
private let (views, selectorsPerView) = (100, 10)
private let entries: Int64 = 10_000
private let sends = 4_000

/// Registers rows of a tree of views and selectors below a store, beside trees of others.
///
/// A view is the table of entries; a selector below it is the description of one entry. The
/// measured action changes a setting, which no view shows. What a tree adds is the time that a send
/// takes with the tree, less that without it, in turn.
func registerViewRows() {
  let input = "100 views, 1,000 selectors below them, 10,000 entries; an action changes a setting"
  compare(
    Row("tree of views, added to an unrelated action", input: input, unit: .microseconds),
    ours: { try added(by: viewTree) },
    yardsticks: [
      Yardstick(
        "closures over a published value", .timesYardstick(atMost: 0.25),
        round: { try added(by: closureTree) }),
      Yardstick(
        "OpenCombine 0.14", .fasterThanYardstick(atLeast: 5),
        round: { try added(by: combineTree) }),
    ])
  figure(
    Row(
      "comparisons of an unrelated action", input: input, unit: .counted("per action"),
      target: .atMost(100), rounds: 1)
  ) {
    Counted(Double(try counts().comparisons))
  }
  figure(
    Row(
      "mappings of an unrelated action", input: input, unit: .counted("per action"),
      target: .atMost(0), rounds: 1)
  ) {
    Counted(Double(try counts().mappings))
  }
}

/// A store with the entries.
private func openStore() throws -> Store<WorkloadApp> {
  let store = try Store<WorkloadApp>.inMemory()
  let draft = EntryDraft(of: "something that was done")
  try store.sendBlocking((0..<entries).map { _ in .timer(.started(draft)) })
  return store
}

/// Counts what observers were told.
final class Deliveries: Sendable {
  private let count = Lock<UInt64>(0)

  func add() { count.withLock { $0 += 1 } }

  var value: UInt64 { count.withLock { $0 } }
}

/// The entry that a selector shows.
func shownEntry(_ view: Int, _ selector: Int) -> EntryID {
  EntryID(value: Int64(view * 97 + selector * 7) % entries)
}

/// The number of views, and of selectors in each.
var treeSize: (views: Int, selectors: Int) { (views, selectorsPerView) }

/// Measures what a tree adds to sends.
///
/// - Parameter tree: Makes the tree of a store, which counts what it tells, and returns what keeps
///   it alive.
private func added(
  by tree: (Store<WorkloadApp>, Deliveries) -> [AnyObject]
) throws -> Measured {
  let (bare, observed) = (try openStore(), try openStore())
  // Both stores publish to one observer, so that what is added is the tree.
  let published = bare.observe { _ in }
  let deliveries = Deliveries()
  let kept = tree(observed, deliveries)
  var total: Int64 = 0
  let chunk = 100
  for _ in 0..<sends / chunk {
    let without = try timed { try send(chunk, to: bare) }
    let with = try timed { try send(chunk, to: observed) }
    total += with.nanoseconds - without.nanoseconds
  }
  // A related action reaches the selectors of one entry.
  try observed.sendBlocking([.timer(.split(shownEntry(0, 0), after: .zero))])
  withExtendedLifetime((kept, published)) {}
  let told = deliveries.value
  try bare.closeBlocking()
  try observed.closeBlocking()
  return Measured(nanoseconds: max(1, total), operations: UInt64(sends), checksum: told)
}

private func send(
  _ count: Int, to store: Store<WorkloadApp>
) throws -> (operations: UInt64, checksum: UInt64) {
  for _ in 0..<count { try store.sendBlocking([.settings(.roundingToggled)]) }
  return (UInt64(count), 0)
}

private func viewTree(_ store: Store<WorkloadApp>, _ deliveries: Deliveries) -> [AnyObject] {
  var kept: [AnyObject] = []
  for number in 0..<views {
    let view = store.view({ $0.timeline.entries }) { (action: WorkloadAction) in action }
    for selector in 0..<selectorsPerView {
      let id = shownEntry(number, selector)
      kept.append(view.select({ $0[id]?.revision }) { _ in deliveries.add() })
    }
  }
  return kept
}

/// A published value, and a list of closures that it calls.
private final class PublishedValue<Value: Sendable>: Sendable {
  private let closures: Lock<[@Sendable (Value) -> Void]> = Lock([])

  func observe(_ closure: @escaping @Sendable (Value) -> Void) {
    closures.withLock { $0.append(closure) }
  }

  func publish(_ value: Value) {
    let closures = closures.withLock { $0 }
    for closure in closures { closure(value) }
  }
}

private func closureTree(_ store: Store<WorkloadApp>, _ deliveries: Deliveries) -> [AnyObject] {
  let states = PublishedValue<WorkloadState>()
  var kept: [AnyObject] = [states]
  for number in 0..<views {
    let view = PublishedValue<EntityTable<EntryID, Entry>>()
    for selector in 0..<selectorsPerView {
      let id = shownEntry(number, selector)
      let last = Lock<Int64??>(nil)
      view.observe { table in
        let next = table[id]?.revision
        let isNew = last.withLock { last in
          defer { last = .some(next) }
          return last != .some(next)
        }
        if isNew { deliveries.add() }
      }
    }
    states.observe { view.publish($0.timeline.entries) }
    kept.append(view)
  }
  kept.append(store.observe { states.publish($0) })
  return kept
}

/// Counts the comparisons of inputs and the mappings of one unrelated action.
private func counts() throws -> (comparisons: Int, mappings: Int) {
  let store = try openStore()
  let comparisons = Lock(0)
  let mappings = Lock(0)
  func counting<State: Sendable, Input: Equatable & Sendable, Value: Sendable>(
    _ input: @escaping @Sendable (State) -> Input, _ map: @escaping @Sendable (Input) -> Value
  ) -> Selector<State, Value> {
    Selector(
      input,
      by: { old, new in
        comparisons.withLock { $0 += 1 }
        return old == new
      },
      map: { input in
        mappings.withLock { $0 += 1 }
        return map(input)
      })
  }
  var kept: [AnyObject] = []
  for number in 0..<views {
    let view = store.view(counting({ $0.timeline.entries }) { $0 }) {
      (action: WorkloadAction) in action
    }
    for selector in 0..<selectorsPerView {
      let id = shownEntry(number, selector)
      kept.append(view.select(counting({ $0[id] }) { $0?.revision }) { _ in })
    }
  }
  let before = (comparisons.withLock { $0 }, mappings.withLock { $0 })
  try store.sendBlocking([.settings(.roundingToggled)])
  let after = (comparisons.withLock { $0 }, mappings.withLock { $0 })
  withExtendedLifetime(kept) {}
  try store.closeBlocking()
  return (after.0 - before.0, after.1 - before.1)
}
