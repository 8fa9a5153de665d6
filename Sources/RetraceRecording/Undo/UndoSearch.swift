import Retrace
import RetraceStorage

/// What an undo or a redo takes back.
package enum WantedRestore: Sendable {
  /// The newest change that is not undone and was not made before a moment, or the newest undo
  /// after which nothing was changed.
  case newest(isRedo: Bool, since: Moment?)
  /// The change of a command. With `taking`, its values are set although others were set since.
  case change(UInt64, isRedo: Bool, taking: Bool)

  /// Whether an undo is taken back.
  var isRedo: Bool {
    switch self {
    case .newest(let isRedo, _), .change(_, let isRedo, _): isRedo
    }
  }
}

/// A search of the log for the changes of one user, newest first.
///
/// A command is taken back at most once: a change by an undo, the undo by a redo, the redo by
/// another undo. A taken back command is never in effect again, because a redo is a command of its
/// own. So the search needs two indexes, and both are in the log:
///
/// - Each undo and redo links to the next one. So a restore needs the newest command of the user
///   and its target and, to undo a change, the command before that change.
/// - The batch of an undo or a redo has a key that names its target; see ``BatchKey``. So whether a
///   command was taken back, and by what, is one look-up. Logs of earlier builds lack these keys,
///   and a log may have removed the oldest ones; then the commands after the target are read.
///
/// An undo out of order can leave fields that later changes of the user have set. Then the change
/// stays in effect at its place for these fields, and another undo takes the first one as its
/// target. So undoing everything, in whatever order, leads back to the start.
struct UndoSearch<App: UndoableApp> {
  private let plan: DecodingPlan<App>
  /// The user's login name, as sessions record it; empty if unknown.
  private let login: String
  /// The number of keys above which the log removes the oldest ones.
  private let keyLimit: Int
  /// The last record to look at.
  private let last: UInt64
  /// The state on which restores are tried; `nil` if none are.
  private var state: App.State?
  private var origins = SessionOrigins()
  /// Whether the restores of the changes under an action schema have keys, by its number.
  private var keyedSchemas: [UInt32: Bool] = [:]
  /// The restores that are assumed to be in the log, by their targets.
  private var assumed: [UInt64: Command] = [:]
  /// The same restores by their own sequences, which no record has.
  private var assumedCommands: [UInt64: Command] = [:]
  /// The command that was found last as the newest one up to a record, so that it is read once.
  private var newest: Command?
  private(set) var commandsRead = 0
  /// The number of records that were visited to find commands.
  private(set) var recordsVisited = 0

  /// Creates a search for the changes of a user.
  ///
  /// - Parameters:
  ///   - view: A view of the log.
  ///   - login: The user's login name.
  ///   - last: The last record to look at; by default the last one of the log.
  ///   - state: The state after that record, on which restores are tried. Without it, a change that
  ///     is undone in part is passed over.
  ///   - keyLimit: The number of keys above which the log removes the oldest ones.
  /// - Throws: `invalidConfiguration` without a login name, and as `ReadView.plan`.
  init(
    _ view: borrowing ReadView, login: String, through last: UInt64? = nil,
    state: App.State? = nil, keyLimit: Int = KeyedBatch.keysMax
  ) throws(StoreError) {
    guard !login.isEmpty else { throw StoreError.undoneWithoutLogin }
    plan = try view.plan(for: App.self)
    self.login = login
    self.last = last ?? view.head.sequence
    self.state = state
    self.keyLimit = keyLimit
  }

  private struct Command {
    var sequence: UInt64
    var edits: [App.Edit] = []
    var links: RestoreLinks?
    var hasRetiredFacts = false
    /// The fields that the restore left as they were.
    var unrestored: [UnrestoredField] = []
    /// The number of the action schema.
    var schema: UInt32 = 0

    var hasUnrestored: Bool { !unrestored.isEmpty }
    var isUndo: Bool { links.map { !$0.isRedo } ?? false }

    /// The command that an undo right after this command takes back.
    var nextUndo: UInt64? {
      if let links, !links.isRedo { return links.nextUndo.map { UInt64(clamping: $0) } }
      return sequence
    }

