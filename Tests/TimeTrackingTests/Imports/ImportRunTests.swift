import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import Testing
import TimeTracking

/// Imports: many rows that become visible and invisible as one change.
@Suite struct ImportRunTests {
  private typealias Domain = Store<DomainApp>
  private let run = ImportRunID(value: 0)
  private let digest = Self.digest(1)

  private static func digest(_ byte: UInt8) -> Digest {
    Digest([UInt8](repeating: byte, count: 32).span) ?? .zero
  }

  private func rows(_ range: Range<Int>) -> ImportedRows {
    ImportedRows(
      from: Int64(range.lowerBound),
      range.map { number in
        var row = ImportedRow(
          id: "\(number)", user: Name("anna"), description: "row \(number)",
          start: World.at(Double(number)), end: World.at(Double(number) + 0.5), zone: .utc)
        row.client = Name("ada")
        row.project = Name("acme \(number % 3)")
        row.task = Name("design")
        row.tags = [Name("x"), Name("X"), Name("y")]
        return row
      })
  }

  private var configuration: StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.origin.login = "anna"
    return configuration
  }

  private func visible(_ state: DomainState) -> Int {
    var count = 0
    state.timeEntries.forEach { _, entry in count += state.isVisible(entry) ? 1 : 0 }
    return count
  }

  @Test func `the rows become visible when the import is finished, and are undone as one change`()
    throws
  {
    let store = try Domain.inMemory(configuration: configuration)
    try store.performBlocking(.user(.create(User(name: Name("anna")))))
    try store.performBlocking(
      .importRun(.begin(source: Name("toggl"), file: "a.csv", digest: digest)))
    for part in 0..<4 {
      try store.performBlocking(.importRun(.rows(run, rows(part * 10..<part * 10 + 10))))
      #expect(visible(store.state) == 0)
    }
    try store.performBlocking(.importRun(.finish(run)))
    #expect(visible(store.state) == 40 && store.state.projects.count == 3)
    #expect(store.state.tags.count == 2 && store.state.tasks.count == 3)
    #expect(store.state.users.count == 1 && store.state.clients.count == 1)
    try store.undoBlocking()
    #expect(visible(store.state) == 0)
    try store.redoBlocking()
    #expect(visible(store.state) == 40)
    try store.undoBlocking()
    // The next undo takes back the change before the import.
    try store.undoBlocking()
    #expect(store.state.users.live(UserID(value: 0)) == nil)
    #expect(try store.undoBlocking() == nil)
    #expect(DomainEntities.violations(of: store.state).isEmpty)
    try store.closeBlocking()
  }

  @Test func `an import goes on where it was interrupted, and takes no row twice`() throws {
    let store = try Domain.inMemory(configuration: configuration)
    let begin = DomainCommand.importRun(
      .begin(source: Name("toggl"), file: "a.csv", digest: digest))
    try store.performBlocking(begin)
    try store.performBlocking(.importRun(.rows(run, rows(0..<10))))
    try store.performBlocking(begin)
    #expect(store.state.importRuns.count == 1)
    #expect(store.state.openImport(of: SourceID(value: 0))?.run.rows == 10)
    for first in [0, 5, 11] {
      #expect(throws: CommandError<DomainApp>.self) {
        try store.performBlocking(.importRun(.rows(run, rows(first..<first + 10))))
      }
    }
    let other = Self.digest(5)
    #expect(throws: CommandError<DomainApp>.self) {
      try store.performBlocking(
        .importRun(.begin(source: Name("Toggl"), file: "b.csv", digest: other)))
    }
    try store.performBlocking(.importRun(.rows(run, rows(10..<20))))
    try store.performBlocking(.importRun(.finish(run)))
    #expect(visible(store.state) == 20)
    for command in [ImportCommand.rows(run, rows(20..<21)), .finish(run), .cancel(run)] {
      #expect(throws: CommandError<DomainApp>.self) {
        try store.performBlocking(.importRun(command))
      }
    }
    try store.closeBlocking()
  }

  @Test func `a cancelled import leaves nothing visible, and the source is free`() throws {
    let store = try Domain.inMemory(configuration: configuration)
    try store.performBlocking(
      .importRun(.begin(source: Name("toggl"), file: "a.csv", digest: digest)))
    try store.performBlocking(.importRun(.rows(run, rows(0..<10))))
    try store.performBlocking(.importRun(.cancel(run)))
    #expect(visible(store.state) == 0)
    let other = Self.digest(5)
    try store.performBlocking(
      .importRun(.begin(source: Name("toggl"), file: "b.csv", digest: other)))
    #expect(store.state.importRuns.count == 2)
    #expect(try store.undoBlocking() == nil)
    try store.closeBlocking()
  }

  @Test func `a file is imported once, also by a redo, and no redo runs a second entry`() throws {
    var world = World()
    let anna = try world.addUser()
    world.wait(hours: 9)
    let begin = DomainCommand.importRun(
      .begin(source: Name("toggl"), file: "a.csv", digest: digest))
    try world.perform(begin)
    try world.perform(.importRun(.rows(run, rows(0..<3))))
    let finish = try world.perform(.importRun(.finish(run))).flatMap(\.undoableEdits)
    #expect(throws: DomainRefusal.importRun(.alreadyImported(run))) { try world.perform(begin) }
    // The same file under another name, from another source.
    let copy = DomainCommand.importRun(
      .begin(source: Name("harvest"), file: "a (1).csv", digest: digest))
    #expect(throws: DomainRefusal.importRun(.alreadyImported(run))) { try world.perform(copy) }
    func restore(_ edits: [DomainEdit]) throws {
      let links = RestoreLinks(target: 0, isRedo: false, nextUndo: nil, nextRedo: nil)
      try world.perform(
        .restore(
          Restore(links: links, expectedCount: world.state.undoableFacts, edits: edits)))
    }
    var correction = TimeEntryCorrection()
    correction.changes.end = Change(from: World.at(2.5), to: nil)
    try world.perform(
      .entry(.correct(TimeEntryID(value: 2), correction, policy: .refuse, reason: nil)))
    try restore(finish.map(\.inverted))
    try world.start("mine", anna)
    try restore(finish)
    #expect(world.entries == ["mine 9.0-now"])
    #expect(DomainEntities.violations(of: world.state).isEmpty)
    // Imported again meanwhile, the file is not made visible twice.
    try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
    try world.perform(begin)
    try world.perform(.importRun(.rows(ImportRunID(value: 1), rows(0..<3))))
    try world.perform(.importRun(.finish(ImportRunID(value: 1))))
    try restore(finish)
    #expect(world.entries.count == 4)
  }

  @Test func `a hidden entry does not take the time of others`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.perform(.importRun(.begin(source: Name("toggl"), file: "a.csv", digest: digest)))
    try world.perform(.importRun(.rows(run, rows(0..<3))))
    world.wait(hours: 9)
    try world.add("mine", anna, 0, 1)
    #expect(world.entries == ["mine 0.0-1.0"])
  }
}
