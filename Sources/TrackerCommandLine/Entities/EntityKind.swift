import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceCommandLine
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// A kind of named entities, as the commands about them need it.
///
/// Its closures are no key paths: making one of a generic type at run time takes as long as reading
/// a store.
struct EntityKind<ID: EntityID, Changes: EntityChanges>
where Changes.Entity: NamedEntity & Archivable {
  typealias Entity = Changes.Entity

  /// What a list says of an entity besides its name.
  typealias Details = [EntityDetail]

  /// The name of one of them.
  let noun: String
  /// Returns the table.
  let table: (DomainState) -> EntityTable<ID, Entity>
  /// Returns the domain's command.
  let command: (RecordCommand<ID, Changes>) -> DomainCommand
  /// Returns a new entity.
  let make: (Name, DomainState) throws(ToolFailure) -> Entity
  /// Returns the test whether an entity is in the place that the options name.
  let place: (DomainState) throws(ToolFailure) -> (Entity) -> Bool
  /// The option that names the place, if it is given.
  var placeOption: String? = nil
  /// The option that chooses among entities of one name.
  var choosingOption = EntityVerbOptions.workspaceOption
  /// Whether entities can be merged.
  var canMerge = true
  /// The options that set fields, if any is given.
  let given: [CommandOption]
  /// Sets the fields that the options give.
  let set: (inout Entity, DomainState) throws(ToolFailure) -> Void
  /// What a list says of an entity besides its name, with the long names of projects.
  let details: (Entity, DomainState, [ProjectID: String]) -> Details
  /// Returns the project whose name the details have.
  var project: (Entity) -> ProjectID? = { _ in nil }
  /// The option that takes a duration.
  var duration: String? = nil
  /// Returns the entities that another form of a name means.
  var others: (String, DomainState) -> [ID] = { _, _ in [] }
  /// Returns the name that tells an entity from others of its name; `nil` if it has none.
  var qualifiedName: (Entity, DomainState) -> String? = { _, _ in nil }
  /// Returns the command that makes what a new or a changed entity refers to; `nil` if there is
  /// nothing to make, or the entity is neither.
  var needed: (EntityOperation, DomainState) throws(ToolFailure) -> DomainCommand? = { _, _ in nil }
  /// Returns the entities that an entry is of, after all merges.
  var owners: (TimeEntry, inout AliasResolver) -> [ID] = { _, _ in [] }
  /// Returns the entity that another one was merged into; `nil` if it was not merged.
  var target: (ID, DomainState) -> ID? = { _, _ in nil }
  /// Returns the notes to print about an entity that was made or whose fields were set, from the
  /// entity before the change, if it existed, and after it.
  var remarks: (ID, Entity?, Entity, DomainState) -> [String] = { _, _, _, _ in [] }
  /// Refuses what a new entity or a changed one, which has an id, would be.
  var check: (Entity, ID?, DomainState) throws(ToolFailure) -> Void = { _, _, _ in }
  /// Refuses to merge an entity into another one.
  var checkMerge: (ID, ID, DomainState) throws(ToolFailure) -> Void = { _, _, _ in }

  /// Returns how many entries are of an entity.
  private func uses(of id: ID, in domain: DomainState) -> Int {
    var count = 0
    var visible = VisibleEntries(domain)
    var aliases = AliasResolver(domain)
    domain.timeEntries.forEach { _, entry in
      if visible.contains(entry), owners(entry, &aliases).contains(id) { count += 1 }
    }
    return count
  }

  /// Returns the id of an entity by its name.
  func id(of text: String, in domain: DomainState) throws(ToolFailure) -> ID {
    let name = Name(text, in: table(domain))
    var found: [ID] = []
    var names: [String] = []
    var isElsewhere = false
    var merged: ID?
    let isIn = try place(domain)
    table(domain).forEach { id, entity in
      guard entity.deleted == nil else { return }
      // It would stand for the one that it was merged into, which has another name.
      if entity.name == name, let target = target(id, domain) {
        merged = target
        return
      }
      guard isIn(entity) else {
        if entity.name == name { isElsewhere = true }
        return
      }
      names.append(entity.name.text)
      if entity.name == name { found.append(id) }
    }
    if found.isEmpty && merged == nil {
      found = others(text, domain).filter { table(domain)[$0].map(isIn) == true }
    }
    if let first = found.first {
      guard found.count == 1 else { throw ambiguous(found, text, in: domain) }
      return first
    }
    if let other = merged.flatMap({ table(domain)[$0] }) {
      let isOne = names.count { Name($0) == other.name } < 2
      let name = isOne ? other.name.text : qualifiedName(other, domain) ?? other.name.text
      throw ToolFailure(
        what: "Nothing was changed.", why: "The \(noun) \(text) was merged into \(name).",
        advice: "Use the name \(commandWord(name)).", exitCode: ToolExit.refused)
    }
    if let placeOption, isElsewhere {
      throw ToolFailure(
        what: "Nothing was changed.",
        why: "There is no \(noun) \(text) of the \(placeOption) that is given.",
        advice: "--\(placeOption) says where it is, and moves nothing. Leave it out, or give "
          + "another one.", exitCode: ToolExit.refused)
    }
    let similar = Spelling.nearest(to: text, in: names).map { "Did you mean \($0)? " } ?? ""
    throw ToolFailure(
      what: "Nothing was changed.", why: "There is no \(noun) \(text).",
      advice: "\(similar)`track \(noun)s` lists them, and `track \(noun)s create` makes one.",
      exitCode: ToolExit.refused)
  }

  /// Returns the refusal of a name that several entities have.
  private func ambiguous(_ ids: [ID], _ text: String, in domain: DomainState) -> ToolFailure {
    let names = ids.compactMap { id in
      table(domain)[id].flatMap { qualifiedName($0, domain) }
    }
    let areDistinct = names.count == ids.count && Set(names.map(Name.init)).count == ids.count
    return ToolFailure(
      what: "Nothing was changed.", why: "There are \(ids.count) \(noun)s \(text).",
      advice: areDistinct
        ? "Name one with its client: \(names.map(commandWord).joined(separator: ", "))."
        : "Say which one with --\(choosingOption.name) NAME.", exitCode: ToolExit.refused)
  }

  /// Returns the command of a change.
  func command(
    for change: EntityOperation, in domain: DomainState
  ) throws(ToolFailure) -> DomainCommand {
    if !change.setsFields, let option = given.first {
      throw .usage(
        "--\(option.name) sets a field, which this command does not.",
        advice: "Use it with `create` or `set`.")
    }
    func record(
      _ name: String, _ edit: (inout Entity) throws(ToolFailure) -> Void
    ) throws(ToolFailure) -> RecordCommand<ID, Changes> {
      let id = try id(of: name, in: domain)
      guard let before = table(domain)[id] else { throw .noRecord(noun, name) }
      var after = before
      try edit(&after)
      try check(after, id, domain)
      return .change(id, Changes(from: before, to: after), reason: nil)
    }
    switch change {
    case .create(let name):
      var entity = try make(Name(name, in: table(domain)), domain)
      try set(&entity, domain)
      try check(entity, nil, domain)
      return command(.create(entity))
    case .set(let name):
      guard !given.isEmpty else {
        throw .usage(
          "No field is given.",
          advice: "Give an option of `track \(noun)s --help`"
            + (placeOption.map { "; --\($0) says where it is, and moves nothing." } ?? "."))
      }
      return command(try record(name) { (entity) throws(ToolFailure) in try set(&entity, domain) })
    case .rename(let name, to: let new):
      return command(try record(name) { $0.name = Name(new) })
    case .merge(let name, into: let other):
      let (id, target) = (try id(of: name, in: domain), try id(of: other, in: domain))
      try checkPlaces(of: id, target, in: domain)
      try checkMerge(id, target, domain)
      return command(.merge(id, into: target, reason: nil))
    case .archive(let name, let isArchived):
      return command(try record(name) { $0.isArchived = isArchived })
    case .delete(let name): return command(.delete(try id(of: name, in: domain), reason: nil))
    }
  }

  /// Refuses to merge an entity into itself, or into one of another place.
  private func checkPlaces(
    of id: ID, _ other: ID, in domain: DomainState
  ) throws(ToolFailure) {
    guard id != other, let entity = table(domain)[id], let target = table(domain)[other] else {
      throw ToolFailure(
        what: "Nothing was changed.", why: "Both names are those of one \(noun).",
        advice: "`track \(noun)s` lists them.", exitCode: ToolExit.refused)
    }
    let (own, others) = (details(entity, domain, [:]), details(target, domain, [:]))
    for place in ["workspace", "project", "client"] {
      let (first, second) = (
        own.first { $0.name == place }?.value, others.first { $0.name == place }?.value
      )
      guard first != second else { continue }
      func text(_ name: String?) -> String { name.map { "the \(place) \($0)" } ?? "no \(place)" }
      let isTaken = entity.name == target.name
      let name = commandWord(qualifiedName(entity, domain) ?? entity.name.text)
      let rename = isTaken ? "`track \(noun)s rename \(name) NEW`, then " : ""
      throw ToolFailure(
        what: "Nothing was changed.",
        why: "\(entity.name.text) is of \(text(first)), and \(target.name.text) of "
          + "\(text(second)).",
        advice: place == "client"
          ? "Set the client first: \(rename)`track \(noun)s set \(isTaken ? "NEW" : name) --client "
            + "\(commandWord(second ?? ""))`."
          : "Only two \(noun)s of one \(place) can be merged; `track edit --filter FILTER` "
            + "changes entries.", exitCode: ToolExit.refused)
    }
  }

  /// Performs the change, or lists the entities.
  func perform(
    _ change: EntityOperation?, _ options: TrackerOptions, all: Bool, yes: Bool, isDryRun: Bool
  ) throws(ToolFailure) {
    guard let change else { return try list(options, all: all) }
    if isDryRun { return try preview(change, options, yes: yes) }
    let tracker: TrackerStore
    if case .create = change {
      tracker = try options.open(creating: true)
    } else {
      tracker = try options.open(creating: false)
    }
    do throws(ToolFailure) {
      let made = try makeNeeded(for: change, in: tracker, options)
      let (domain, command) = try tracker.verified { (domain) throws(ToolFailure) in
        (domain, try confirmedCommand(for: change, in: domain, yes: yes))
      }
      do throws(CommandError<TimeTracker>) {
        let performed = try tracker.perform(
          command, closing: options.context.closesStore)
        let after = performed.receipt.state.domain
        let notes = (made.map { [$0] } ?? []) + remarks(on: change, from: domain, to: after)
        if options.json {
          let sequence = Int64(performed.receipt.sequence)
          print(
            notes, after: JSONValue.Member("sequence", .integer(sequence)), options.output)
        } else {
          print(change.echo + text(of: change, from: domain, to: after), notes, options.output)
        }
      } catch {
        throw ToolFailure("Nothing was changed.", error, in: domain, options.context)
      }
    } catch {
      try? options.context.close(tracker)
      throw error
    }
  }

  /// Prints what a change would do, and writes nothing.
  private func preview(
    _ change: EntityOperation, _ options: TrackerOptions, yes: Bool
  ) throws(ToolFailure) {
    let now = try options.currentMoment()
    var isCreating = false
    if case .create = change { isCreating = true }
    let (line, notes) = try options.read(creating: isCreating) { domain in
      Swift.Result { () throws(ToolFailure) -> (String, [String]) in
        var before = domain
        let needed = try self.needed(change, domain)
        if let needed {
          try before.preview(needed, at: now, "Nothing was changed.", options.context.zoneOrUTC)
        }
        var after = before
        try after.preview(
          try confirmedCommand(for: change, in: before, yes: yes), at: now, "Nothing was changed.",
          options.context.zoneOrUTC)
        let made = needed.flatMap { Self.note(onNeeded: $0) }.map { [$0] } ?? []
        return (
          "would be \(change.echo)" + text(of: change, from: before, to: after),
          made + remarks(on: change, from: before, to: after)
        )
      }
    }
    if options.json {
      return print(notes, after: JSONValue.Member("dryRun", .bool(true)), options.output)
    }
    print(line, notes, options.output)
  }

  /// Returns the command of a change; refuses to delete what is in use without a yes.
  private func confirmedCommand(
    for change: EntityOperation, in domain: DomainState, yes: Bool
  ) throws(ToolFailure) -> DomainCommand {
    let command = try command(for: change, in: domain)
    if case .delete(let name) = change, !yes {
      let uses = uses(of: try id(of: name, in: domain), in: domain)
      guard uses == 0 else { throw .inUse(noun, name, by: uses) }
    }
    return command
  }

  private func print(_ line: String, _ notes: [String], _ output: Output) {
    output.printWrapped(line, indent: 9)
    for note in notes { output.printWrapped("note      \(note)", indent: 9) }
  }

  private func print(
    _ notes: [String], after first: JSONValue.Member, _ output: Output
  ) {
    let list = JSONValue.Member("notes", .array(notes.map { .string($0) }))
    output.print(.object(notes.isEmpty ? [first] : [first, list]))
  }

  /// Makes what a change needs, if the store would accept the change then.
  ///
  /// - Returns: What was made, as a sentence; `nil` for nothing.
  private func makeNeeded(
    for change: EntityOperation, in tracker: TrackerStore, _ options: TrackerOptions
  ) throws(ToolFailure) -> String? {
    let now = tracker.now()
    let needed = try tracker.verified { (domain) throws(ToolFailure) -> DomainCommand? in
      guard let needed = try self.needed(change, domain) else { return nil }
      var state = domain
      try state.preview(
        needed, at: now, "Nothing was changed.", options.context.zoneOrUTC)
      try state.preview(
        try self.command(for: change, in: state), at: now, "Nothing was changed.",
        options.context.zoneOrUTC)
      return needed
    }
    guard let needed else { return nil }
    do throws(CommandError<TimeTracker>) {
      _ = try tracker.store.performBlocking(needed, from: .commandLine)
    } catch {
      throw ToolFailure("Nothing was changed.", error, in: tracker.domain, options.context)
    }
    return Self.note(onNeeded: needed)
  }

  private static func note(onNeeded command: DomainCommand) -> String? {
    switch command {
    case .client(.create(let client)): "\(client.name.text) is a new client"
    case .user(.create(let user)): "\(user.name.text) is a new user"
    default: nil
    }
  }

  /// Returns the notes to print about a change.
  private func remarks(
    on change: EntityOperation, from before: DomainState, to after: DomainState
  ) -> [String] {
    let found: ID?
    switch change {
    case .create(let name):
      // Another one of this name may be in another place.
      var made: ID?
      let name = Name(name, in: table(after))
      table(after).forEach { id, entity in
        if entity.name == name, table(before)[id] == nil { made = id }
      }
      found = made
    case .set(let name): found = try? id(of: name, in: before)
    case .merge(let name, let other): return lost(by: name, into: other, in: before)
    case .rename, .archive, .delete: found = nil
    }
    guard let found, let entity = table(after)[found] else { return [] }
    return remarks(found, table(before)[found], entity, after)
  }

  private func details(of entity: Entity, in domain: DomainState) -> Details {
    details(entity, domain, domain.longNames(ofAll: [entity].compactMap(project)))
  }

  /// Returns a note on what new entries lose by a merge: a rate, an estimate, or that they are
  /// billable.
  private func lost(by name: String, into other: String, in domain: DomainState) -> [String] {
    let tables = [name, other].compactMap { try? id(of: $0, in: domain) }
      .compactMap { table(domain)[$0] }
    guard let old = tables.first, let new = tables.last, tables.count == 2 else { return [] }
    let kept = details(of: new, in: domain)
    let lost = details(of: old, in: domain)
      .filter { detail in
        ["rate", "billable", "estimate"].contains(detail.name)
          && !kept.contains { $0.name == detail.name && $0.value == detail.value }
      }
    return lost.map { detail in
      "\(other) does not take over: \(detail.name) \(detail.value) of \(name)"
    }
  }

  /// Returns the details that a change of fields left different, for the end of its line.
  private func text(
    of change: EntityOperation, from before: DomainState, to after: DomainState
  ) -> String {
    guard case .set(let name) = change, let id = try? id(of: name, in: before),
      let old = table(before)[id], let new = table(after)[id]
    else { return "" }
    let was = details(of: old, in: before)
    let now = details(of: new, in: after)
    let changed = now.filter { detail in
      !detail.shown.isEmpty && !was.contains { $0.shown == detail.shown }
    }
    let gone = was.filter { detail in
      !detail.shown.isEmpty && !now.contains { $0.name == detail.name }
    }
    return
      (changed.map(\.shown)
      + gone.map { $0.value == "yes" ? "\($0.name) no" : "no \($0.name)" })
      .map { "  \($0)" }.joined()
  }

  /// Adds the time spent to the details of the entities that have an estimate.
  ///
  /// - Complexity: O(entries) if there is an estimate, about 0.3 seconds for a million.
  private func addSpent(
    to rows: inout [(id: Int64, entity: Entity, details: Details)], in domain: DomainState,
    at moment: Moment
  ) {
    var spent: [Int64: ElapsedTime] = [:]
    for row in rows where row.details.contains(where: { $0.estimate != nil }) {
      spent[row.id] = .zero
    }
    guard !spent.isEmpty else { return }
    var visible = VisibleEntries(domain)
    var aliases = AliasResolver(domain)
    domain.timeEntries.forEach { _, entry in
      guard visible.contains(entry) else { return }
      for owner in owners(entry, &aliases) {
        if let time = spent[owner.value] {
          spent[owner.value] = time.adding(entry.elapsed(at: moment))
        }
      }
    }
    for index in rows.indices {
      guard let time = spent[rows[index].id] else { continue }
      rows[index].details = rows[index].details.flatMap { $0.with(spent: time) }
    }
  }

  /// Lists the entities, with a column for each detail.
  private func list(_ options: TrackerOptions, all: Bool) throws(ToolFailure) {
    let moment = try options.currentMoment()
    let rows: [(id: Int64, entity: Entity, details: Details)] = try options.read { domain in
      Result { () throws(ToolFailure) in
        var rows: [(id: Int64, entity: Entity, details: Details)] = []
        let isIn = try place(domain)
        table(domain).forEach { id, entity in
          guard entity.deleted == nil, isIn(entity), all || !entity.isArchived else {
            return
          }
          rows.append((id.value, entity, []))
        }
        let longNames = domain.longNames(ofAll: rows.compactMap { project($0.entity) })
        for index in rows.indices {
          rows[index].details = details(rows[index].entity, domain, longNames)
        }
        addSpent(to: &rows, in: domain, at: moment)
        return rows
      }
    }
    let sorted = rows.sorted { ($0.entity.name.key, $0.id) < ($1.entity.name.key, $1.id) }
    if options.json {
      return options.output.print(
        .array(
          sorted.map { row in
            .object(
              [
                .init("id", .integer(row.id)), .init("name", .string(row.entity.name.text)),
                .init("archived", .bool(row.entity.isArchived)),
              ] + row.details.map { .init($0.name, .string($0.value)) })
          }))
    }
    if sorted.isEmpty { return options.output.print("There are no \(noun)s.") }
    let used = Set(sorted.flatMap(\.details).filter(\.isListed).map(\.name))
    let names = EntityDetail.order.filter(used.contains)
    var rowTable = Table([.text] + names.map { _ in .text } + [.left])
    for row in sorted {
      let cells = names.map { name in
        row.details.first { $0.name == name && $0.isListed }?.shown ?? ""
      }
      let state = row.entity.isArchived ? "archived" : ""
      rowTable.add([row.entity.name.text] + cells + [state])
    }
    rowTable.print(options.context.style())
  }
}