    /// The undo that a redo right after this command takes back.
    var nextRedo: UInt64? {
      guard let links else { return nil }
      return links.isRedo ? links.nextRedo.map { UInt64(clamping: $0) } : sequence
    }

    /// Returns whether the command is an undo after which the change at a place is still in effect
    /// for some fields.
    ///
    /// An undo of the newest change is complete even if it leaves fields that others have set.
    func leavesRest(at place: UInt64) -> Bool {
      isUndo && hasUnrestored && nextUndo ?? 0 >= place
    }
  }

  /// A change at the place where it was made or brought back.
  private struct Standing {
    /// The command that made the change or brought it back.
    var base: Command
    /// The latest undo of it, or the base.
    var latest: Command
    /// The edits of the undos of it, in order.
    var undone: [App.Edit] = []
    /// Whether it is in effect, at least for some fields.
    var isInEffect = true

    init(_ base: Command) { (self.base, latest) = (base, base) }

    mutating func add(undo: Command) {
      latest = undo
      undone += undo.edits
    }
  }
}

// MARK: The newest change

extension UndoSearch {
  /// Returns the undo of the newest change that is not undone, or the redo of the newest undo after
  /// which nothing was changed; otherwise `nil`.
  ///
  /// A change that was brought back is as new as the redo that did so.
  ///
  /// - Parameters:
  ///   - isRedo: Whether to redo.
  ///   - moment: A moment; changes that were first made before it are passed over. `nil` for no
  ///     limit.
  ///   - previous: The restore of the same kind that precedes this one and is not in the log; `nil`
  ///     if there is no such restore.
  ///   - count: The number of facts with edits so far.
  ///   - view: A view of the log.
  /// - Complexity: O(records after the user's newest command); to undo a change, also O(records
  ///   between it and the command of the user before it), and O(changes below it that were undone
  ///   out of order).
  /// - Throws: `damaged` if an undo or a redo in the log has an invalid link: not to an earlier
  ///   command of the user, or to a command of the wrong kind; `incompatible` if the command to
  ///   take back has a fact whose case is retired.
  mutating func restore(
    isRedo: Bool, since moment: Moment? = nil, after previous: Restore<App.Edit>? = nil,
    count: Int64, _ view: borrowing ReadView
  ) throws(StoreError) -> Restore<App.Edit>? {
    let newest: Command?
    if let previous {
      newest = assumed[UInt64(clamping: previous.links.target)]
    } else {
      newest = try newestCommand(through: last, view)
    }
    guard let newest else { return nil }
    guard isRedo else {
      return try undo(after: newest, since: moment, count: count, view)
    }
    guard let target = newest.nextRedo else { return nil }
    let undone = try linkedCommand(at: target, isUndo: true, from: newest, view)
    return try redo(undone, after: newest, count: count, view)
  }

  /// Assumes that a restore is in the log, and that it leads to a state.
  ///
  /// - Parameters:
  ///   - restore: The restore.
  ///   - restored: The contents of its fact.
  ///   - state: The state after the fact.
  mutating func assume(
    _ restore: Restore<App.Edit>, _ restored: Restored<App.Edit>?, leadingTo state: App.State
  ) {
    // Greater than the sequence of any record, and of any restore that was assumed before.
    let sequence = UInt64(Int64.max / 2) + UInt64(assumed.count)
    var command = Command(sequence: sequence, links: restore.links)
    if let restored {
      command.edits = restored.edits
      command.unrestored = restored.unrestored
    }
    assumed[UInt64(clamping: restore.links.target)] = command
    assumedCommands[sequence] = command
    self.state = state
  }

  /// Returns the undo of the newest change in effect that was not first made before a moment.
  private mutating func undo(
    after newest: Command, since moment: Moment?, count: Int64, _ view: borrowing ReadView
  ) throws(StoreError) -> Restore<App.Edit>? {
    var candidate = newest.nextUndo
    while let target = candidate {
      let standing = try standing(at: target, from: newest, view)
      var isWanted = standing.isInEffect
      if isWanted, let moment {
        let first = try change(of: standing.base, view)
        isWanted = try view.withRecord(at: first) { $0.moment } >= moment
        // Only a change that was brought back may be older than the changes below it.
        guard isWanted || standing.base.links != nil else { return nil }
      }
      if isWanted {
        let restore = try undo(standing, after: newest, count: count, view)
        if try isUseful(restore, after: standing.latest, view) { return restore }
      }
      candidate = try change(below: standing.base, view)
    }
    return nil
  }

