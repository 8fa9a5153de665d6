import RetraceArchitecture
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking

@testable import RetraceRecording

/// Random changes, undos, undos of single changes, restores and redos from two stores over one log,
/// compared with a model.
@Suite struct UndoPropertyTests {
  @Test func `every undone change and every value comes back, and undo leads to the start`() throws
  {
    try withSeed { random in
      var (operations, restored, checked) = (0, 0, 0)
      var round = 0
      while operations < repetitions(1_000_000, few: 10_000) {
        let run = try UndoRun(
          seed: random.next(), writers: UndoRun.Writers.allCases[round % 3],
          isTaking: round / 3 % 2 == 1)
        operations += try run.perform(100)
        if round / 6 % 2 == 0 {
          checked += try run.expectStart()
          restored += try run.expectAllRestored()
        } else {
          restored += try run.expectAllRestored()
          checked += try run.expectEveryValue()
        }
        try run.close()
        round += 1
      }
      print("\(operations) operations, \(restored) undone changes, \(checked) values")
      #expect(restored > 0 && checked > 0)
    }
  }
}

extension DomainState {
  /// The entities to which live entries, tasks and goals refer.
  fileprivate var used: Set<UnrestoredField> {
    var found: Set<UnrestoredField> = []
    func add(_ id: (some EntityID)?) {
      if let id { found.insert(UnrestoredField(id)) }
    }
    timeEntries.forEach { _, entry in
      guard entry.deleted == nil else { return }
      add(entry.user)
      add(entry.project)
      add(entry.task)
      for tag in entry.tags { add(tag) }
    }
    tasks.forEach { _, task in
      if task.deleted == nil { add(task.project) }
    }
    goals.forEach { _, goal in
      guard goal.deleted == nil else { return }
      add(goal.user)
      add(goal.project)
      add(goal.tag)
    }
    return found
  }
}

/// Two stores over one log in memory, as two processes have them, and the model of what they did.
private final class UndoRun {
  private typealias Domain = Store<DomainApp>

  /// The users of the two stores, and what they do.
  enum Writers: CaseIterable {
    /// Two users, of whom the second one only makes changes.
    case oneUndoing
    /// Two users who do everything.
    case twoUndoing
    /// One user in both.
    case oneUser
  }

  /// A change in effect, at the place where it was made or brought back.
  private struct Place {
    var sequence: UInt64
    var change: UInt64
    /// Whether an undo left fields as they were.
    var isRest = false
  }

  /// The changes of one user.
  private struct History {
    /// The changes in effect, as they were made or brought back.
    var places: [Place] = []
    /// The undos that redo takes back, oldest first.
    var redoable: [(undo: UInt64, change: UInt64)] = []
    /// The undone changes.
    var undone: Set<UInt64> = []
    /// All changes.
    var changes: [UInt64] = []
    /// The latest command about each change: itself, an undo or a redo.
    var latest: [UInt64: UInt64] = [:]
    /// The changes whose latest undo or redo left fields as they were.
    var left: Set<UInt64> = []
  }

  /// A value that a change gave a field, or took from it.
  private struct Value {
    var writer: Int
    var change: UInt64
    var field: Field
    var isAfter: Bool
    var text: String
  }

  /// A field of an entry.
  private struct Field: Hashable {
    enum Name: CaseIterable { case text, notes, live }

    var entry: TimeEntryID
    var name: Name

    func text(of entry: TimeEntry) -> String {
      switch name {
      case .text: entry.description
      case .notes: "\(entry.annotations)"
      case .live: "\(entry.deleted == nil)"
      }
    }
  }

  let writers: Writers
  private let isTaking: Bool
  private let seed: UInt64
  private var random: SeededGenerator
  private let storage: LogStorage
  /// The store that made the start; closing it would close the log.
  private let setup: Domain
  private let stores: [Domain]
  private var histories = [History(), History()]
  private var values: [Value] = []
  /// The values of the start, and those with which entries were created later.
  ///
  /// An entry of the first user was not live before.
  private var start: [Field: String] = [:]
  /// The values that another user than the first one set, also by undos and restores.
  private var others: [Field: Set<String>] = [:]
  /// The values of these that were set last.
  private var kept: [Field: String] = [:]
  /// The entries of which another user than the first one set any field, such as the project.
  private var keptEntries: Set<TimeEntryID> = []
  /// The entries of which values were taken: undoing everything does not lead them to the start.
  private var taken: Set<TimeEntryID> = []
  private var number = 0