/// An entity that can be out of use.
protocol Archivable {
  /// Whether it is out of use, and not offered any more.
  var isArchived: Bool { get set }
}

extension Project: Archivable {}
extension Client: Archivable {}
extension Tag: Archivable {}
extension ProjectTask: Archivable {}
extension User: Archivable {}
extension Workspace: Archivable {}
extension Goal: Archivable {}

/// What a list says of an entity besides its name.
struct EntityDetail {
  /// The name of the detail.
  let name: String
  /// The value for programs.
  let value: String
  /// The text for people; empty if another detail says it.
  let shown: String
  /// Whether a list for people has it.
  let isListed: Bool
  /// The estimate, if the detail is one.
  var estimate: ElapsedTime?

  /// Makes a detail; the text for people is the name and the value, unless it is given.
  init(_ name: String, _ value: String, shown: String? = nil, isListed: Bool = true) {
    self.name = name
    self.value = value
    self.isListed = isListed && shown != ""
    self.shown = shown ?? "\(name) \(value)"
  }

  /// Makes the detail of an estimate.
  init(estimate: ElapsedTime) {
    self.init("estimate", estimate.hoursAndMinutes)
    self.estimate = estimate
  }

  /// Returns an estimate with the time spent of it; another detail as it is.
  func with(spent time: ElapsedTime) -> [EntityDetail] {
    guard let estimate else { return [self] }
    let spent = estimate > .zero ? ", \(time.percent(of: estimate))% spent" : ""
    return [
      EntityDetail(name, value, shown: shown + spent),
      EntityDetail("spent", time.hoursAndMinutes, shown: ""),
    ]
  }

