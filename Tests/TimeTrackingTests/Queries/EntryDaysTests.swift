import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceHashing
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport

/// The days of a user are those of a report and of a sorted list of all entries.
@Suite struct EntryDaysTests {
  @Test(.enabled(if: ZoneFiles.exist))
  func `the time of each day is that of its report, in every zone [M8]`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(2_000, few: 40) {
        let sample = try DaysSample(&random)
        var days = sample.days
        // In any order, so that some days are read before and some after the next one.
        for date in sample.dates.shuffled(using: &random) {
          let day = days.day(date)
          let range = sample.calendar.range(of: date)
          #expect(day.date == date && day.range == range)
          #expect(day.time == sample.reportedTime(of: range), "\(sample.calendar.rules.id) \(date)")
          #expect(day.entries == sample.entries(of: date))
          #expect(day == days.day(date))
        }
        let (first, last) = (sample.dates[0], sample.dates[sample.dates.count - 1])
        let range = sample.calendar.range(of: first..<last)
        #expect(days.time(of: first..<last) == sample.reportedTime(of: range))
      }
    }
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `each day with entries is found once, however early a search stops [M8]`() throws {
    try withSeed { random in
      var stops = 0
      for _ in 0..<repetitions(2_000, few: 60) {
        let sample = try DaysSample(others: 150, &random)
        let wanted = sample.datesWithEntries
        let limit = [0, 20, 20_000].randomElement(using: &random) ?? 0
        var walk = DaysWalk(sample.days, visiting: limit)
        #expect(try walk.dates(before: sample.end) == wanted.reversed())
        // What was found is kept.
        #expect(try walk.dates(before: sample.end) == wanted.reversed())
        var fresh = DaysWalk(sample.days, visiting: limit)
        #expect(try fresh.dates(from: sample.start) == wanted)
        stops += walk.stops + fresh.stops
      }
      #expect(stops > 0)
    }
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `the list has each entry once, down and up, however early a search stops [M8]`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(2_000, few: 40) {
        let sample = try DaysSample(others: 150, &random)
        let wanted = sample.datesWithEntries.reversed().flatMap { sample.entries(of: $0) }
        let limit = [0, 20, 20_000].randomElement(using: &random) ?? 0
        var walk = DaysWalk(sample.days, visiting: limit)
        #expect(try walk.list() == wanted.compactMap(\.place))
        guard let last = wanted.last?.place else { continue }
        var fresh = DaysWalk(sample.days, visiting: limit)
        #expect(try fresh.list(newerThan: last) == wanted.dropLast().reversed().compactMap(\.place))
        // From the place of any entry, also of one that is not in the list any more.
        for number in 0..<sample.state.timeEntries.nextID.value {
          let id = TimeEntryID(value: number)
          guard let entry = sample.state.timeEntries[id], let end = entry.end else { continue }
          let key = (sample.calendar.day(at: entry.start), EntryPlace(end: end, id: id))
          func isLater(_ other: IdentifiedEntry) -> Bool {
            guard let place = other.place else { return true }
            return (sample.calendar.day(at: other.entry.start), place) > key
          }
          var visits = 20_000
          let found = walk.days.entry(at: key.1, visits: &visits)
          let first = wanted.first { !isLater($0) }
          #expect(first == found.value?.entry, "\(number)")
          let hasLater = wanted.contains(where: isLater)
          #expect(walk.days.mayHaveEntry(newerThan: key.1, visits: 20_000) == hasLater)
        }
      }
    }
  }

  @Test func `days that follow a state are those that are read from it`() {
    withSeed { random in
      var world = World()
      var commands = RandomCommands(seed: random.next())
      let calendar = ReportCalendar(.utc, dayStart: .seconds(4 * 3_600))
      var following: [EntryDays] = []
      for number in 0..<repetitions(5_000, few: 400) {
        _ = try? world.perform(commands.next(on: world.state, at: world.now))
        world.wait(hours: Double.random(in: 0...2, using: &random))
        if number % 7 == 0 {
          // Only hashed nodes are known to be equal.
          var writer = AvroWriter()
          _ = world.state.timeEntries.hash(with: SwiftHasher.self, &writer)
        }
        for user in 0..<min(3, world.state.users.nextID.value) {
          if user == following.count {
            following.append(EntryDays(of: UserID(value: user), in: calendar, world.state))
          }
          following[Int(user)].follow(world.state)
          var fresh = EntryDays(of: UserID(value: user), in: calendar, world.state)
          let today = calendar.day(at: world.now)
          for _ in 0..<3 {
            let date = today.adding(days: Int.random(in: -4...1, using: &random))
            #expect(following[Int(user)].day(date) == fresh.day(date), "command \(number)")
          }
          var (visits, others) = (20_000, 20_000)
          let end = calendar.start(of: today.adding(days: Int.random(in: -2...1, using: &random)))
          let found = following[Int(user)].day(before: end, visits: &visits)
          #expect(found == fresh.day(before: end, visits: &others), "command \(number)")
        }
      }
    }
  }

  @Test func `an import that is taken back leaves the days`() throws {
    var desk = try ReportDesk()
    desk.now = time(9_000)
    let id = try desk.entry(from: time(0), to: time(60))
    let run = desk.state.importRuns.insert(DaysSample.importRun(isActive: true))
    _ = desk.state.timeEntries.modify(id) { $0.importRun = run }
    let calendar = ReportCalendar(.utc)
    let date = calendar.day(at: time(0))
    var days = EntryDays(of: desk.ann, in: calendar, desk.state)
    #expect(days.day(date).time == minutes(60))
    _ = desk.state.importRuns.modify(run) { $0.isActive = false }
    days.follow(desk.state)
    #expect(days.day(date).time == .zero && days.day(date).entries.isEmpty)
  }

  // MARK: Reads

  @Test func `what is kept is not read again, and an older day reads its own leaves`() throws {
    let sample = try StoredDays(days: 40, entriesOfDay: 32)
    var days = sample.days
    /// Returns the number of pages that are read for the newest days.
    func reads(_ count: Int) throws -> Int {
      sample.pages.forgetReads()
      var end = sample.end
      for _ in 0..<count {
        var visits = 20_000
        guard case .found(let day) = days.day(before: end, visits: &visits) else { break }
        end = day.range.lowerBound
      }
      return sample.pages.reads.count
    }
    #expect(try reads(3) > 0)
    #expect(try reads(3) == 0)
    days.follow(sample.state)
    #expect(try reads(3) == 0)
    // The leaf of the day and the two nodes above it, to find the day and to read it.
    #expect(try reads(4) <= 6)
    #expect(sample.pages.firstError == nil)
  }

  @Test func `days that were not asked for are forgotten once there are many entries`() throws {
    let sample = try StoredDays(days: 80, entriesOfDay: 64)
    var walk = DaysWalk(sample.days, visiting: 20_000)
    #expect(try walk.dates(before: sample.end).count == 80)
    var days = walk.days
    days.follow(sample.state)
    let newest = sample.calendar.day(at: sample.end).adding(days: -1)
    _ = days.day(newest)
    days.follow(sample.state)
    sample.pages.forgetReads()
    _ = days.day(newest)
    #expect(sample.pages.reads.isEmpty)
    _ = days.day(newest.adding(days: -1))
    #expect(!sample.pages.reads.isEmpty)
  }
}