  init(seed: UInt64, writers: Writers, isTaking: Bool) throws {
    self.seed = seed
    self.writers = writers
    self.isTaking = isTaking
    random = SeededGenerator(seed: seed)
    let storage = try LogStorage.inMemory()
    self.storage = storage
    let clock = Lock<Int64>(World.begin.microseconds)
    func open(_ login: String) throws -> Domain {
      var configuration = StoreConfiguration()
      configuration.origin.login = login
      configuration.clock = {
        let now = clock.withLock { now in
          now += 1_000_000
          return now
        }
        return Moment(microseconds: now)
      }
      return try Domain.open(over: storage, configuration: configuration)
    }
    setup = try open("setup")
    stores = [try open("anna"), try open(writers == .oneUser ? "anna" : "ben")]
    try setup.performBlocking(.user(.create(User(name: Name("user")))))
    for _ in 0..<3 { try setup.performBlocking(adding()) }
    for store in stores { try store.catchUpBlocking() }
    setup.state.timeEntries.forEach { id, entry in
      for name in Field.Name.allCases {
        let field = Field(entry: id, name: name)
        start[field] = field.text(of: entry)
      }
    }
  }

  func close() throws { try stores[0].closeBlocking() }

  /// Returns the number of the user of a store.
  private func user(_ writer: Int) -> Int { writers == .oneUser ? 0 : writer }

  private func text() -> String {
    number += 1
    return "text \(number)"
  }

  private func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  /// Returns one of two names.
  private func name(_ kind: String) -> Name { Name("\(kind) \(Bool.random(using: &random))") }

  private func adding() -> DomainCommand {
    let start = World.at(Double(number))
    var draft = TimeEntryDraft(
      user: .id(UserID(value: 0)), description: text(), zone: .utc)
    if chance(4) { draft.user = .name(name("guest")) }
    if chance(2) { draft.project = .name(name("project")) }
    if draft.project != nil, chance(3) { draft.task = .name(name("task")) }
    if chance(3) { draft.tags = [.name(name("tag"))] }
    return .entry(.add(draft, start: start, end: start.adding(.hours(1)), policy: .allow))
  }

  /// Returns the creation of a goal, or a new value of what entries refer to; `nil` if there is
  /// nothing to change.
  private func changingOthers(_ state: DomainState) -> DomainCommand? {
    let project = ProjectID(value: Int64.random(in: 0..<4, using: &random))
    let tag = TagID(value: Int64.random(in: 0..<4, using: &random))
    if chance(2) {
      var goal = Goal(name: Name(text()), user: UserID(value: 0), target: .seconds(60))
      goal.project = state.projects.live(project).map { _ in project }
      goal.tag = state.tags.live(tag).map { _ in tag }
      return .goal(.create(goal))
    }
    guard let before = state.projects.live(project) else { return nil }
    var after = before
    after.rate = Int64.random(in: 0..<9_000, using: &random)
    return .project(
      .change(project, ProjectChanges(from: before, to: after), reason: nil))
  }

  /// Returns a change of an entry.
  private func changing(_ state: DomainState) -> DomainCommand {
    if chance(8), let command = changingOthers(state) { return command }
    let count = state.timeEntries.nextID.value
    let id = TimeEntryID(value: Int64.random(in: 0..<count, using: &random))
    guard let entry = state.timeEntries[id] else { return adding() }
    if Int.random(in: 0..<6, using: &random) == 0 { return .entry(.delete(id, reason: nil)) }
    var after = entry
    if Bool.random(using: &random) { after.description = text() }
    if Int.random(in: 0..<3, using: &random) == 0 { after.annotations = [text()] }
    var correction = TimeEntryCorrection()
    correction.changes = TimeEntryChanges(from: entry, to: after)
    if chance(4) { correction.project = name("project") }
    if chance(6) { correction.addedTags = [name("tag")] }
    return .entry(.correct(id, correction, policy: .allow, rules: .latest, reason: nil))
  }

