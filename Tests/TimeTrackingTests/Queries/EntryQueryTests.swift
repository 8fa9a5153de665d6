import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// Pages of entries, words, gaps and overlaps.
@Suite struct EntryQueryTests {
  @Test func `pages have all entries of one user among many, each once, newest first`() throws {
    try withSeed { random in
      var desk = try ReportDesk()
      for number in 0..<3 {
        try desk.perform(.user(.create(User(name: Name("User \(number)")))))
      }
      let users = (0..<5).map { UserID(value: $0) }
      try RandomEntries(users: users, projects: [nil], tags: [])
        .insert(3_000, between: time(-90_000)..<time(90_000), into: &desk.state, &random)
      var wanted: [TimeEntryID] = []
      desk.state.timeEntries.forEach { id, entry in
        if entry.user == desk.ann, entry.deleted == nil { wanted.append(id) }
      }
      for _ in 0..<20 {
        var filter = EntryFilter()
        filter.users = [desk.ann]
        let limit = Int.random(in: 1...100, using: &random)
        let visits = Int.random(in: 1...900, using: &random)
        var (found, pages): ([TimeEntryID], Int) = ([], 0)
        var cursor: TimeEntryID?
        repeat {
          let page = desk.state.entries(filter, before: cursor, limit: limit, visits: visits)
          #expect(page.entries.count <= limit)
          #expect(page.entries.allSatisfy { desk.state.timeEntries[$0.id] == $0.entry })
          // A page that is short although there is more has looked at enough.
          if let next = page.next, page.entries.count < limit {
            let looked = (cursor ?? desk.state.timeEntries.nextID).value - next.value
            #expect(looked >= Int64(visits) && looked < Int64(visits) + 256)
          }
          found += page.entries.map(\.id)
          cursor = page.next
          pages += 1
        } while cursor != nil
        let isComplete = found == wanted.reversed()
        #expect(isComplete, "limit \(limit), visits \(visits)")
        #expect(pages <= 3_000 / 256 + 2 + wanted.count / limit)
      }
      let none = desk.state.entries(EntryFilter(), before: TimeEntryID(value: -4))
      #expect(none.entries.isEmpty && none.next == nil)
    }
  }

  @Test func `the latest entries are those that ended last, after the running ones`() throws {
    var desk = try ReportDesk()
    desk.now = time(600)
    let late = try desk.entry(from: time(10), to: time(500))
    let early = try desk.entry(from: time(20), to: time(30))
    let running = try desk.entry(from: time(550), to: nil)
    try desk.entry(from: time(540), to: time(560), of: desk.bob)
    #expect(desk.state.latestEntries(of: desk.ann, limit: 9).map(\.id) == [running, late, early])
    #expect(desk.state.latestEntries(of: desk.ann, limit: 2).map(\.id) == [running, late])
    #expect(desk.state.latestEntries(of: nil, limit: 9).count == 4)
  }

  @Test func `every word of a query has to occur, in any case of its letters`() {
    #expect(WordQuery("write LETTER").matches(["a Letter to be", "Write"]))
    #expect(!WordQuery("write letter").matches(["letter"]))
    #expect(WordQuery("").isEmpty && WordQuery(" \t\n").isEmpty && WordQuery("").matches([]))
    #expect(WordQuery("ÉTÉ").matches(["Un été"]))
    #expect(WordQuery("tt").matches(["attic"]) && !WordQuery("ttt").matches(["attic"]))
    #expect(!WordQuery("aab").matches(["aa"]) && WordQuery("aab").matches(["aaab"]))
    #expect(WordQuery("@anna").matches(["met @Anna"]) && !WordQuery("#1").matches(["1"]))
  }

