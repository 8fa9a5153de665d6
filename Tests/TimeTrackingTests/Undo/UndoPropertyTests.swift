import RetraceArchitecture
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking

@testable import RetraceRecording

/// Random changes, undos, undos of single changes, restores and redos of two users, compared with a
/// model.
@Suite struct UndoPropertyTests {
  @Test func `every undone change and every value comes back, and undo leads to the start`() throws
  {
    try withSeed { random in
      var (operations, restored, checked) = (0, 0, 0)
      var round = 0
      while operations < repetitions(1_000_000, few: 10_000) {
        // In every other round, one of the users only makes changes.
        let run = try UndoRun(seed: random.next(), isOneUndoing: round.isMultiple(of: 2))
        operations += try run.perform(100)
        if run.isOneUndoing {
          try run.expectStart()
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

/// Two users with a store each over one log in memory, and the model of what they did.
private final class UndoRun {
  private typealias Domain = Store<DomainApp>

  /// A change in effect, at the place where it was made or brought back.
  private struct Place {
    var sequence: UInt64
    var change: UInt64
    /// The latest undo, if it left fields as they were.
    var rest: UInt64?
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
  }

  /// A value that a change gave a field, or took from it.
  private struct Value {
    var user: Int
    var change: UInt64
    var entry: TimeEntryID
    var isAfter: Bool
    var text: String
  }

  /// A field of an entry.
  private struct FieldName: Hashable {
    var entry: TimeEntryID
    var name: String
  }

  let isOneUndoing: Bool
  private let seed: UInt64
  private var random: SeededGenerator
  /// The store that made the start; closing it would close the log.
  private let setup: Domain
  private let stores: [Domain]
  private var histories = [History(), History()]
  private var values: [Value] = []
  /// The values of the start, and those that the second user set last.
  private var kept: [FieldName: String] = [:]
  private var number = 0

  init(seed: UInt64, isOneUndoing: Bool) throws {
    self.seed = seed
    self.isOneUndoing = isOneUndoing
    random = SeededGenerator(seed: seed)
    let storage = try LogStorage.inMemory()
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
    stores = [try open("anna"), try open("ben")]
    try setup.performBlocking(.user(.create(User(name: Name("user")))))
    for _ in 0..<3 { try setup.performBlocking(adding()) }
    for store in stores { try store.catchUpBlocking() }
    setup.state.timeEntries.forEach { id, entry in note(id, entry, isStart: true) }
  }

  func close() throws { try stores[0].closeBlocking() }

  private func text() -> String {
    number += 1
    return "text \(number)"
  }

  private func adding() -> DomainCommand {
    let start = World.at(Double(number))
    let draft = TimeEntryDraft(
      user: .id(UserID(value: 0)), description: text(), zone: .utc)
    return .entry(.add(draft, start: start, end: start.adding(.hours(1)), policy: .allow))
  }

  /// Returns a change of an entry.
  private func changing(_ state: DomainState) -> DomainCommand {
    let count = state.timeEntries.nextID.value
    let id = TimeEntryID(value: Int64.random(in: 0..<count, using: &random))
    guard let entry = state.timeEntries[id] else { return adding() }
    if Int.random(in: 0..<6, using: &random) == 0 { return .entry(.delete(id, reason: nil)) }
    var after = entry
    if Bool.random(using: &random) { after.description = text() }
    if Int.random(in: 0..<3, using: &random) == 0 { after.annotations = [text()] }
    var correction = TimeEntryCorrection()
    correction.changes = TimeEntryChanges(from: entry, to: after)
    return .entry(.correct(id, correction, policy: .allow, rules: .latest, reason: nil))
  }

  /// Performs random operations, and returns their number.
  func perform(_ count: Int) throws -> Int {
    for _ in 0..<count {
      let user = Int.random(in: 0..<2, using: &random)
      let history = histories[user]
      let kind = isOneUndoing && user == 1 ? 0 : Int.random(in: 0..<12, using: &random)
      switch kind {
      case 6...7: try undo(user)
      case 8:
        guard let place = history.places.randomElement(using: &random) else { continue }
        try undo(place.change, user)
      case 9: try redo(user)
      case 10...11:
        guard let change = history.undone.sorted().randomElement(using: &random) else { continue }
        try restore(change, user)
      default: try change(user)
      }
      let violations = DomainEntities.violations(of: stores[user].state)
      #expect(violations.isEmpty, "seed \(seed): \(violations)")
    }
    return count
  }

  private func change(_ user: Int) throws {
    let store = stores[user]
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
    histories[user].places.append(Place(sequence: sequence, change: sequence))
    histories[user].changes.append(sequence)
    histories[user].redoable = []
    for case .entry(let edit) in edits {
      switch edit {
      case .inserted(let id, let insertion):
        add(insertion.entity.description, of: id, isAfter: true, sequence, user)
        if user == 1 { note(id, insertion.entity) }
      case .changed(let id, let changes):
        if let description = changes.description {
          add(description.before, of: id, isAfter: false, sequence, user)
          add(description.after, of: id, isAfter: true, sequence, user)
        }
        guard user == 1 else { break }
        if let change = changes.description {
          kept[FieldName(entry: id, name: "text")] = change.after
        }
        if let change = changes.annotations {
          kept[FieldName(entry: id, name: "notes")] = "\(change.after)"
        }
        if let change = changes.deleted {
          kept[FieldName(entry: id, name: "live")] = "\(change.after == nil)"
        }
      case .removed: break
      }
    }
  }

  private func add(
    _ text: String, of entry: TimeEntryID, isAfter: Bool, _ change: UInt64, _ user: Int
  ) {
    values.append(Value(user: user, change: change, entry: entry, isAfter: isAfter, text: text))
  }

  /// Notes the values of an entry as those that the undos of the first user have to leave.
  private func note(_ id: TimeEntryID, _ entry: TimeEntry, isStart: Bool = false) {
    kept[FieldName(entry: id, name: "text")] = entry.description
    kept[FieldName(entry: id, name: "notes")] = "\(entry.annotations)"
    kept[FieldName(entry: id, name: "live")] = "\(entry.deleted == nil)"
  }

  // MARK: Undo and redo

  private func undo(_ user: Int) throws {
    let performed = try stores[user].undoBlocking()
    // A change that is undone in part is passed over while nothing more of it can be undone.
    var expected = histories[user].places
    while let last = expected.last, last.rest != nil, last.change != change(of: performed) {
      expected.removeLast()
    }
    #expect((performed == nil) == expected.isEmpty, "seed \(seed)")
    guard let performed, let place = expected.last else { return }
    try noteUndo(performed, place, user)
  }

  private func undo(_ change: UInt64, _ user: Int) throws {
    let place = try #require(histories[user].places.last { $0.change == change })
    guard let performed = try stores[user].undoBlocking(change) else {
      let status = try stores[user].statusBlocking(ofChange: change)
      #expect(place.rest != nil && status == .undoneInPart, "seed \(seed), \(change)")
      return
    }
    try noteUndo(performed, place, user)
  }

  private func change(of performed: Performed<DomainApp>?) -> UInt64? {
    performed?.facts.first?.restoredEdits?.links.change.map { UInt64(clamping: $0) }
  }

  private func noteUndo(_ performed: Performed<DomainApp>, _ place: Place, _ user: Int) throws {
    let restored = try #require(performed.facts.first?.restoredEdits)
    let sequence = performed.receipt.sequences.lowerBound
    let target = place.rest ?? place.sequence
    #expect(
      restored.links.target == Int64(target) && restored.links.change == Int64(place.change)
        && !restored.links.isRedo, "seed \(seed), \(sequence)")
    var history = histories[user]
    history.redoable.removeAll { $0.undo == place.rest }
    history.redoable.append((sequence, place.change))
    history.undone.insert(place.change)
    let index = try #require(history.places.firstIndex { $0.sequence == place.sequence })
    if try stores[user].statusBlocking(ofChange: place.change) == .undoneInPart {
      #expect(!restored.unrestored.isEmpty, "seed \(seed), \(sequence)")
      history.places[index].rest = sequence
    } else {
      history.places.remove(at: index)
    }
    histories[user] = history
  }

  private func redo(_ user: Int) throws {
    let performed = try stores[user].redoBlocking()
    let expected = histories[user].redoable.last
    #expect((performed == nil) == (expected == nil), "seed \(seed)")
    guard let performed, let expected else { return }
    let links = try #require(performed.facts.first?.restoredEdits?.links)
    #expect(links.target == Int64(expected.undo) && links.isRedo, "seed \(seed)")
    noteRedo(performed, expected.change, user)
  }

  private func restore(_ change: UInt64, _ user: Int) throws {
    let restored = try stores[user].restoreBlocking(change)
    let performed = try #require(restored, "seed \(seed), \(change)")
    #expect(self.change(of: performed) == change, "seed \(seed)")
    noteRedo(performed, change, user)
  }

  private func noteRedo(_ performed: Performed<DomainApp>, _ change: UInt64, _ user: Int) {
    histories[user].places.removeAll { $0.change == change }
    histories[user].redoable.removeAll { $0.change == change }
    histories[user].undone.remove(change)
    histories[user].places.append(
      Place(sequence: performed.receipt.sequences.lowerBound, change: change))
  }

  // MARK: What must hold

  /// Brings back every undone change, and returns their number.
  func expectAllRestored() throws -> Int {
    var count = 0
    for user in 0..<2 {
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

  /// Brings back every value that a description ever had, and returns their number.
  func expectEveryValue() throws -> Int {
    for value in values {
      let store = stores[value.user]
      let isInEffect = try store.statusBlocking(ofChange: value.change) == .inEffect
      // The change may be in effect while its value was overwritten, or the other way round.
      if value.isAfter {
        if isInEffect { try store.undoBlocking(value.change, taking: true) }
        try store.restoreBlocking(value.change, taking: true)
      } else {
        if !isInEffect { try store.restoreBlocking(value.change, taking: true) }
        try store.undoBlocking(value.change, taking: true)
      }
      #expect(
        store.state.timeEntries[value.entry]?.description == value.text,
        "seed \(seed), \(value)")
    }
    return values.count
  }

  /// Undoes everything that the first user did.
  ///
  /// Then the entries are as they were at the start, but for what the second user set.
  func expectStart() throws {
    while try stores[0].undoBlocking() != nil {}
    stores[0].state.timeEntries.forEach { id, entry in
      let name = { FieldName(entry: id, name: $0) }
      guard kept[name("live")] != nil else {
        // Only the first user knew the entry, or the second one changed it.
        let isKept = kept[name("text")] != nil || kept[name("notes")] != nil
        #expect((entry.deleted == nil) == isKept, "seed \(seed), \(entry)")
        return
      }
      #expect("\(entry.deleted == nil)" == kept[name("live")], "seed \(seed), \(id)")
      if let text = kept[name("text")] { #expect(entry.description == text, "seed \(seed)") }
      if let notes = kept[name("notes")] {
        #expect("\(entry.annotations)" == notes, "seed \(seed)")
      }
    }
  }
}