  /// Performs random operations, and returns their number.
  func perform(_ count: Int) throws -> Int {
    for _ in 0..<count {
      let writer = Int.random(in: 0..<2, using: &random)
      let isChange = writers == .oneUndoing && writer == 1
      let kind = isChange ? 0 : Int.random(in: 0..<12, using: &random)
      let history = histories[user(writer)]
      let takes = isTaking && Int.random(in: 0..<4, using: &random) == 0
      switch kind {
      case 6...7: try undo(writer)
      case 8:
        let changes = takes ? history.changes : history.places.map(\.change)
        guard let change = changes.randomElement(using: &random) else { continue }
        try undo(change, taking: takes, writer)
      case 9: try redo(writer)
      case 10...11:
        let changes = takes ? history.changes : history.undone.sorted()
        guard let change = changes.randomElement(using: &random) else { continue }
        try restore(change, taking: takes, writer)
      default: try change(writer)
      }
      let violations = DomainEntities.violations(of: stores[writer].state)
      #expect(violations.isEmpty, "seed \(seed): \(violations)")
    }
    return count
  }

  private func change(_ writer: Int) throws {
    let store = stores[writer]
    try store.catchUpBlocking()
    let isNew = Int.random(in: 0..<5, using: &random) == 0
    let command = isNew ? adding() : changing(store.state)
    let performed: Performed<DomainApp>
    do throws(CommandError<DomainApp>) {
      performed = try store.performBlocking(command)
    } catch {
      guard case .refused = error else { throw error }
      return
    }
    let edits = performed.facts.flatMap(\.undoableEdits)
    guard !edits.isEmpty else { return }
    let sequence = performed.receipt.sequences.lowerBound
    let user = user(writer)
    histories[user].places.append(Place(sequence: sequence, change: sequence))
    histories[user].changes.append(sequence)
    histories[user].latest[sequence] = sequence
    histories[user].redoable = []
    keep(edits, of: writer)
    for case .entry(let edit) in edits {
      func add(_ name: Field.Name, _ text: String, isAfter: Bool = true) {
        values.append(
          Value(
            writer: writer, change: sequence, field: Field(entry: edit.id, name: name),
            isAfter: isAfter, text: text))
      }
      switch edit {
      case .inserted(let id, let insertion):
        add(.text, insertion.entity.description)
        // A deleted entry keeps the values that it began with.
        for name in Field.Name.allCases {
          let field = Field(entry: id, name: name)
          start[field] = name == .live ? "\(user != 0)" : field.text(of: insertion.entity)
        }
      case .changed(_, let changes):
        if let description = changes.description {
          add(.text, description.before, isAfter: false)
          add(.text, description.after)
        }
        if let annotations = changes.annotations {
          add(.notes, "\(annotations.before)", isAfter: false)
          add(.notes, "\(annotations.after)")
        }
        if let deleted = changes.deleted {
          add(.live, "\(deleted.before == nil)", isAfter: false)
          add(.live, "\(deleted.after == nil)")
        }
      case .removed: break
      }
    }
  }

  /// Notes the values that another user than the first one set.
  private func keep(_ edits: [DomainEdit], of writer: Int) {
    guard user(writer) == 1 else { return }
    for case .entry(let edit) in edits {
      keptEntries.insert(edit.id)
      func set(_ name: Field.Name, _ text: String) {
        kept[Field(entry: edit.id, name: name)] = text
        others[Field(entry: edit.id, name: name), default: []].insert(text)
      }
      switch edit {
      case .inserted(_, let insertion):
        for name in Field.Name.allCases {
          set(name, Field(entry: edit.id, name: name).text(of: insertion.entity))
        }
      case .changed(_, let changes):
        if let change = changes.description { set(.text, change.after) }
        if let change = changes.annotations { set(.notes, "\(change.after)") }
        if let change = changes.deleted { set(.live, "\(change.after == nil)") }
      case .removed: set(.live, "false")
      }
    }
  }

  // MARK: Undo and redo

  /// Makes an undo or a redo, after a try that records none that changes nothing.
  private func make(_ wanted: WantedRestore, _ writer: Int) throws -> Performed<DomainApp>? {
    func make(recordsVoid: Bool) throws -> MadeRestore<DomainApp>? {
      try stores[writer].restoreBlocking(wanted, closing: false, recordsVoid: recordsVoid)
    }
    let last = try storage.head().sequence
    guard let tried = try make(recordsVoid: false) else { return nil }
    guard let rest = tried.rest else {
      let restored = tried.performed?.facts.first?.restoredEdits
      #expect(restored?.edits.isEmpty == false || restored?.unrestored == [], "seed \(seed)")
      return tried.performed
    }
    #expect(try tried.performed == nil && storage.head().sequence == last, "seed \(seed)")
    let performed = try make(recordsVoid: true)?.performed
    let restored = performed?.facts.first?.restoredEdits
    #expect(restored?.edits == [] && restored?.unrestored == rest, "seed \(seed)")
    return performed
  }