  /// The names of all details, in the order of their columns.
  static let order = [
    "target", "each", "limit", "tag", "project", "client", "workspace", "currency", "rate",
    "billable", "estimate", "color",
  ]
}

extension ToolFailure {
  /// Returns the refusal to delete what entries are of.
  fileprivate static func inUse(_ noun: String, _ name: String, by count: Int) -> ToolFailure {
    let entries = count == 1 ? "1 entry is" : "\(count) entries are"
    return ToolFailure(
      what: "Nothing was deleted.", why: "\(entries) of the \(noun) \(name).",
      advice: "Archive it: `track \(noun)s archive \(commandWord(name))`. "
        + "With --yes it is deleted, and these entries keep its name.", exitCode: ToolExit.refused)
  }

  /// Returns the failure for a name that no entity has.
  static func noRecord(_ noun: String, _ name: String) -> ToolFailure {
    ToolFailure(
      what: "Nothing was changed.", why: "There is no \(noun) \(name).",
      advice: "`track \(noun)s` lists them.", exitCode: ToolExit.refused)
  }
}

extension EntityTable where Entity: MergeableEntity, Entity.ID == ID {
  /// Returns the entity that an entity was merged into, after all merges; `nil` if it was not.
  func target(of id: ID) -> ID? { read(id) { $0.mergedInto != nil } == true ? resolve(id) : nil }
}

extension DomainState {
  /// Changes the entities by a command that is not performed.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - moment: The moment at which it is decided.
  ///   - what: What failed if it is refused, as a sentence.
  mutating func preview(
    _ command: DomainCommand, at moment: Moment, _ what: String,
    _ rules: @autoclosure () -> ZoneRules
  ) throws(ToolFailure) {
    do throws(DomainRefusal) {
      for fact in try DomainDecider().decide(command, on: self, at: moment) {
        _ = DomainReducer().reduce(&self, fact, at: moment)
      }
    } catch {
      throw .refused(what, error, in: self, rules())
    }
  }
}
