import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
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
  /// The number of commands whose facts were read.
  private(set) var commandsRead = 0
  /// The number of records that were looked at.
  private(set) var recordsRead: UInt64 = 0

  init(_ view: borrowing ReadView, login: String) throws(StoreError) {
    plan = try view.plan(for: App.self)
    self.login = login
  }

  /// A command with the edits of its facts.
  private struct Command {
    var sequence: UInt64
    var edits: [App.Edit]
    /// The links, if the command is an undo or a redo.
    var links: RestoreLinks?
    /// Whether a fact has a case that the app has retired.
    var hasRetiredFacts = false

    /// The command that the next undo after this one takes back.
    var nextUndo: UInt64? {
      if let links, !links.isRedo { return links.nextUndo.map { UInt64(clamping: $0) } }
      return sequence
    }

    /// The undo that the next redo after this command takes back.
    var nextRedo: UInt64? {
      guard let links else { return nil }
      return links.isRedo ? links.nextRedo.map { UInt64(clamping: $0) } : sequence
    }
  }

  /// Returns the undo of the newest change that is not undone, or the redo of the newest undo after
  /// which nothing was changed; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - isRedo: Whether to redo.
  ///   - last: The last record to look at.
  ///   - count: The number of facts with edits up to that record.
  ///   - view: A view of the log.
  /// - Complexity: O(records after the user's newest command); to undo a change, also O(records
  ///   between it and the command of the user before it).
  /// - Throws: `damaged` if an undo or a redo in the log links to something else than a command of
  ///   the user before it; `incompatible` if the command to take back has a fact whose case is
  ///   retired.
  mutating func restore(
    isRedo: Bool, through last: UInt64, count: Int64, _ view: borrowing ReadView
  ) throws(StoreError) -> Restore<App.Edit>? {
    guard let newest = try newestCommand(through: last, view),
      let target = isRedo ? newest.nextRedo : newest.nextUndo
    else { return nil }
    let undone =
      target == newest.sequence ? newest : try linkedCommand(at: target, from: newest, view)
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
    return Restore(
      links: links, expectedCount: count, edits: undone.edits.reversed().map(\.inverted))
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
  private mutating func linkedCommand(
    at sequence: UInt64, from newest: Command, _ view: borrowing ReadView
  ) throws(StoreError) -> Command {
    if sequence > 0, sequence < newest.sequence {
      let found = try view.withRecord(at: sequence) { record in
        (isCommand: record.kind == .command, session: record.session)
      }
      if found.isCommand, try belongsToUser(found.session, view) {
        return try command(at: sequence, through: newest.sequence, view)
      }
    }
    throw StoreError.damaged(
      sequence: newest.sequence, detail: "it links to record \(sequence), which cannot be undone")
  }

  /// The number of records that are read at a time, from the end backwards.
  private static var recordsPerScan: UInt64 { 1_024 }

  /// Returns the newest command of the user whose facts have edits.
  private mutating func newestCommand(
    through last: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> Command? {
    var end = last
    while end > 0 {
      let start = end - min(end, Self.recordsPerScan) + 1
      var commands: [(sequence: UInt64, session: UInt64)] = []
      recordsRead += end - start + 1
      try view.scan(from: start, through: end) { record in
        if record.kind == .command { commands.append((record.sequence, record.session)) }
      }
      for found in commands.reversed() {
        guard try belongsToUser(found.session, view) else { continue }
        let command = try command(at: found.sequence, through: last, view)
        if command.links != nil || !command.edits.isEmpty { return command }
      }
      end = start - 1
    }
    return nil
  }

  /// Returns whether a session was opened by the user.
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

  /// Returns the command at a sequence, with the edits of the facts that follow it.
  private mutating func command(
    at sequence: UInt64, through last: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> Command {
    commandsRead += 1
    var command = Command(sequence: sequence, edits: [])
    guard sequence < last else { return command }
    let next = try view.firstRecord(in: sequence + 1...last) { $0.startsBatch }
    let end = next ?? last + 1
    guard end > sequence + 1 else { return command }
    var facts: [App.Action] = []
    var hasRetiredFacts = false
    recordsRead += end - sequence - 1
    try view.scan(from: sequence + 1, through: end - 1) { record throws(StoreError) in
      guard record.kind == .action else { return }
      do throws(FoldError) {
        if let actions = try plan.actions(of: record) {
          facts += actions
        } else {
          hasRetiredFacts = true
        }
      } catch {
        throw StoreError(error)
      }
    }
    command.hasRetiredFacts = hasRetiredFacts
    for fact in facts {
      command.edits += App.edits(of: fact)
      if let restored = App.restored(in: fact) { command.links = restored.links }
    }
    return command
  }
}