  /// Undoes the newest change, and returns whether there was one.
  @discardableResult
  private func undo(_ writer: Int) throws -> Bool {
    let performed = try make(.newest(isRedo: false, since: nil), writer)
    // A change that is undone in part is passed over while nothing more of it can be undone.
    var expected = histories[user(writer)].places
    while let last = expected.last, last.isRest, last.change != change(of: performed) {
      expected.removeLast()
    }
    #expect((performed == nil) == expected.isEmpty, "seed \(seed)")
    guard let performed, let place = expected.last else { return false }
    try note(performed, place.change, isRedo: false, taking: false, writer)
    return true
  }

  private func undo(_ change: UInt64, taking: Bool, _ writer: Int) throws {
    let history = histories[user(writer)]
    let place = history.places.last { $0.change == change }
    let performed = try make(.change(change, isRedo: false, taking: taking), writer)
    guard let performed else {
      let status = try stores[writer].statusBlocking(ofChange: change)
      if taking {
        #expect(status == .undone && !history.left.contains(change), "seed \(seed), \(change)")
      } else {
        #expect(place?.isRest == true && status == .undoneInPart, "seed \(seed), \(change)")
      }
      return
    }
    #expect(place != nil || taking && history.left.contains(change), "seed \(seed), \(change)")
    try note(performed, change, isRedo: false, taking: taking, writer)
  }

  private func change(of performed: Performed<DomainApp>?) -> UInt64? {
    performed?.facts.first?.restoredEdits?.links.change.map { UInt64(clamping: $0) }
  }

  private func redo(_ writer: Int) throws {
    let performed = try make(.newest(isRedo: true, since: nil), writer)
    let expected = histories[user(writer)].redoable.last
    #expect((performed == nil) == (expected == nil), "seed \(seed)")
    guard let performed, let expected else { return }
    let target = performed.facts.first?.restoredEdits?.links.target
    #expect(target == Int64(expected.undo), "seed \(seed)")
    try note(performed, expected.change, isRedo: true, taking: false, writer)
  }

  private func restore(_ change: UInt64, taking: Bool = false, _ writer: Int) throws {
    let history = histories[user(writer)]
    let isPossible = history.undone.contains(change) || taking && history.left.contains(change)
    let restored = try make(.change(change, isRedo: true, taking: taking), writer)
    #expect((restored != nil) == isPossible, "seed \(seed), \(change)")
    guard let restored else { return }
    try note(restored, change, isRedo: true, taking: taking, writer)
  }

