import RetraceArchitecture
import RetraceAvro
import RetracePlatform
import RetraceTestSupport

/// Snapshots of an office as a store keeps them: pages, records, and lists of dead pages.
struct Archive {
  typealias Pages = MemoryPages<SHA256Hasher>

  /// A snapshot with what tests know about it.
  struct Snapshot {
    var stored: StoredState
    var dead: [PageKey]
    var office: Office
  }

  var pages = Pages()
  var snapshots: [Snapshot] = []
  /// What every page ever put, by its key, is needed by according to the lists.
  var everPut: Set<PageKey> = []

  /// Saves a copy of the office as the next snapshot and lets the live one adopt it.
  mutating func save(_ office: inout Office, at sequence: UInt64) {
    let (copy, save, stored) = prepare(office, at: sequence)
    commit(save, stored, office)
    StatePages.adopt(&office, from: copy)
  }

  /// Saves a copy without committing it.
  func prepare(
    _ office: Office, at sequence: UInt64
  ) -> (copy: Office, save: MemorySave, stored: StoredState) {
    var copy = office
    var save = MemorySave()
    let stored = StatePages.save(
      &copy, at: sequence, with: SHA256Hasher.self, into: &save)
    return (copy, save, stored)
  }

  mutating func commit(_ save: MemorySave, _ stored: StoredState, _ office: Office) {
    pages.commit(save)
    everPut.formUnion(save.pages.map(\.key))
    snapshots.append(Snapshot(stored: stored, dead: save.deadKeys, office: office))
  }

  /// Opens a snapshot from its encoded record.
  func open(_ index: Int) throws -> Office {
    var writer = AvroWriter()
    snapshots[index].stored.encode(into: &writer)
    let bytes = writer.bytes
    var reader = AvroReader(bytes.span)
    let stored = try StoredState(decoding: &reader)
    try reader.finish()
    return try StatePages.open(Office.self, from: stored, source: pages)
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