/// A walk over all days with entries.
private struct DaysWalk {
  var days: EntryDays
  /// The number of entries after which each search stops.
  let limit: Int
  /// The number of searches that stopped early.
  var stops = 0

  init(_ days: EntryDays, visiting limit: Int) { (self.days, self.limit) = (days, limit) }

  /// Returns the dates before a moment, the latest first.
  mutating func dates(before moment: Moment) throws -> [CivilDate] {
    var (dates, end): ([CivilDate], Moment) = ([], moment)
    while true {
      var visits = limit
      switch days.day(before: end, visits: &visits) {
      case .none: return dates
      case .stopped(let rest):
        try #require(rest < end)
        end = rest
        stops += 1
      case .found(let day):
        dates.append(day.date)
        end = day.range.lowerBound
      }
    }
  }

  /// Returns the places of the whole list.
  mutating func list() throws -> [EntryPlace] {
    var (places, rest): ([EntryPlace], EntryPlace?) = ([], nil)
    var visits = limit
    var next = days.entry(at: nil, visits: &visits)
    while next != .none {
      visits = limit
      switch next {
      case .none: break
      case .found(let entry):
        places.append(entry.place)
        next = days.entry(olderThan: entry, visits: &visits)
      case .stopped(let moment):
        let place = EntryPlace(rest: moment)
        try #require(place.rest == moment && rest.map { place < $0 } ?? true)
        rest = place
        next = days.entry(at: place, visits: &visits)
      }
    }
    return places
  }

  /// Returns the places of the list before a place, the last one first.
  mutating func list(newerThan place: EntryPlace) throws -> [EntryPlace] {
    var (places, place, rest): ([EntryPlace], EntryPlace, Moment?) = ([], place, nil)
    while true {
      var visits = limit
      switch days.entry(newerThan: place, rest: rest, visits: &visits) {
      case .none: return places
      case .found(let entry):
        places.append(entry.place)
        (place, rest) = (entry.place, nil)
      case .stopped(let moment):
        try #require(rest.map { moment > $0 } ?? true)
        rest = moment
      }
    }
  }

  /// Returns the dates from a moment on, the earliest first.
  mutating func dates(from moment: Moment) throws -> [CivilDate] {
    var (dates, start, rest): ([CivilDate], Moment, Moment?) = ([], moment, nil)
    while true {
      var visits = limit
      switch days.day(from: start, rest: rest, visits: &visits) {
      case .none: return dates
      case .stopped(let next):
        try #require(next > rest ?? start)
        rest = next
        stops += 1
      case .found(let day):
        dates.append(day.date)
        (start, rest) = (day.range.upperBound, nil)
      }
    }
  }
}

extension BoundedSearch {
  /// What was found.
  fileprivate var value: Result? { if case .found(let value) = self { value } else { nil } }
}