  /// Compares an undo or a redo with the model, and notes it there.
  private func note(
    _ performed: Performed<DomainApp>, _ change: UInt64, isRedo: Bool, taking: Bool, _ writer: Int
  ) throws {
    let restored = try #require(performed.facts.first?.restoredEdits)
    let sequence = performed.receipt.sequences.lowerBound
    var history = histories[user(writer)]
    let target = try #require(history.latest[change])
    #expect(
      restored.links.target == Int64(target) && restored.links.change == Int64(change)
        && restored.links.isRedo == isRedo, "seed \(seed), \(sequence)")
    history.redoable.removeAll { $0.change == change }
    if isRedo {
      history.undone.remove(change)
      history.places.removeAll { $0.change == change }
      history.places.append(Place(sequence: sequence, change: change))
    } else {
      history.redoable.append((sequence, change))
      history.undone.insert(change)
      if try stores[writer].statusBlocking(ofChange: change) == .undoneInPart {
        #expect(!restored.unrestored.isEmpty, "seed \(seed), \(sequence)")
        let found = history.places.firstIndex { $0.change == change }
        let index = try #require(found, "seed \(seed), \(sequence)")
        history.places[index].isRest = true
      } else {
        history.places.removeAll { $0.change == change }
      }
    }
    history.latest[change] = sequence
    if restored.unrestored.isEmpty {
      history.left.remove(change)
    } else {
      history.left.insert(change)
    }
    histories[user(writer)] = history
    keep(restored.edits, of: writer)
    expectUnused(restored, writer)
    guard taking else { return }
    for case .entry(let edit) in restored.edits { taken.insert(edit.id) }
  }

  // MARK: What must hold

  /// Expects that no entry, task or goal refers to what an undo removed.
  private func expectUnused(_ restored: Restored<DomainEdit>, _ writer: Int) {
    let used = stores[writer].state.used
    let removed = restored.edits.compactMap { edit in
      switch edit {
      case .user(.removed(let id, _)): UnrestoredField(id)
      case .project(.removed(let id, _)): UnrestoredField(id)
      case .task(.removed(let id, _)): UnrestoredField(id)
      case .tag(.removed(let id, _)): UnrestoredField(id)
      default: nil
      }
    }
    #expect(used.isDisjoint(with: removed), "seed \(seed), \(removed)")
  }

  /// Brings back every undone change, and returns their number.
  func expectAllRestored() throws -> Int {
    var count = 0
    for user in 0..<(writers == .oneUser ? 1 : 2) {
      for change in histories[user].undone.sorted() {
        try restore(change, user)
        #expect(
          try stores[user].statusBlocking(ofChange: change) == .inEffect,
          "seed \(seed), \(change)")
        count += 1
      }
      for change in histories[user].changes {
        #expect(
          try stores[user].statusBlocking(ofChange: change) == .inEffect,
          "seed \(seed), \(change)")
      }
    }
    return count
  }

  /// Brings back every value that a field ever had, and returns their number.
  func expectEveryValue() throws -> Int {
    for value in values {
      let store = stores[value.writer]
      let isInEffect = try store.statusBlocking(ofChange: value.change) == .inEffect
      // The change may be in effect while its value was overwritten, or the other way round.
      if value.isAfter {
        if isInEffect { try store.undoBlocking(value.change, taking: true) }
        try store.restoreBlocking(value.change, taking: true)
      } else {
        if !isInEffect { try store.restoreBlocking(value.change, taking: true) }
        try store.undoBlocking(value.change, taking: true)
      }
      let entry = try #require(store.state.timeEntries[value.field.entry])
      #expect(value.field.text(of: entry) == value.text, "seed \(seed), \(value)")
    }
    return values.count
  }

  /// Undoes everything that the first user did, and returns the number of values that were
  /// compared.
  ///
  /// Then the entries are those of the start, but for what another user set. If another user undid
  /// changes, too, a field has the value of the start, or one that this user gave it. That can be
  /// a value of the first user, to which an undo has led.
  func expectStart() throws -> Int {
    var undos = 0
    let listed = try listed(isRedo: false)
    while try undo(writers == .oneUser ? undos % 2 : 0) { undos += 1 }
    #expect(undos == listed, "seed \(seed)")
    try expectNothingMore()
    var compared = 0
    let state = stores[0].state
    state.timeEntries.forEach { id, entry in
      guard !taken.contains(id) else { return }
      let isKept = keptEntries.contains(id)
      for name in Field.Name.allCases {
        let field = Field(entry: id, name: name)
        guard let begin = start[field] else {
          Issue.record("seed \(seed), \(field) has no value of the start")
          continue
        }
        let allowed: Set<String> =
          if writers == .oneUndoing, isKept {
            [kept[field] ?? (name == .live ? "true" : begin)]
          } else if name == .live {
            // The other user deletes entries by undos, and keeps them by other changes.
            [begin, kept[field] ?? (isKept ? "true" : begin)]
          } else {
            others[field, default: []].union([begin])
          }
        compared += 1
        #expect(allowed.contains(field.text(of: entry)), "seed \(seed), \(field), \(allowed)")
      }
    }
    return compared
  }

  /// Expects that more undos than there are change nothing, and that the redos of all are listed.
  private func expectNothingMore() throws {
    #expect(try listed(isRedo: false) == 0, "seed \(seed)")
    #expect(try listed(isRedo: true) == histories[0].redoable.count, "seed \(seed)")
    let last = try storage.head().sequence
    for store in stores.prefix(writers == .oneUser ? 2 : 1) {
      #expect(try store.undoBlocking() == nil, "seed \(seed)")
    }
    #expect(try storage.head().sequence == last, "seed \(seed)")
  }

  /// Returns the number of undos or redos that a preview lists for the first user.
  private func listed(isRedo: Bool) throws -> Int {
    try stores[0].catchUpBlocking()
    var (state, count) = (stores[0].state, 0)
    try storage.forEachRestore(
      of: DomainApp.self, by: "anna", isRedo: isRedo, since: nil,
      through: try storage.head().sequence, on: state
    ) { (restore) throws(StoreError) in
      let now = World.begin
      guard let facts = try? DomainDecider().decide(.restore(restore), on: state, at: now) else {
        return nil
      }
      for fact in facts { _ = DomainReducer().reduce(&state, fact, at: now) }
      count += 1
      return TriedRestore(restore, facts.first?.restoredEdits, state: state)
    }
    return count
  }
}
