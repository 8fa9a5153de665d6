import RetraceArchitecture
import RetraceFixtures
import RetraceLog
import RetraceRandom
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem

/// One of several processes that change a kiosk, undo their changes and bring them back.
///
/// | line | what it does |
/// |---|---|
/// | `change N` | makes N random changes; answers `done N` |
/// | `run N` | performs N random changes, undos, restores and redos; answers `done N` |
/// | `take N` | the same, and some of them take values; answers `done N` |
/// | `undo` | undoes everything; answers `undone N` |
/// | `restore` | brings back every undone change of this process; answers `restored N` |
/// | `values` | takes back every value that a change set or replaced; answers `taken N` |
/// | `items` | answers `ID FIELD VALUE` for each field of each item, a line each; then `end` |
/// | `kept` | answers, as `items` does, the value that this process last gave to each field |
///
/// The program ends with an error if a change is not undone after its undo, cannot be brought back,
/// or does not get a value that it had.
struct UndoWorker {
  private struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// A value that a change gave a field, or took from it.
  private struct Value {
    var change: UInt64
    var field: Field
    var isAfter: Bool
    var text: String
  }

  private struct Field: Hashable {
    var item: KioskItemID
    var name: String
  }

  private let store: Store<KioskApp>
  private let login: String
  private let seed: UInt64
  /// Whether no other process has the login name, so that only this one undoes its changes.
  private let isAlone: Bool
  private var random: SeededGenerator
  private var number = 0
  private var changes: [UInt64] = []
  private var undone: Set<UInt64> = []
  private var values: [Value] = []
  private var kept: [Field: String] = [:]

  init(path: String, login: String, seed: UInt64, isAlone: Bool) throws {
    (self.login, self.seed, self.isAlone) = (login, seed, isAlone)
    random = SeededGenerator(seed: seed)
    var configuration = StoreConfiguration()
    configuration.origin.login = login
    store = try Store<KioskApp>.openBlocking(at: path, configuration: configuration)
  }

  consuming func run() throws {
    Answer.line("open")
    while let line = try Line.next() {
      switch line.word {
      case "change":
        for _ in 0..<(try line.count()) { try change() }
        Answer.line("done \(line.rest)")
      case "run", "take":
        for _ in 0..<(try line.count()) { try operate(mayTake: line.word == "take") }
        Answer.line("done \(line.rest)")
      case "undo":
        var count = 0
        while let performed = try store.undoBlocking() {
          try note(performed, isRedo: false)
          count += 1
        }
        Answer.line("undone \(count)")
      case "restore":
        let undone = self.undone.sorted()
        for change in undone { try restore(change, isRedo: true, taking: false) }
        Answer.line("restored \(undone.count)")
      case "values":
        for value in values { try take(value) }
        Answer.line("taken \(values.count)")
      case "items":
        try store.catchUpBlocking()
        store.state.items.forEach { id, item in
          for (name, text) in Self.texts(of: item) { Answer.line("\(id.value) \(name) \(text)") }
        }
        Answer.line("end")
      case "kept":
        for (field, text) in kept { Answer.line("\(field.item.value) \(field.name) \(text)") }
        Answer.line("end")
      default: throw LineError(line: line.word)
      }
    }
    try store.closeBlocking()
  }

  private static func texts(of item: KioskItem) -> [(name: String, text: String)] {
    [("name", item.name), ("stock", "\(item.stock)"), ("price", "\(item.price)")]
  }

  private func require(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
    if !isTrue { throw Failure(description: "\(login), seed \(seed): \(what())") }
  }

  // MARK: Changes

  private mutating func operate(mayTake: Bool) throws {
    let takes = mayTake && Int.random(in: 0..<4, using: &random) == 0
    switch Int.random(in: 0..<12, using: &random) {
    case 6...7:
      if let performed = try store.undoBlocking() { try note(performed, isRedo: false) }
    case 8:
      guard let change = changes.randomElement(using: &random) else { return }
      try restore(change, isRedo: false, taking: takes)
    case 9:
      if let performed = try store.redoBlocking() { try note(performed, isRedo: true) }
    case 10...11:
      guard let change = changes.randomElement(using: &random) else { return }
      try restore(change, isRedo: true, taking: takes)
    default: try change()
    }
  }