  @Test func `letters that differ in case are equal, whatever their forms are`() {
    let sets = [
      ["Straße", "STRASSE", "strasse", "STRAẞE"],
      ["İstanbul", "istanbul", "ISTANBUL", "ıstanbul", "I\u{307}stanbul"],
      ["Όσος", "ΌΣΟΣ", "όσοσ"], ["ﬁn", "FIN", "fin"], ["ǅep", "ǆEP", "Ǆep"],
    ]
    for set in sets {
      for typed in set {
        for known in set {
          #expect(WordQuery(typed).matches(["the \(known)!"]), "\(typed) \(known)")
        }
      }
    }
    #expect(!WordQuery("strase").matches(["Straße"]) && !WordQuery("ß").matches(["s"]))
  }

  @Test func `a word is found in either form of its letters`() {
    let (one, two) = ("caf\u{E9}", "Cafe\u{301}")
    for (typed, known) in [(one, two), (two, one), (one, one), (two, two)] {
      #expect(WordQuery(typed).matches(["at the \(known) again"]))
      #expect(WordQuery("\(typed) the").matches(["the \(known)s"]))
      #expect(!WordQuery("\(typed)s").matches([known]) && !WordQuery(typed).matches(["cafe"]))
    }
    // A part of a character is found as it is written.
    #expect(WordQuery("cafe").matches([two]) && !WordQuery("cafe").matches([one]))
    #expect(WordQuery("\u{915}").matches(["\u{915}\u{93F}"]))
  }

  @Test func `gaps are the times without an entry until now, overlaps those with two`() throws {
    var desk = try ReportDesk()
    desk.now = time(600)
    let first = try desk.entry(from: time(-30), to: time(60))
    let second = try desk.entry(from: time(50), to: time(100))
    let third = try desk.entry(from: time(40), to: time(70))
    try desk.entry(from: time(110), to: time(110))
    try desk.entry(from: time(0), to: time(700), of: desk.bob)
    let running = try desk.entry(from: time(590), to: nil)
    desk.now = time(620)
    let day = time(0)..<time(minutesOfDay)
    func gaps(_ least: ElapsedTime = .zero) -> [Range<Moment>] {
      desk.state.gaps(in: day, of: desk.ann, at: desk.now, atLeast: least)
    }
    #expect(gaps() == [time(100)..<time(590)])
    #expect(gaps(minutes(491)).isEmpty)
    let overlaps = desk.state.overlaps(in: day, of: desk.ann, at: desk.now)
    #expect(overlaps.map(\.first) == [first, first, third])
    #expect(overlaps.map(\.second) == [third, second, second])
    #expect(
      overlaps.map(\.range)
        == [time(40)..<time(60), time(50)..<time(60), time(50)..<time(70)])
    try desk.perform(.entry(.stop(desk.ann, at: time(600), policy: .allow)))
    #expect(gaps() == [time(100)..<time(590), time(600)..<time(620)])
    try desk.perform(.entry(.delete(running, reason: nil)))
    #expect(gaps() == [time(100)..<time(620)])
    #expect(desk.state.gaps(in: time(700)..<time(800), of: desk.ann, at: desk.now).isEmpty)
  }

  @Test func `gaps and entries make up the range, and overlaps what the report says`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(200) {
        var desk = try ReportDesk()
        desk.now = time(5_000)
        try RandomEntries(users: [desk.ann], projects: [nil], tags: [])
          .insert(12, between: time(-3_000)..<time(6_000), into: &desk.state, &random)
        let range = time(0)..<time(4_000)
        let report = desk.report(range)
        let gaps = desk.state.gaps(in: range, of: desk.ann, at: desk.now)
        let free = gaps.reduce(ElapsedTime.zero) {
          $0.adding($1.upperBound.elapsed(since: $1.lowerBound))
        }
        #expect(
          free.adding(report.total.exact.time) == report.overlap.adding(minutes(4_000)))
        let overlaps = desk.state.overlaps(in: range, of: desk.ann, at: desk.now)
        #expect(overlaps.isEmpty == (report.overlap == .zero))
      }
    }
  }
}
