import RetraceAvro
import RetraceState
import RetraceTesting
import Testing

@testable import TimeTracking

/// Sums over entries.
@Suite struct EntryTotalsTests {
  @Test func `invisible entries do not count, and a running entry has no time yet`() throws {
    var desk = try ReportDesk()
    desk.now = time(600)
    let (old, new) = (try desk.project("old"), try desk.project("new"))
    try desk.entry(from: time(0), to: time(10), project: old)
    try desk.entry(from: time(10), to: time(30), project: new)
    try desk.entry(from: time(30), to: nil)
    try desk.entry(from: time(0), to: time(5), of: desk.bob)
    let deleted = try desk.entry(from: time(40), to: time(50), project: old)
    try desk.perform(.entry(.delete(deleted, reason: nil)))
    let run = desk.state.importRuns.nextID
    let row = ImportedRow(
      user: Name("Cid"), description: "", start: time(0), end: time(7), zone: .utc)
    try desk.perform(.importRun(.begin(source: Name("file"), file: "a.csv", digest: .zero)))
    try desk.perform(.importRun(.rows(run, ImportedRows(from: 0, [row]))))
    var expected = EntryTotals()
    expected.entries = 4
    expected.running = 1
    expected.time = minutes(35)
    expected.users = 2
    expected.projects = 2
    #expect(desk.state.totals() == expected)
    // Merged projects are one.
    try desk.perform(.project(.merge(old, into: new, reason: nil)))
    expected.projects = 1
    #expect(desk.state.totals() == expected)
    try desk.perform(.importRun(.finish(run)))
    expected.entries = 5
    expected.time = minutes(42)
    expected.users = 3
    #expect(desk.state.totals() == expected)
    expected = EntryTotals()
    expected.entries = 1
    expected.time = minutes(5)
    expected.users = 1
    #expect(desk.state.totals(of: [desk.bob]) == expected)
    #expect(desk.state.totals(of: [UserID(value: 7)]) == EntryTotals())
  }

  @Test func `the totals of users add up to those of all`() throws {
    try withSeed { random in
      var desk = try ReportDesk()
      let projects = [try desk.project("a"), try desk.project("b")]
      try RandomEntries(users: [desk.ann, desk.bob], projects: [nil] + projects, tags: [])
        .insert(2_000, between: time(-90_000)..<time(90_000), into: &desk.state, &random)
      var (count, running, microseconds) = (0, 0, Int64(0))
      desk.state.timeEntries.forEach { _, entry in
        guard entry.deleted == nil else { return }
        count += 1
        if let end = entry.end {
          // Both ends count as whole seconds.
          let seconds = end.microseconds / 1_000_000 - entry.start.microseconds / 1_000_000
          microseconds += seconds * 1_000_000
        } else {
          running += 1
        }
      }
      let all = desk.state.totals()
      #expect(all.entries == count && all.running == running)
      #expect(all.time.microseconds == microseconds && all.users == 2 && all.projects == 2)
      let (ann, bob) = (desk.state.totals(of: [desk.ann]), desk.state.totals(of: [desk.bob]))
      #expect(ann.entries + bob.entries == count && ann.users == 1 && bob.users == 1)
      #expect(ann.time.microseconds + bob.time.microseconds == microseconds)
    }
  }

  @Test func `a sum that is too large stops at the largest time`() throws {
    var desk = try ReportDesk()
    var entry = try ReportDesk.sampleEntry()
    entry.start = Moment(microseconds: 0)
    entry.end = Moment(microseconds: .max - 1)
    for _ in 0..<3 { desk.state.timeEntries.insert(entry) }
    #expect(desk.state.totals().time.microseconds == .max)
  }
}
