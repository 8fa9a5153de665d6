import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

extension EntityVerb {
  func perform() throws(ToolFailure) {
    let operation = try EntityOperation(
      options.arguments.operands, noun: Self.noun, duration: Self.durationOption?.name,
      canMerge: Self.canMerge)
    guard let operation else { return try list() }
    if options.isDryRun { return try preview(operation) }
    try perform(operation)
  }

  private func perform(_ operation: EntityOperation) throws(ToolFailure) {
    let context = options.context
    let tracker = try open(for: operation)
    do throws(ToolFailure) {
      let made = try makeNeeded(for: operation, in: tracker)
      let (domain, command) = try tracker.verified { (domain) throws(ToolFailure) in
        (domain, try confirmedCommand(for: operation, in: domain))
      }
      do throws(CommandError<TimeTracker>) {
        let performed = try tracker.perform(command, closing: context.closesStore)
        let after = performed.receipt.state.domain
        let notes = (made.map { [$0] } ?? []) + remarks(on: operation, from: domain, to: after)
        if options.shared.json {
          let sequence = Int64(performed.receipt.sequence)
          print(notes, after: JSONValue.Member("sequence", .integer(sequence)))
        } else {
          print(operation.echo + text(of: operation, from: domain, to: after), notes)
        }
      } catch {
        let failure = ToolFailure(options.what, error, in: domain, options.shared)
        throw advised(failure, operation, in: domain)
      }
    } catch {
      try? context.close(tracker)
      throw error
    }
  }

  /// Opens the store for an operation.
  ///
  /// Without a store, an operation is refused as in an empty one, unless an option names the store:
  /// its path is probably misspelled.
  private func open(for operation: EntityOperation) throws(ToolFailure) -> TrackerStore {
    let creating = try createsStore(operation)
    do throws(ToolFailure) {
      return try options.shared.open(creating: creating)
    } catch {
      if error.isMissingStore, !options.shared.namesStore {
        _ = try command(for: operation, in: DomainState())
      }
      throw error
    }
  }

  /// Returns whether an operation can be the first one of a store.
  private func createsStore(_ operation: EntityOperation) throws(ToolFailure) -> Bool {
    guard case .set(let name) = operation else { return operation.creates }
    return try created(bySetting: name, in: DomainState()) != nil
  }

  /// Prints the effect of an operation, and writes nothing.
  private func preview(_ operation: EntityOperation) throws(ToolFailure) {
    let now = try options.shared.currentMoment()
    let (line, notes) = try options.shared.read(creating: try createsStore(operation)) {
      (domain) throws(ToolFailure) -> (String, [String]) in
      var before = domain
      let needed = try self.needed(for: operation, in: domain)
      let rules = options.shared.shownZone(in: domain)
      if let needed { try before.preview(needed, at: now, options.what, rules) }
      var after = before
      let command = try confirmedCommand(for: operation, in: before)
      do throws(ToolFailure) {
        try after.preview(command, at: now, options.what, rules)
      } catch {
        throw advised(error, operation, in: before)
      }
      let made = needed.flatMap { Self.note(onNeeded: $0) }.map { [$0] } ?? []
      return (
        "would be \(operation.echo)" + text(of: operation, from: before, to: after),
        made + remarks(on: operation, from: before, to: after)
      )
    }
    if options.shared.json {
      return print(notes, after: JSONValue.Member("dryRun", .bool(true)))
    }
    print(line, notes)
  }

  /// Returns a failure, with advice that makes a refused merge possible.
  private func advised(
    _ failure: ToolFailure, _ operation: EntityOperation, in domain: DomainState
  ) -> ToolFailure {
    guard failure.exitCode == ToolExit.refused,
      case .merge(let name, into: let other) = operation,
      let id = try? id(of: name, in: domain), let target = try? self.id(of: other, in: domain),
      let advice = adviceOnMerge(of: id, into: target, in: domain)
    else { return failure }
    var failure = failure
    failure.advice = advice
    return failure
  }

  /// Returns the command of an operation.
  ///
  /// Refuses to delete an entity in use without --yes, or one that entries will need.
  private func confirmedCommand(
    for operation: EntityOperation, in domain: DomainState
  ) throws(ToolFailure) -> DomainCommand {
    let command = try command(for: operation, in: domain)
    if case .delete(let name) = operation {
      let id = try id(of: name, in: domain)
      let uses = uses(of: id, in: domain)
      if uses > 0 { try checkDeletion(of: id, in: domain) }
      guard uses == 0 || options.isConfirmed else { throw .inUse(Self.noun, name, by: uses) }
    }
    return command
  }

  private func print(_ line: String, _ notes: [String]) {
    let output = options.context.output
    output.printWrapped(line, indent: 9)
    for note in notes { output.printWrapped("note      \(note)", indent: 9) }
  }

  private func print(_ notes: [String], after first: JSONValue.Member) {
    let list = JSONValue.Member("notes", .array(notes.map { .string($0) }))
    options.context.output.print(.object(notes.isEmpty ? [first] : [first, list]))
  }