  /// Adds an item, or changes one of the newest.
  private mutating func change() throws {
    number += 1
    // No two items ever have one name, so no restore is left out for that.
    let name = "\(login)-\(ThisProcess.identifier)-\(number)"
    let last = max(0, store.state.items.nextID.value - 1)
    let id = KioskItemID(value: Int64.random(in: max(0, last - 7)...last, using: &random))
    // Nor did two changes give an item one price.
    let price = Int64.random(in: 1...(.max), using: &random)
    let command: KioskCommand =
      switch Int.random(in: 0..<20, using: &random) {
      case 0: .add(name: name, price: price)
      case 1...6: .reprice(id, price: price)
      case 7...12: .restock(id, count: Int64.random(in: 1...1_000, using: &random))
      default: .rename(id, to: name)
      }
    let performed: Performed<KioskApp>
    do throws(CommandError<KioskApp>) {
      performed = try store.performBlocking(command)
    } catch {
      guard case .refused = error else { throw error }
      return
    }
    let edits = performed.facts.flatMap { KioskApp.edits(of: $0) }
    guard !edits.isEmpty else { return }
    let sequence = performed.receipt.sequences.lowerBound
    changes.append(sequence)
    for case .item(.changed(let id, let changes)) in edits {
      func add(_ name: String, _ before: String?, _ after: String?) {
        guard let before, let after else { return }
        let field = Field(item: id, name: name)
        values.append(Value(change: sequence, field: field, isAfter: false, text: before))
        values.append(Value(change: sequence, field: field, isAfter: true, text: after))
      }
      add("name", changes.name?.before, changes.name?.after)
      add("stock", changes.stock.map { "\($0.before)" }, changes.stock.map { "\($0.after)" })
      add("price", changes.price.map { "\($0.before)" }, changes.price.map { "\($0.after)" })
    }
    keep(edits)
  }

  /// Notes the values that facts of this process set.
  private mutating func keep(_ edits: [KioskEdit]) {
    for case .item(let edit) in edits {
      switch edit {
      case .inserted(let id, let insertion):
        for (name, text) in Self.texts(of: insertion.entity) {
          kept[Field(item: id, name: name)] = text
        }
      case .changed(let id, let changes):
        if let change = changes.name { kept[Field(item: id, name: "name")] = change.after }
        if let change = changes.stock { kept[Field(item: id, name: "stock")] = "\(change.after)" }
        if let change = changes.price { kept[Field(item: id, name: "price")] = "\(change.after)" }
      case .removed: break
      }
    }
  }

  // MARK: Undo and redo

  /// Undoes a change, or brings it back.
  private mutating func restore(_ change: UInt64, isRedo: Bool, taking: Bool) throws {
    let performed =
      isRedo
      ? try store.restoreBlocking(change, taking: taking)
      : try store.undoBlocking(change, taking: taking)
    if let performed {
      try note(performed, isRedo: isRedo)
    } else if isAlone {
      let status = try store.statusBlocking(ofChange: change)
      try require(
        undone.contains(change) != isRedo,
        "\(change) is \(status), and was not \(isRedo ? "brought back" : "undone")")
    }
  }

  private func links(of performed: Performed<KioskApp>) throws -> (UInt64, RestoreLinks) {
    let links = performed.facts.first.flatMap { KioskApp.restored(in: $0) }?.links
    guard let links, let change = links.change else {
      throw Failure(description: "\(login), seed \(seed): \(performed.facts) is no restore")
    }
    return (UInt64(clamping: change), links)
  }

  /// Notes an undo or a redo.
  private mutating func note(_ performed: Performed<KioskApp>, isRedo: Bool) throws {
    let (change, links) = try links(of: performed)
    if isRedo { undone.remove(change) } else { undone.insert(change) }
    keep(performed.facts.flatMap { KioskApp.edits(of: $0) })
    guard isAlone else { return }
    let status = try store.statusBlocking(ofChange: change)
    let expected: [ChangeStatus] = isRedo ? [.inEffect] : [.undone, .undoneInPart]
    try require(
      links.isRedo == isRedo && expected.contains(status),
      "\(change) is \(status) after \(isRedo ? "a redo" : "an undo")")
  }

  /// Brings a value back, whatever was changed since.
  private mutating func take(_ value: Value) throws {
    let isInEffect = try store.statusBlocking(ofChange: value.change) == .inEffect
    // The change may be in effect while its value was overwritten, or the other way round.
    // What is so already is done the other way first.
    if isInEffect == value.isAfter {
      try restore(value.change, isRedo: !value.isAfter, taking: true)
    }
    try restore(value.change, isRedo: value.isAfter, taking: true)
    let item = store.state.items[value.field.item]
    let text = item.flatMap { item in
      Self.texts(of: item).first { $0.name == value.field.name }?.text
    }
    try require(text == value.text, "\(value) did not come back, but \(text ?? "no item")")
  }
}