  /// Returns the newest change in effect below another one.
  private mutating func change(
    below change: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> UInt64? {
    var candidate = try link(below: change, view)
    while let target = candidate, let taker = try restore(of: target, view) {
      let next = taker.nextUndo
      if next ?? 0 < target {
        // Right after the taker, every change between both was undone, and it stays so.
        candidate = next
      } else {
        let standing = try standing(at: target, from: taker, view)
        if standing.isInEffect { return target }
        candidate = try link(below: standing.base, view)
      }
    }
    return candidate
  }

  /// Returns the change that was the newest one in effect below a change, when that was made.
  private mutating func link(
    below change: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> UInt64? {
    if let links = change.links { return links.nextUndo.map { UInt64(clamping: $0) } }
    return try newestCommand(through: change.sequence - 1, view)?.nextUndo
  }

  /// Returns what is in effect of the change at a place.
  private mutating func standing(
    at place: UInt64, from newest: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> Standing {
    var standing = Standing(try linkedCommand(at: place, isUndo: false, from: newest, view))
    while standing.isInEffect, let next = try restore(of: standing.latest.sequence, view) {
      standing.isInEffect = next.leavesRest(at: place)
      if next.isUndo { standing.add(undo: next) }
    }
    return standing
  }

  /// Returns the first undo that nothing took back, of one and those that redos take back after it.
  ///
  /// - Parameters:
  ///   - first: The undo; `nil` for none.
  ///   - other: An undo that is about to be taken back.
  ///   - newest: The command that links to the undo.
  ///   - view: A view of the log.
  private mutating func standingUndo(
    _ first: UInt64?, except other: UInt64, from newest: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> UInt64? {
    var candidate = first
    while let target = candidate {
      if target != other, try restore(of: target, view) == nil { return target }
      let undo = try linkedCommand(at: target, isUndo: true, from: newest, view)
      candidate = undo.links?.nextRedo.map { UInt64(clamping: $0) }
    }
    return nil
  }

  /// Returns the sequence of the command that made a change, which may have been redone since.
  private mutating func change(
    of command: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> UInt64 {
    var command = command
    // Each link leads to an earlier record, so this ends.
    while let links = command.links {
      if let change = links.change { return UInt64(clamping: change) }
      command = try linkedCommand(
        at: UInt64(clamping: links.target), isUndo: links.isRedo, from: command, view)
    }
    return command.sequence
  }
}

// MARK: Restores

extension UndoSearch {
  /// Returns the undo of what is in effect of a change.
  ///
  /// - Parameters:
  ///   - standing: The change.
  ///   - newest: The newest command of the user.
  ///   - edits: The edits of the undo; by default those that take the change back.
  ///   - count: The number of facts with edits so far.
  ///   - view: A view of the log.
  private mutating func undo(
    _ standing: Standing, after newest: Command, edits: [App.Edit]? = nil, count: Int64,
    _ view: borrowing ReadView
  ) throws(StoreError) -> Restore<App.Edit> {
    let (base, latest) = (standing.base, standing.latest)
    try requireFacts(of: base)
    var restore = Restore(
      links: links(
        to: latest, isRedo: false, after: newest, change: try change(of: base, view)),
      expectedCount: count, edits: edits ?? [])
    if edits == nil { restore.edits = try self.edits(undoing: standing, view) }
    if latest.isUndo {
      let next = try standingUndo(
        newest.nextRedo, except: latest.sequence, from: newest, view)
      restore.links.nextRedo = next.map { Int64(clamping: $0) }
    }
    guard newest.nextUndo == base.sequence else { return restore }
    // A change that was brought back can be followed by older ones, so its undo may have to wait
    // for theirs.
    if base.links != nil || latest.isUndo,
      try outcome(of: restore, view)?.unrestored.isEmpty == false
    {
      return restore
    }
    restore.links.nextUndo = try change(below: base, view).map { Int64(clamping: $0) }
    return restore
  }

  /// Returns the redo of an undo and of the undos that it continues.
  private mutating func redo(
    _ undone: Command, after newest: Command, edits: [App.Edit]? = nil, count: Int64,
    _ view: borrowing ReadView
  ) throws(StoreError) -> Restore<App.Edit> {
    try requireFacts(of: undone)
    var restore = Restore(
      links: links(to: undone, isRedo: true, after: newest, change: try change(of: undone, view)),
      expectedCount: count, edits: edits ?? [])
    if edits == nil { restore.edits = try self.edits(bringingBack: undone, view) }
    let next = try standingUndo(newest.nextRedo, except: undone.sequence, from: newest, view)
    restore.links.nextRedo = next.map { Int64(clamping: $0) }
    return restore
  }

  private func links(
    to target: Command, isRedo: Bool, after newest: Command, change: UInt64
  ) -> RestoreLinks {
    RestoreLinks(
      target: Int64(clamping: target.sequence), isRedo: isRedo,
      nextUndo: newest.nextUndo.map { Int64(clamping: $0) },
      nextRedo: newest.nextRedo.map { Int64(clamping: $0) }, change: Int64(clamping: change))
  }

  private func requireFacts(of command: Command) throws(StoreError) {
    guard command.hasRetiredFacts else { return }
    throw StoreError(
      .incompatible, what: "The command of record \(command.sequence) cannot be taken back.",
      why: "One of its facts is a case that this build no longer has.",
      advice: "Take it back with a build that has the case, or change the values by hand.")
  }

  /// Returns the undo that another one continues, if it continues one.
  private mutating func undo(
    continuedBy undo: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> Command? {
    // The first undo of a change has the command of the change as its target.
    guard let links = undo.links, links.target != links.change,
      let target = try ownCommand(at: UInt64(clamping: links.target), view), target.isUndo
    else { return nil }
    return target
  }

  /// Returns the edits that are in effect after a change or a redo, as far as nothing was changed
  /// since.
  private mutating func edits(
    of base: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> [App.Edit] {
    var base = base
    // A redo brings back what undos took, and that may be less than the change.
    while let links = base.links {
      guard var undo = try ownCommand(at: UInt64(clamping: links.target), view) else { break }
      if !undo.isUndo {
        // It took what another redo had left.
        base = try linkedCommand(
          at: try change(of: base, view), isUndo: false, from: base, view)
        continue
      }
      var undos = [undo]
      while let continued = try self.undo(continuedBy: undo, view) {
        undos.append(continued)
        undo = continued
      }
      guard let place = undo.links.map({ UInt64(clamping: $0.target) }) else { break }
      var isPartial = false
      for index in 0..<undos.count where undos[index].leavesRest(at: place) { isPartial = true }
      guard isPartial else { break }
      base = try linkedCommand(at: place, isUndo: false, from: undo, view)
    }
    return base.edits
  }

  /// Returns the edits that take back what is in effect of a change.
  ///
  /// The present values alone do not tell what its undos took: another change may have set a field
  /// that they left to the value before. When that one is undone, the value of this one is back.
  private mutating func edits(
    undoing standing: Standing, _ view: borrowing ReadView
  ) throws(StoreError) -> [App.Edit] {
    let edits = try edits(of: standing.base, view)
    let inverted = Self.inverted(edits)
    guard standing.latest.isUndo, let state else { return inverted }
    // The values as if the change and its undos had come last.
    var values = App.undoablePart(of: state)
    for index in 0..<edits.count { edits[index].apply(to: &values) }
    for index in 0..<standing.undone.count { standing.undone[index].apply(to: &values) }
    return Self.rebased(inverted, on: values, overwriting: false)
  }

  /// Returns the edits that bring back what an undo took, and what earlier undos of the same change
  /// took that is not brought back.
  private mutating func edits(
    bringingBack undone: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> [App.Edit] {
    var undo = undone
    var edits = Self.inverted(undone.edits)
    var hasFailed = false
    while let links = undo.links,
      var earlier = try ownCommand(at: UInt64(clamping: links.target), view)
    {
      if !earlier.isUndo {
        // A redo that left fields as they were brought back less than it was to.
        guard let links = earlier.links, earlier.hasUnrestored,
          let failed = try ownCommand(at: UInt64(clamping: links.target), view), failed.isUndo
        else { break }
        earlier = failed
        hasFailed = true
      }
      edits += Self.inverted(earlier.edits)
      undo = earlier
    }
    // What a redo did bring back is in the edits twice.
    return hasFailed ? rebased(edits, overwriting: false) : edits
  }

  private static func inverted(_ edits: [App.Edit]) -> [App.Edit] {
    // A loop, because key paths and closures would look up their types at run time in generic code.
    var inverted: [App.Edit] = []
    inverted.reserveCapacity(edits.count)
    for index in (0..<edits.count).reversed() { inverted.append(edits[index].inverted) }
    return inverted
  }

  /// Returns edits without what is so already, as far as the state is known.
  private func rebased(_ edits: [App.Edit], overwriting: Bool) -> [App.Edit] {
    guard let state else { return edits }
    return Self.rebased(edits, on: App.undoablePart(of: state), overwriting: overwriting)
  }

  private static func rebased(
    _ edits: [App.Edit], on values: App.Edit.State, overwriting: Bool
  ) -> [App.Edit] {
    var next = values
    var rebased: [App.Edit] = []
    for index in 0..<edits.count {
      guard let edit = edits[index].rebased(on: next, overwriting: overwriting) else { continue }
      edit.apply(to: &next)
      rebased.append(edit)
    }
    return rebased
  }

  /// Returns whether an undo is the first one of a change, or undoes a field that the latest undo
  /// left.
  ///
  /// What is left of a change is passed over while nothing of it can be undone.
  private func isUseful(
    _ restore: Restore<App.Edit>, after latest: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> Bool {
    guard latest.isUndo else { return true }
    guard let outcome = try outcome(of: restore, view), !outcome.edits.isEmpty else {
      return false
    }
    return latest.unrestored.contains { !outcome.unrestored.contains($0) }
  }

  /// Returns what a restore would leave as it is, if it would change nothing because of that;
  /// otherwise `nil`.
  func rest(
    ofVoid restore: Restore<App.Edit>, _ view: borrowing ReadView
  ) throws(StoreError) -> [UnrestoredField]? {
    // Of most restores the first edit alone tells that they change something.
    var first = restore
    first.edits = Array(restore.edits.prefix(1))
    if let outcome = try outcome(of: first, view), !outcome.edits.isEmpty { return nil }
    guard let outcome = try outcome(of: restore, view), outcome.edits.isEmpty,
      !outcome.unrestored.isEmpty
    else { return nil }
    return outcome.unrestored
  }

  /// Returns what a restore would lead to; `nil` if the state is unknown, or if it is refused.
  private func outcome(
    of restore: Restore<App.Edit>, _ view: borrowing ReadView
  ) throws(StoreError) -> Restored<App.Edit>? {
    guard let state else { return nil }
    let moment = try view.withRecord(at: last) { $0.moment }
    let command = App.command(for: restore)
    guard let facts = try? App.decider.decide(command, on: state, at: moment) else { return nil }
    for index in 0..<facts.count {
      if let restored = App.restored(in: facts[index]) { return restored }
    }
    return nil
  }
}

// MARK: A change by its sequence

extension UndoSearch {
  /// Returns the undo of a change, or the redo of its undo; `nil` if the change is not in effect or
  /// not undone, see ``status(ofChange:_:)``, or if nothing more of it can be undone.
  ///
  /// - Parameters:
  ///   - change: The sequence of the command.
  ///   - isRedo: Whether to redo.
  ///   - taking: Whether the values of the change are set whatever values there are. It is possible
  ///     also after an undo or a redo that left values as they were.
  ///   - count: The number of facts with edits so far.
  ///   - view: A view of the log.
  /// - Complexity: As ``restore(isRedo:since:after:count:_:)``, and O(undos and redos of the
  ///   change).
  /// - Throws: As ``restore(isRedo:since:after:count:_:)``.
  mutating func restore(
    ofChange change: UInt64, isRedo: Bool, taking: Bool, count: Int64,
    _ view: borrowing ReadView
  ) throws(StoreError) -> Restore<App.Edit>? {
    let found = try find(change, view)
    guard let made = found.made, let standing = found.standing else { return nil }
    // What a restore left as it was can be taken later.
    let hasRest = taking && standing.latest.hasUnrestored
    let isPossible =
      isRedo ? standing.latest.isUndo || hasRest : standing.isInEffect || hasRest
    guard isPossible, let newest = try newestCommand(through: last, view) else { return nil }
    var edits: [App.Edit]?
    if taking {
      edits = rebased(isRedo ? made.edits : Self.inverted(made.edits), overwriting: true)
    }
    if isRedo {
      return try redo(standing.latest, after: newest, edits: edits, count: count, view)
    }
    let restore = try undo(standing, after: newest, edits: edits, count: count, view)
    if !taking {
      guard try isUseful(restore, after: standing.latest, view) else { return nil }
    }
    return restore
  }

  /// Returns whether a change of this user is in effect.
  ///
  /// - Complexity: O(undos and redos of the change).
  /// - Throws: `damaged` for an invalid link.
  mutating func status(
    ofChange change: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> ChangeStatus {
    try find(change, view).status
  }

  /// Returns the change whose undo is the newest one in effect, among the newest commands of all
  /// users.
  ///
  /// - Parameters:
  ///   - commandsMax: The number of commands to look at.
  ///   - view: A view of the log.
  /// - Complexity: O(records of the commands).
  /// - Throws: `damaged` for an invalid link.
  mutating func newestUndone(
    commandsMax: Int, _ view: borrowing ReadView
  ) throws(StoreError) -> UInt64? {
    var count = 0
    var taken: Set<Int64> = []
    var found: Command?
    recordsVisited += try view.forEachCommand(through: last) { (place) throws(StoreError) in
      count += 1
      guard !place.hasCause, try belongsToUser(place.session, view) else {
        return count < commandsMax
      }
      let command = try command(at: place, view)
      if command.isUndo, !taken.contains(Int64(clamping: command.sequence)) {
        found = command
        return false
      }
      if let links = command.links { taken.insert(links.target) }
      return count < commandsMax
    }
    guard let found else { return nil }
    return try change(of: found, view)
  }

  /// Returns the sequence of the newest change whose edits satisfy a condition, among the newest
  /// commands of all users.
  ///
  /// - Parameters:
  ///   - commandsMax: The number of commands to look at.
  ///   - view: A view of the log.
  ///   - isWanted: The condition.
  /// - Complexity: O(records of the commands).
  mutating func newestChange(
    commandsMax: Int, _ view: borrowing ReadView, where isWanted: ([App.Edit]) -> Bool
  ) throws(StoreError) -> UInt64? {
    var count = 0
    var found: UInt64?
    recordsVisited += try view.forEachCommand(through: last) { (place) throws(StoreError) in
      count += 1
      if !place.hasCause, try belongsToUser(place.session, view) {
        let command = try command(at: place, view)
        if command.links == nil, isWanted(command.edits) { found = command.sequence }
      }
      return found == nil && count < commandsMax
    }
    return found
  }

  /// Returns the status of a change, with the command that made it and what is in effect of it.
  private mutating func find(
    _ sequence: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> (status: ChangeStatus, made: Command?, standing: Standing?) {
    guard sequence > 0, sequence <= last else { return (.unknown, nil, nil) }
    let record = try view.withRecord(at: sequence) { record in
      (
        isCommand: record.kind == .command, hasCause: record.cause != nil,
        session: record.session
      )
    }
    guard record.isCommand, !record.hasCause else { return (.unknown, nil, nil) }
    let made = try command(at: try place(of: sequence, in: record.session, view), view)
    guard made.links != nil || !made.edits.isEmpty || made.hasRetiredFacts else {
      return (.unknown, nil, nil)
    }
    guard try belongsToUser(record.session, view) else {
      return (.ofAnotherUser(login: try login(of: record.session, view)), nil, nil)
    }
    guard made.links == nil else {
      return (.restore(of: try change(of: made, view)), nil, nil)
    }
    var standing = Standing(made)
    while let next = try restore(ofLatest: standing.latest, view) {
      if next.isUndo {
        standing.add(undo: next)
        // What is undone stays so, also if another undo takes what the first one left.
        if standing.isInEffect {
          standing.isInEffect = next.leavesRest(at: standing.base.sequence)
        }
      } else {
        standing = Standing(next)
      }
    }
    let status: ChangeStatus =
      switch (standing.isInEffect, standing.latest.isUndo) {
      case (true, false): .inEffect
      case (true, true): .undoneInPart
      case (false, _): .undone
      }
    return (status, made, standing)
  }

  /// Returns the restore that took back the latest command about a change, if any.
  private mutating func restore(
    ofLatest command: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> Command? {
    if let restore = try restore(of: command.sequence, view) { return restore }
    let isKeyed =
      if let links = command.links { links.change != nil } else {
        try hasKeys(under: command.schema, of: command.sequence, view)
      }
    return isKeyed ? nil : try restoreWithoutKey(of: command.sequence, view)
  }
}

// MARK: What took a command back

extension UndoSearch {
  /// Returns the restore that took a command back, as far as keys tell; `nil` if none did.
  ///
  /// The links lead only to commands that restores without keys did not take back.
  ///
  /// - Complexity: O(log keys); after the log has removed keys, O(records after the command).
  private mutating func restore(
    of target: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> Command? {
    if let restore = assumed[target] { return restore }
    if let batch = try view.batch(ofKey: BatchKey.text(ofRestore: Int64(clamping: target))) {
      let first = batch.sequences.lowerBound
      if first > target, let command = try ownCommand(at: first, view),
        command.links?.target == Int64(clamping: target)
      {
        return command
      }
    }
    guard try view.mayHaveRemovedKeys(after: target, keeping: keyLimit) else { return nil }
    return try restoreWithoutKey(of: target, view)
  }

  /// Returns the restore that took a command back; `nil` if none did.
  ///
  /// - Complexity: O(records after the command).
  private mutating func restoreWithoutKey(
    of target: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> Command? {
    var found: Command?
    recordsVisited += try view.forEachCommand(through: last) { (place) throws(StoreError) in
      guard place.sequence > target else { return false }
      guard !place.hasNoFacts, try belongsToUser(place.session, view) else { return true }
      let command = try command(at: place, view)
      guard command.links?.target == Int64(clamping: target) else { return true }
      found = command
      return false
    }
    return found
  }

  /// Returns whether the restores of changes under an action schema have keys.
  ///
  /// The build that writes keys also writes ``RestoreLinks/change``.
  private mutating func hasKeys(
    under schema: UInt32, of sequence: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> Bool {
    if plan.schema(schema)?.verdict == .same { return true }
    if let known = keyedSchemas[schema] { return known }
    let recorded = try view.parsedSchema(schema, of: sequence)
    let result = recorded.hasField("change", ofRecord: RestoreLinks.recordedName)
    keyedSchemas[schema] = result
    return result
  }
}

extension Schema {
  /// Returns whether a type of records in the schema has a field.
  fileprivate func hasField(_ field: String, ofRecord record: String) -> Bool {
    switch self {
    case .record(record, _, let fields): fields.contains { $0.name == field }
    case .record(_, _, let fields):
      fields.contains { $0.type.hasField(field, ofRecord: record) }
    case .union(let types): types.contains { $0.hasField(field, ofRecord: record) }
    case .array(let type), .map(let type), .logical(_, let type), .ruled(_, let type):
      type.hasField(field, ofRecord: record)
    default: false
    }
  }
}

// MARK: Commands

extension UndoSearch {
  /// Returns the command that an undo or a redo links to, after checking the link.
  ///
  /// - Parameter isUndo: Whether the command has to be an undo.
  private mutating func linkedCommand(
    at sequence: UInt64, isUndo: Bool, from newest: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> Command {
    if let command = try ownCommand(at: sequence, view),
      command.isUndo == isUndo || command.hasRetiredFacts
    {
      return command
    }
    throw StoreError.damaged(
      sequence: newest.sequence, detail: "it links to record \(sequence), which cannot be undone")
  }

  /// Returns the command at a record; `nil` if the record is no command of the user.
  private mutating func ownCommand(
    at sequence: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> Command? {
    if let command = assumedCommands[sequence] { return command }
    guard sequence > 0, sequence <= last else { return nil }
    if let newest, newest.sequence == sequence { return newest }
    let found = try view.withRecord(at: sequence) { record in
      (isCommand: record.kind == .command, session: record.session)
    }
    guard found.isCommand, try belongsToUser(found.session, view) else { return nil }
    return try command(at: try place(of: sequence, in: found.session, view), view)
  }

  /// Returns the place of the command at a record.
  private func place(
    of sequence: UInt64, in session: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> CommandPlace {
    var end: UInt64?
    if sequence < last {
      end = try view.firstRecord(in: sequence + 1...last) { $0.startsBatch }
    }
    return CommandPlace(
      sequence: sequence, session: session, hasCause: false, end: end ?? last + 1)
  }

  /// Returns the newest command of the user whose facts have edits, or are retired.
  ///
  /// A command with a cause comes from an effect, so it is no change of the user.
  ///
  /// - Parameter last: The last record of a batch, or 0.
  private mutating func newestCommand(
    through last: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> Command? {
    var newest: Command?
    recordsVisited += try view.forEachCommand(through: last) { (place) throws(StoreError) in
      guard !place.hasCause, try belongsToUser(place.session, view) else { return true }
      let command = try command(at: place, view)
      guard command.links != nil || !command.edits.isEmpty || command.hasRetiredFacts else {
        return true
      }
      newest = command
      return false
    }
    self.newest = newest ?? self.newest
    return newest
  }

  private mutating func belongsToUser(
    _ session: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> Bool {
    try login(of: session, view).utf8.elementsEqual(login.utf8)
  }

  /// Returns the login name of a session; empty if unknown.
  private mutating func login(
    of session: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> String {
    try origins.origin(of: session, in: view)?.login ?? ""
  }

  /// Returns whether the store made a command for an undo or a redo.
  ///
  /// The links of a restore that a caller made are not followed, so the restore counts as a change.
  private static func isRestore(_ record: borrowing RecordCursor) throws(StoreError) -> Bool {
    try record.storedPayload(as: RecordedCommand.self).origin == .undo
  }

  /// Returns the command at a place, with the edits of the facts that follow it.
  ///
  /// - Throws: `damaged` if a link of an undo or a redo does not lead to an earlier record, so that
  ///   links cannot form a cycle.
  private mutating func command(
    at place: CommandPlace, _ view: borrowing ReadView
  ) throws(StoreError) -> Command {
    var command = Command(sequence: place.sequence)
    guard !place.hasNoFacts else { return command }
    commandsRead += 1
    var facts: [App.Action] = []
    var hasRetiredFacts = false
    var isRestore = false
    try view.scan(from: place.sequence, through: place.end - 1) { record throws(StoreError) in
      if record.kind == .command {
        isRestore = try Self.isRestore(record)
        command.schema = record.schema
      }
      guard record.kind == .action else { return }
      do throws(FoldError) {
        if let actions = try plan.actions(of: record) {
          for index in 0..<actions.count { facts.append(actions[index]) }
        } else {
          hasRetiredFacts = true
        }
      } catch {
        throw StoreError(error)
      }
    }
    command.hasRetiredFacts = hasRetiredFacts
    for fact in facts {
      let edits = App.edits(of: fact)
      for index in 0..<edits.count { command.edits.append(edits[index]) }
      guard isRestore, let restored = App.restored(in: fact) else { continue }
      let links = restored.links
      command.unrestored = restored.unrestored
      for case let link? in [links.target, links.nextUndo, links.nextRedo, links.change] {
        guard link > 0, link < Int64(clamping: place.sequence) else {
          throw StoreError.damaged(
            sequence: place.sequence,
            detail: "it links to record \(link), which is not before it")
        }
      }
      command.links = links
    }
    return command
  }
}
