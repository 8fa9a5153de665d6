import RetraceArchitecture
import RetraceAvro
import RetraceHashing
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// The pages of ended entries are those of a sorted list.
struct EndedEntriesTests {
  @Test func `pages of ended entries show each entry once, however early a search stops`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(200, few: 30) {
        let desk = try Self.desk(&random)
        let sorted = Self.places(of: desk.ann, in: desk.state)
        let limit = Int.random(in: 1...20, using: &random)
        let visits = [0, 40, 20_000].randomElement(using: &random) ?? 0
        var (place, shown): (EntryPlace?, [EntryPlace]) = (nil, [])
        repeat {
          let page = desk.state.endedEntries(
            of: desk.ann, from: place, limit: limit, visits: visits)
          #expect(page.entries.count <= limit)
          shown += page.entries.compactMap { $0.place }
          if let next = page.next, let place { try #require(next < place) }
          place = page.next
        } while place != nil
        #expect(shown == sorted)
      }
    }
  }

  @Test func `the place of the entry some entries later is found, however early a search stops`()
    throws
  {
    try withSeed { random in
      for _ in 0..<repetitions(200, few: 30) {
        let desk = try Self.desk(&random)
        let sorted = Self.places(of: desk.ann, in: desk.state)
        let visits = [0, 40, 20_000].randomElement(using: &random) ?? 0
        let start = Int.random(in: sorted.indices, using: &random)
        #expect(desk.state.place(of: desk.ann, laterThan: sorted[0], by: 1) == nil)
        var place: EntryPlace? = sorted[start]
        var passed: [EntryPlace] = []
        while let from = place {
          place = desk.state.place(of: desk.ann, laterThan: from, by: 1, visits: visits)
          if let place {
            try #require(place > from)
            if place.id.value < .max { passed.append(place) }
          }
        }
        #expect(passed == sorted[..<start].reversed())
        let few = Int.random(in: 0...start, using: &random)
        if few > 0 {
          let later = desk.state.place(of: desk.ann, laterThan: sorted[start], by: few)
          #expect(later == sorted[start - few])
        }
      }
    }
  }

  /// A state with entries of two users, some of which end at the same time.
  private static func desk(_ random: inout SeededGenerator) throws -> ReportDesk {
    var desk = try ReportDesk()
    try RandomEntries(users: [desk.ann, desk.bob], projects: [nil], tags: [])
      .insert(300, between: time(-10_000)..<time(0), into: &desk.state, &random)
    var ends: [Moment] = []
    desk.state.timeEntries.forEach { _, entry in ends += entry.end.map { [$0] } ?? [] }
    for _ in 0..<100 {
      let id = TimeEntryID(value: Int64.random(in: 0..<300, using: &random))
      let end = ends.randomElement(using: &random) ?? time(0)
      _ = desk.state.timeEntries.modify(id) { entry in
        if entry.end != nil { (entry.start, entry.end) = (end, end) }
      }
    }
    // Only hashed nodes have known sort keys.
    var writer = AvroWriter()
    _ = desk.state.timeEntries.hash(with: SwiftHasher.self, &writer)
    return desk
  }

  /// The places of the visible ended entries of a user, the latest first.
  private static func places(of user: UserID, in state: DomainState) -> [EntryPlace] {
    var places: [EntryPlace] = []
    var visible = VisibleEntries(state)
    state.timeEntries.forEach { id, entry in
      if entry.user == user, let end = entry.end, visible.contains(entry) {
        places.append(EntryPlace(end: end, id: id))
      }
    }
    return places.sorted { $0 > $1 }
  }
}
