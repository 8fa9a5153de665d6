import Retrace
import RetraceStorage

/// A search of the log for the changes of one user, newest first.
///
/// Each undo and redo in the log links to the next one. So a restore needs the newest command of
/// the user and its target and, to undo a change, the command before that change.
struct UndoSearch<App: UndoableApp> {
  private let plan: DecodingPlan<App>
  /// The user's login name, as sessions record it; empty if unknown.
  private let login: String
  /// Whether a session is one of the user, for the sessions met so far.
  private var isOwn: [UInt64: Bool] = [:]
  private(set) var commandsRead = 0
  /// The number of records that were visited to find commands.
  private(set) var recordsVisited = 0

  /// Creates a search for the changes of a user.
  ///
  /// - Throws: `invalidConfiguration` without a login name, and as `ReadView.plan`.
  init(_ view: borrowing ReadView, login: String) throws(StoreError) {
    guard !login.isEmpty else { throw StoreError.undoneWithoutLogin }
    plan = try view.plan(for: App.self)
    self.login = login
  }

  private struct Command {
    var sequence: UInt64
    var edits: [App.Edit]
    var links: RestoreLinks?
    var hasRetiredFacts = false

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
  }

  /// Returns the undo of the newest change that is not undone, or the redo of the newest undo after
  /// which nothing was changed; otherwise `nil`.
  ///
  /// - Parameters:
  ///   - isRedo: Whether to redo.
  ///   - moment: A moment before which no change is taken back; `nil` for no limit.
  ///   - previous: The restore of the same kind that precedes this one and is not in the log; `nil`
  ///     if there is no such restore.
  ///   - last: The last record to look at.
  ///   - count: The number of facts with edits up to that record.
  ///   - view: A view of the log.
  /// - Complexity: O(records after the user's newest command); to undo a change, also O(records
  ///   between it and the command of the user before it).
  /// - Throws: `damaged` if an undo or a redo in the log has an invalid link: not to an earlier
  ///   command of the user, or to a command of the wrong kind; `incompatible` if the command to
  ///   take back has a fact whose case is retired.
  mutating func restore(
    isRedo: Bool, since moment: Moment? = nil, after previous: Restore<App.Edit>? = nil,
    through last: UInt64, count: Int64, _ view: borrowing ReadView
  ) throws(StoreError) -> Restore<App.Edit>? {
    // A restore that is not in the log is placed at its target, because its links lead to commands
    // before the target.
    let newest =
      if let links = previous?.links {
        Command(sequence: UInt64(clamping: links.target), edits: [], links: links)
      } else {
        try newestCommand(through: last, view)
      }
    guard let newest,
      let target = isRedo ? newest.nextRedo : newest.nextUndo
    else { return nil }
    let undone =
      target == newest.sequence
      ? newest : try linkedCommand(at: target, isUndo: isRedo, from: newest, view)
    if let moment, try self.moment(of: undone, view) < moment { return nil }
    if undone.hasRetiredFacts {
      throw StoreError(
        .incompatible, what: "The command of record \(target) cannot be taken back.",
        why: "One of its facts is a case that this build no longer has.",
        advice: "Take it back with a build that has the case, or change the values by hand.")
    }
    var links = RestoreLinks(
      target: Int64(clamping: target), isRedo: isRedo,
      nextUndo: newest.nextUndo.map { Int64(clamping: $0) },
      nextRedo: newest.nextRedo.map { Int64(clamping: $0) })
    if isRedo {
      links.nextRedo = undone.links?.nextRedo
    } else {
      links.nextUndo = try nextUndo(before: undone, view)
    }
    // A loop, because key paths and closures would look up their types at run time in generic code.
    var edits: [App.Edit] = []
    edits.reserveCapacity(undone.edits.count)
    for index in (0..<undone.edits.count).reversed() { edits.append(undone.edits[index].inverted) }
    return Restore(links: links, expectedCount: count, edits: edits)
  }

  /// Returns the moment of a user's change; for a redo, the moment of the original change.
  private mutating func moment(
    of command: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> Moment {
    var command = command
    // Each link leads to an earlier record, so this ends.
    while let links = command.links {
      command = try linkedCommand(
        at: UInt64(clamping: links.target), isUndo: links.isRedo, from: command, view)
    }
    return try view.withRecord(at: command.sequence) { $0.moment }
  }

  /// Returns the command that is undone after `undone`.
  private mutating func nextUndo(
    before undone: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> Int64? {
    if let links = undone.links { return links.nextUndo }
    let earlier = try newestCommand(through: undone.sequence - 1, view)
    return earlier?.nextUndo.map { Int64(clamping: $0) }
  }

  /// Returns the command that an undo or a redo links to, after checking the link.
  ///
  /// - Parameter isUndo: Whether the command has to be an undo.
  private mutating func linkedCommand(
    at sequence: UInt64, isUndo: Bool, from newest: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> Command {
    if sequence > 0, sequence < newest.sequence {
      let found = try view.withRecord(at: sequence) { record in
        (isCommand: record.kind == .command, session: record.session)
      }
      if found.isCommand, try belongsToUser(found.session, view) {
        // The newest command starts another batch.
        let end = try view.firstRecord(in: sequence + 1...newest.sequence) { $0.startsBatch }
        let place = CommandPlace(
          sequence: sequence, session: found.session, hasCause: false,
          end: end ?? newest.sequence)
        let command = try command(at: place, view)
        if command.isUndo == isUndo || command.hasRetiredFacts { return command }
      }
    }
    throw StoreError.damaged(
      sequence: newest.sequence, detail: "it links to record \(sequence), which cannot be undone")
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
    return newest
  }

  private mutating func belongsToUser(
    _ session: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> Bool {
    if let known = isOwn[session] { return known }
    let opened = try view.withRecord(at: session) { record throws(StoreError) in
      do throws(AvroError) {
        return try record.systemPayload(as: SessionOpened.self)
      } catch {
        throw StoreError.damaged(sequence: session, detail: "payload: \(error)")
      }
    }
    let result = (opened.origin?.login ?? "").utf8.elementsEqual(login.utf8)
    isOwn[session] = result
    return result
  }

  /// Returns whether the store made a command for an undo or a redo.
  ///
  /// The links of a restore that a caller made are not followed, so the restore counts as a change.
  private static func isRestore(_ record: borrowing RecordCursor) throws(StoreError) -> Bool {
    do throws(AvroError) {
      return try record.systemPayload(as: RecordedCommand.self).origin == .undo
    } catch {
      throw StoreError.damaged(sequence: record.sequence, detail: "payload: \(error)")
    }
  }

  /// Returns the command at a place, with the edits of the facts that follow it.
  ///
  /// - Throws: `damaged` if a link of an undo or a redo does not lead to an earlier record, so that
  ///   links cannot form a cycle.
  private mutating func command(
    at place: CommandPlace, _ view: borrowing ReadView
  ) throws(StoreError) -> Command {
    var command = Command(sequence: place.sequence, edits: [])
    guard !place.hasNoFacts else { return command }
    commandsRead += 1
    var facts: [App.Action] = []
    var hasRetiredFacts = false
    var isRestore = false
    try view.scan(from: place.sequence, through: place.end - 1) { record throws(StoreError) in
      if record.kind == .command { isRestore = try Self.isRestore(record) }
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
      guard isRestore, let links = App.restored(in: fact)?.links else { continue }
      for case let link? in [links.target, links.nextUndo, links.nextRedo] {
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
