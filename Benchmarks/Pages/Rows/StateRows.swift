import Figures
import RetraceArchitecture
import RetraceAvro
import RetraceTestSupport

/// A state of a million entries, hashed once.
private final class HashedState {
  var state = PagesState()

  func prepare() {
    guard state.entries.isEmpty else { return }
    for entry in Input.entries(1_000_000) { state.entries.insert(entry) }
    _ = StateHasher.hash(&state, with: SHA256.self)
  }
}

/// Hashes after one action, and dispatch while every earlier state is kept.
func registerStateRows() {
  let holder = HashedState()
  let (count, hashes) = (1_000_000, 5_000)
  for (name, newest, most) in [
    ("state hash after one local action", 100, 6.0),
    ("state hash after one random action", count, 9.0),
  ] {
    figure(
      Row(
        name, input: "10^6 entries, \(grouped(hashes)) hashes, \(Input.seeds)",
        unit: .microseconds,
        limit: "SHA-256 of 4.5 kB: a leaf, a branch, a trunk and the root",
        target: .atMost(most)),
      setUp: holder.prepare
    ) {
      let ids = Input.ids(hashes, below: newest).map { count - 1 - $0 }
      let measured = timed { (UInt64(hashes), hashEach(&holder.state, ids)) }
      return Counted(
        Double(measured.nanoseconds) / Double(hashes) / 1e3, operations: UInt64(hashes),
        checksum: measured.checksum)
    }
  }

  figure(
    Row(
      "dispatch, every state kept, newest 1,000 ids",
      input: "10^6 entries, 20,000 actions encoded and reduced, 1,000 states kept, \(Input.seeds)",
      unit: .microseconds, limit: "copies of a leaf, a branch and a trunk: 6 kB",
      target: .atMost(4)),
    setUp: holder.prepare
  ) {
    let ids = Input.ids(20_000, below: 1_000).map { count - 1 - $0 }
    let fold = Fold<PagesApp>(state: holder.state, sequence: 1)
    let measured = timed { (UInt64(ids.count), dispatches(fold, ids)) }
    return Counted(
      Double(measured.nanoseconds) / Double(ids.count) / 1e3, operations: UInt64(ids.count),
      checksum: measured.checksum)
  }

  let tables = Tables(count)
  compare(
    Row(
      "mutate, every state kept, random ids",
      input: "10^6 entries, 20,000 changes, 1,000 states kept, \(Input.seeds)",
      unit: .microseconds, limit: "copies of a leaf, a branch, a trunk and the list of trunks"),
    setUp: tables.prepare,
    ours: { timed { (20_000, keptMutations(&tables.ours, tables.ids[..<20_000])) } },
    yardsticks: [
      Yardstick("plain radix", .timesYardstick(atMost: 1.25)) {
        timed { (20_000, keptMutations(&tables.radix, tables.ids[..<20_000])) }
      }
    ])
}

/// Changes entries and hashes the state after each change.
@inline(never)
private func hashEach(_ state: inout PagesState, _ ids: [Int]) -> UInt64 {
  var writer = AvroWriter(capacity: 4_096)
  var sum: UInt64 = 0
  for (index, id) in ids.enumerated() {
    _ = state.entries.close(id, Int64(index))
    sum &+= UInt64(hashAsStore(&state, &writer)[0])
  }
  return sum
}

/// Hashes as a store does, which is compiled before the app and knows no more than the protocols.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
private func hashAsStore<State: RecordedState>(
  _ state: inout State, _ writer: inout AvroWriter
) -> Digest {
  StateHasher.hash(&state, with: SHA256.self, &writer)
}

/// What a dispatch does but for the commit, while the last thousand states are kept.
@inline(never)
private func dispatches(_ start: Fold<PagesApp>, _ ids: [Int]) -> UInt64 {
  var fold = start
  var kept = [PagesState](repeating: fold.state, count: 1_000)
  var writer = AvroWriter(capacity: 1_024)
  let moment = Moment(microseconds: 0)
  var bytes = 0
  for (index, id) in ids.enumerated() {
    let action = PagesAction.close(EntryID(value: Int64(id)), duration: Int64(index))
    writer.removeAll()
    action.encode(into: &writer)
    bytes += writer.count
    _ = fold.apply(action, at: moment, sequence: fold.sequence + 1)
    kept[index % 1_000] = fold.state
  }
  return UInt64(bytes) &+ UInt64(fold.state.changes)
}
