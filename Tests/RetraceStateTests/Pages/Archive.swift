import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceSystem
import RetraceFixtures
import Testing

/// Snapshots of an office as a store keeps them: pages, records, and lists of dead pages.
struct Archive {
  typealias Pages = MemoryPages<SHA256Hasher>

  /// A snapshot with what tests know about it.
  struct Snapshot {
    var stored: SnapshotRecord
    var dead: [PageKey]
    var office: Office
  }

  var pages = Pages()
  var snapshots: [Snapshot] = []

  /// Saves a copy of the office as the next snapshot and lets the live one adopt it.
  mutating func save(_ office: inout Office, at sequence: UInt64) {
    let (copy, save, stored) = prepare(office, at: sequence)
    commit(save, stored, office)
    StatePages.adopt(&office, from: copy)
  }

  /// Saves a copy without committing it.
  func prepare(
    _ office: Office, at sequence: UInt64
  ) -> (copy: Office, save: MemorySave, stored: SnapshotRecord) {
    var copy = office
    var save = MemorySave()
    let stored = StatePages.save(
      &copy, at: sequence, with: SHA256Hasher.self, into: &save)
    return (copy, save, stored)
  }

  mutating func commit(_ save: MemorySave, _ stored: SnapshotRecord, _ office: Office) {
    pages.commit(save)
    snapshots.append(Snapshot(stored: stored, dead: save.replacedKeys, office: office))
  }

  /// Opens a snapshot from its encoded record.
  func open(_ index: Int) throws -> Office {
    var writer = AvroWriter()
    snapshots[index].stored.encode(into: &writer)
    let bytes = writer.bytes
    var reader = AvroReader(bytes.span)
    let stored = try SnapshotRecord(decoding: &reader)
    try reader.finish()
    return try StatePages.open(Office.self, from: stored, source: pages)
  }

  /// The keys of the pages that a snapshot needs, by walking them.
  func needed(by index: Int) -> Set<PageKey> {
    var keys: Set<PageKey> = []
    snapshots[index].stored.forEachPage(in: pages) { key in
      #expect(keys.insert(key).inserted)
    }
    return keys
  }

  /// Checks that the lists of dead pages and the pages that are kept are exactly right.
  func checkLists() {
    let needed = snapshots.indices.map(needed)
    #expect(pages.firstError == nil)
    #expect(Set(pages.pages.keys) == needed.reduce([]) { $0.union($1) })
    for index in snapshots.indices.dropFirst() {
      let dead = snapshots[index].dead
      #expect(Set(dead).count == dead.count)
      #expect(Set(dead) == needed[index - 1].subtracting(needed[index]))
    }
    // A page is needed from its birth on, without a gap.
    for key in pages.pages.keys {
      let users = snapshots.indices.filter { needed[$0].contains(key) }
      guard let first = users.first, let last = users.last else { continue }
      #expect(users == Array(first...last))
      #expect(snapshots[first].stored.sequence >= key.birth)
      if first > 0 { #expect(snapshots[first - 1].stored.sequence < key.birth) }
    }
  }

  /// Takes a snapshot away by the lists of dead pages alone.
  ///
  /// A page that the next snapshot does not need any more goes with this one, unless an older
  /// snapshot that stays needs it: then it is the next one's to name.
  mutating func thin(_ index: Int) {
    let before = index > 0 ? snapshots[index - 1].stored.sequence : 0
    if index + 1 < snapshots.count {
      let dead = snapshots[index + 1].dead
      pages.delete(dead.filter { $0.birth > before })
      snapshots[index + 1].dead =
        snapshots[index].dead + dead.filter { $0.birth <= before }
    }
    snapshots.remove(at: index)
  }
}
