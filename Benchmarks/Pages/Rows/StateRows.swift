import Figures
import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceSystem

/// A state of a million entries, hashed once.
private final class HashedState {
  var state = PagesState()

  func prepare() {
    guard state.entries.isEmpty else { return }
    for entry in Input.entries(1_000_000) { state.entries.insert(entry) }
    _ = StateHasher.hash(&state, with: SHA256.self)
  }
}

/// Registers rows of hashes after one action, and of dispatch while every earlier state is kept.
func registerStateRows() {
  let holder = HashedState()
  let (count, hashes) = (1_000_000, 5_000)
  let newest = Input.ids(20_000, below: 1_000).map { count - 1 - $0 }
  for (name, newest, most) in [
    ("state hash after one local action", 100, 2.7),
    ("state hash after one random action", count, 2.9),
  ] {
    let ids = Input.ids(hashes, below: newest).map { count - 1 - $0 }
    var sizes: [Int] = []
    compare(
      Row(
        name, input: "10^6 entries, \(grouped(hashes)) hashes, \(Input.seeds)",
        unit: .microseconds, limit: "SHA-256 of a leaf, a branch, a trunk and the root"),
      setUp: {
        holder.prepare()
        sizes = ids.flatMap { hashedBytes(of: $0, in: holder.state.entries, count: count) }
      },
      ours: { timed { (hashEach(&holder.state, ids), 0) } },
      yardsticks: [
        Yardstick("SHA-256 of as many bytes", .timesYardstick(atMost: most)) {
          timed { (hashBytes(sizes, hashes: hashes), 0) }
        }
      ])
  }

  let tables = Tables(count)
  compare(
    Row(
      "dispatch, every old state retained, newest 1,000 ids",
      input: "10^6 entries, 20,000 actions encoded and reduced, 1,000 states kept, \(Input.seeds)",
      unit: .microseconds, limit: "copies of a leaf, a branch and a trunk: 6 kB"),
    setUp: {
      holder.prepare()
      tables.prepare()
    },
    ours: {
      let fold = Fold<PagesApp>(state: holder.state, sequence: 1)
      var entries = Entries()
      var measured = timed {
        entries = dispatches(fold, newest)
        return (UInt64(newest.count), 0)
      }
      measured.checksum = durations(&entries, newest)
      return measured
    },
    yardsticks: [
      // Changes the same entries; no actions, no encoding, no reducer.
      Yardstick("plain radix", .timesYardstick(atMost: 1.8)) {
        var entries = tables.radix
        var measured = timed { (UInt64(newest.count), keptMutations(&entries, newest[...])) }
        measured.checksum = durations(&entries, newest)
        return measured
      }
    ])

  compare(
    Row(
      "mutate, every old state retained, random ids",
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
///
/// - Returns: The number of hashes.
@inline(never)
private func hashEach(_ state: inout PagesState, _ ids: [Int]) -> UInt64 {
  var writer = AvroWriter(capacity: 4_096)
  var sum: UInt64 = 0
  for (index, id) in ids.enumerated() {
    _ = state.entries.close(id, Int64(index))
    sum &+= UInt64(hashAsStore(&state, &writer)[0])
  }
  precondition(sum > 0)
  return UInt64(ids.count)
}

/// Hashes as a store does: its code is compiled before the app and knows only the protocols.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
private func hashAsStore<State: RecordedState>(
  _ state: inout State, _ writer: inout AvroWriter
) -> Digest {
  StateHasher.hash(&state, with: SHA256.self, &writer)
}

/// The bytes of each message that is hashed after a change of an entry: the page of its leaf, the
/// nodes above, the node above the trunks, and the state.
private func hashedBytes(of id: Int, in entries: Entries, count: Int) -> [Int] {
  func children(_ span: Int) -> Int {
    let first = id / (span * 32) * span * 32
    return min(32, (count - first + span - 1) / span)
  }
  let first = id / 32 * 32
  let leaf = (first..<min(first + 32, count)).compactMap { entries[EntryID(value: Int64($0))] }
  var writer = AvroWriter(capacity: 4_096)
  leaf.encode(into: &writer)
  let nodes = [children(32), children(1_024), children(32_768)].map { 5 + $0 * 48 }
  // The state's message: a tag, two scalars, and the table's number, next id and hash.
  return [5 + writer.count] + nodes + [1 + 8 + 41]
}

/// Hashes messages of the given sizes with the hash function of stores.
///
/// - Returns: The number of state hashes that they stand for.
@inline(never)
private func hashBytes(_ sizes: [Int], hashes: Int) -> UInt64 {
  let bytes = [UInt8](repeating: 1, count: 65_536)
  var sum: UInt64 = 0
  for size in sizes {
    var hasher = SHA256()
    hasher.update(bytes.span.extracting(0..<size))
    sum &+= UInt64(hasher.digest()[0])
  }
  precondition(sum > 0)
  return UInt64(hashes)
}

/// Returns the sum of the durations of entries, and sets them to 0.
private func durations(_ table: inout some EntryHolder, _ ids: [Int]) -> UInt64 {
  ids.reduce(0) { $0 &+ UInt64(bitPattern: table.close($1, 0) ?? 0) }
}

/// Does all of a dispatch except the commit, and keeps the last thousand states.
///
/// - Returns: The entries after the last dispatch.
@inline(never)
private func dispatches(_ start: Fold<PagesApp>, _ ids: [Int]) -> Entries {
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
  precondition(bytes > ids.count && fold.state.changes >= ids.count)
  return fold.state.entries
}