  /// Creates the entity that an operation needs, if the operation would then be accepted.
  ///
  /// - Returns: The created entity, as a sentence; `nil` if nothing was created.
  private func makeNeeded(
    for operation: EntityOperation, in tracker: TrackerStore
  ) throws(ToolFailure) -> String? {
    let now = tracker.now()
    let needed = try tracker.verified { (domain) throws(ToolFailure) -> DomainCommand? in
      guard let needed = try self.needed(for: operation, in: domain) else { return nil }
      var state = domain
      let rules = options.shared.shownZone(in: domain)
      try state.preview(needed, at: now, options.what, rules)
      let command = try self.command(for: operation, in: state)
      try state.preview(command, at: now, options.what, rules)
      return needed
    }
    guard let needed else { return nil }
    do throws(CommandError<TimeTracker>) {
      _ = try tracker.store.performBlocking(needed, from: .commandLine)
    } catch {
      throw ToolFailure(options.what, error, in: tracker.domain, options.shared)
    }
    return Self.note(onNeeded: needed)
  }

  private static func note(onNeeded command: DomainCommand) -> String? {
    switch command {
    case .client(.create(let client, rules: _)): "\(client.name.text) is a new client"
    case .user(.create(let user, rules: _)): "\(user.name.text) is a new user"
    default: nil
    }
  }

  private func command(
    for operation: EntityOperation, in domain: DomainState
  ) throws(ToolFailure) -> DomainCommand {
    if !operation.setsFields, let option = options.given(Self.fields).first {
      throw .usage(
        "--\(option.name) sets a field, which this command does not.",
        advice: "Use it with `create` or `set`.")
    }
    func changed(
      _ name: String, _ edit: (inout Entity) throws(ToolFailure) -> Void
    ) throws(ToolFailure) -> EntityCommand<ID, Changes> {
      let id = try id(of: name, in: domain)
      guard let before = table(in: domain)[id] else { throw .noEntity(Self.noun, name) }
      var after = before
      try edit(&after)
      return .change(
        id, Changes(from: before, to: after), changesCurrency: options.isConfirmed, reason: nil)
    }
    switch operation {
    case .create(let name):
      var entity = try entity(named: Name(name, in: table(in: domain)), in: domain)
      try setFields(of: &entity, in: domain)
      return domainCommand(.create(entity))
    case .set(let name):
      guard !options.given(Self.fields).isEmpty else {
        throw .usage(
          "No field is given.",
          advice: "Give an option of `track \(Self.noun)s --help`"
            + (givenPlace.map { _ in "; \(placeAdvice(name))" } ?? "."))
      }
      if var made = try created(bySetting: name, in: domain) {
        try setFields(of: &made, in: domain)
        return domainCommand(.create(made))
      }
      return domainCommand(
        try changed(name) { (entity) throws(ToolFailure) in
          try setFields(of: &entity, in: domain)
        })
    case .rename(let name, to: let new):
      return domainCommand(try changed(name) { $0.name = Name(new) })
    case .merge(let name, into: let other):
      let (id, target) = (try id(of: name, in: domain), try id(of: other, in: domain))
      try checkPlaces(of: id, target, in: domain)
      return domainCommand(.merge(id, into: target, reason: nil))
    case .archive(let name, let isArchived):
      return domainCommand(try changed(name) { $0.isArchived = isArchived })
    case .delete(let name): return domainCommand(.delete(try id(of: name, in: domain), reason: nil))
    }
  }

  /// Returns the number of entries that refer to an entity.
  private func uses(of id: ID, in domain: DomainState) -> Int {
    domain.visibleEntries { owners(of: $0, &$1).contains(id) }
  }
}

extension ToolFailure {
  /// Returns the refusal to delete an entity that entries refer to.
  fileprivate static func inUse(_ noun: String, _ name: String, by count: Int) -> ToolFailure {
    .refused(
      DomainState.reason(toKeep: "\(noun) \(name)", entries: count),
      advice: "Archive it: `track \(noun)s archive \(commandWord(name))`. "
        + "With --yes it is deleted, and these entries keep its name.",
      what: "Nothing was deleted.")
  }

  /// Returns the failure for a name that no entity has.
  static func noEntity(_ noun: String, _ name: String) -> ToolFailure {
    ToolFailure.refused("There is no \(noun) \(name).", advice: "`track \(noun)s` lists them.")
  }
}

extension DomainState {
  /// Applies the facts of a command, without performing it.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - moment: The moment at which it is decided.
  ///   - what: What failed if it is refused, as a sentence.
  mutating func preview(
    _ command: DomainCommand, at moment: Moment, _ what: String, _ rules: ZoneRules
  ) throws(ToolFailure) {
    do throws(DomainRefusal) {
      for fact in try DomainDecider().decide(command, on: self, at: moment) {
        _ = DomainReducer().reduce(&self, fact, at: moment)
      }
    } catch {
      throw .refused(what, error, in: self, rules)
    }
  }
}
