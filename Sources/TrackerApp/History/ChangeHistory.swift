public import Retrace
public import RetraceStorage
public import TimeTracking
import TrackerFeatures

/// A command in the log that changed entities.
public struct RecordedChange: Sendable {
  /// The sequence of the command's record.
  public var sequence: UInt64
  /// The moment of the decision.
  public var moment: Moment
  /// A remark on the moment, if there is one; only ``TrackerStore/readHistory(at:foldTrial:_:)``
  /// reads it.
  package var clock: RecordClocks.Remark?
  /// The login name of the user who made it; empty if unknown.
  public var login: String
  /// The origin of the command.
  public var origin: RecordedCommand.Origin
  /// The reason that the user gave, if any.
  public var reason: String?
  /// The edits of its facts.
  public var edits: [DomainEdit]
  /// The sequence of the command that an undo or a redo takes back; `nil` for other commands.
  public var restores: UInt64?
  /// The sequence of the command whose change it is, by which the change can be undone and brought
  /// back; `nil` for an undo or a redo of a build that did not record it.
  public var change: UInt64?
  /// Whether the command is a redo.
  public var isRedo: Bool
  /// Whether a later undo or redo took the change back.
  public var isTakenBack: Bool
  /// Whether that left fields of the change as they were.
  public var isTakenBackInPart: Bool
}

extension TrackerStore {
  /// Calls `body` with the changes in the log, newest first, until it returns `false`.
  ///
  /// The store is opened read-only, and nothing is written.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - body: Receives each change, and returns whether to continue.
  /// - Complexity: O(bytes of the records from the oldest change that `body` receives to the end).
  /// - Throws: The errors of opening; `damaged` for a record that cannot be read; `incompatible`
  ///   for a log that this build cannot read.
  public static func forEachChange(
    at path: String, _ body: (RecordedChange) -> Bool
  ) throws(StoreError) {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    try storage.forEachChange(through: nil, withClocks: false, body)
  }

  /// Returns the result of `body` for the latest state and the changes that lead to it.
  ///
  /// The store is opened read-only, and nothing is written.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - foldTrial: The way to fold the log in a child process; `nil` for none.
  ///   - body: Receives the state, the snapshot that it was opened from, and a function that visits
  ///     the changes up to that state as ``forEachChange(at:_:)`` does. It may be called twice. It
  ///     must not return the state, which reads pages of the store.
  /// - Complexity: O(records after the newest snapshot), plus `body`.
  /// - Throws: As ``forEachChange(at:_:)``; what `body` throws.
  public static func readHistory<Result>(
    at path: String, foldTrial: FoldTrial? = nil,
    _ body: (
      DomainState, SnapshotUse, ((RecordedChange) -> Bool) throws(StoreError) -> Void
    ) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    try storage.requireFoldable(foldTrial, by: TimeTracker.reducerFingerprint)
    return try storage.withState(of: TimeTracker.self) { state, use throws(StoreError) in
      try body(state.domain, use) { (isWanted) throws(StoreError) in
        try storage.forEachChange(through: use.sequence, withClocks: true, isWanted)
      }
    }
  }
}

extension LogStorage {
  /// Calls `body` with the changes up to a record, newest first, until it returns `false`.
  ///
  /// - Parameters:
  ///   - last: The record; `nil` for the last one.
  ///   - readsClocks: Whether the changes have the remarks on their moments, each of which takes a
  ///     search for the record before.
  ///   - body: Receives each change, and returns whether to continue.
  fileprivate func forEachChange(
    through last: UInt64?, withClocks readsClocks: Bool, _ body: (RecordedChange) -> Bool
  ) throws(StoreError) {
    try withReadView { view throws(StoreError) in
      var reader = ChangeReader(
        try view.plan(for: TimeTracker.self), withClocks: readsClocks)
      try reader.forEachChange(in: view, through: last ?? view.head.sequence) { change, _ in
        body(change)
      }
    }
  }
}

extension TrackerStore {
  /// Returns the entries whose newest change was made by an import.
  ///
  /// The import that created an entry counts. A redo counts as the command that it redoes.
  ///
  /// - Parameters:
  ///   - entries: The entries, each with the import that created it.
  ///   - path: The directory of the store.
  /// - Complexity: As ``forEachChange(at:_:)``, up to the oldest change that was needed; O(1) for
  ///   no entries.
  /// - Throws: As ``forEachChange(at:_:)``.
  public static func lastChangedByImport(
    _ entries: [TimeEntryID: ImportRunID], at path: String
  ) throws(StoreError) -> Set<TimeEntryID> {
    guard !entries.isEmpty else { return [] }
    var rest = entries
    var imported: Set<TimeEntryID> = []
    /// The entries whose newest change is a redo, by the sequence of the command that it restores:
    /// first the undo, then the undone command.
    var redone: [UInt64: Set<TimeEntryID>] = [:]
    try forEachChange(at: path) { change in
      var ids = redone.removeValue(forKey: change.sequence) ?? []
      for case .entry(let edit) in change.edits {
        let id =
          switch edit {
          case .inserted(let id, _), .removed(let id, _): id
          case .changed(let id, _): id
          }
        if rest.removeValue(forKey: id) != nil, change.isRedo || change.origin == .importing {
          ids.insert(id)
        }
      }
      for case .importRun(.changed(let run, let changes)) in change.edits
      where change.restores == nil && changes.isActive?.after == true {
        // Older commands cannot have changed these entries, which were invisible.
        imported.formUnion(rest.filter { $0.value == run }.keys)
        rest = rest.filter { $0.value != run }
      }
      if let target = change.restores {
        // A redo restores an undo, which restores the command.
        if !ids.isEmpty { redone[target, default: []].formUnion(ids) }
      } else if change.origin == .importing {
        imported.formUnion(ids)
      }
      return !rest.isEmpty || !redone.isEmpty
    }
    return imported
  }
}

/// A reader of the changes of a log, newest first.
struct ChangeReader: Sendable {
  private let plan: DecodingPlan<TimeTracker>
  private var commands = RecordedValues<DomainCommand>()
  private var clocks = RecordClocks()
  private let readsClocks: Bool
  /// Whether the target of an undo or a redo is taken back, by its sequence.
  private var isTakenBack: [UInt64: Bool] = [:]
  /// The newest undo or redo of a change, by the sequence of the change's command.
  private var newest: [UInt64: (isRedo: Bool, hasRest: Bool)] = [:]

  init(_ plan: DecodingPlan<TimeTracker>, withClocks readsClocks: Bool) {
    self.plan = plan
    self.readsClocks = readsClocks
  }

  /// Calls `body` with the changes up to a record, newest first, until it returns `false`.
  ///
  /// - Parameter body: Receives the change and the reader after it; returns whether to continue.
  mutating func forEachChange(
    in view: borrowing ReadView, through last: UInt64,
    _ body: (RecordedChange, ChangeReader) -> Bool
  ) throws(StoreError) {
    try view.forEachCommand(through: last) { (place) throws(StoreError) in
      guard !place.hasNoFacts else { return true }
      let change = try change(at: place, view)
      guard !change.edits.isEmpty || change.restores != nil else { return true }
      return body(change, self)
    }
  }

  private mutating func change(
    at place: CommandPlace, _ view: borrowing ReadView
  ) throws(StoreError) -> RecordedChange {
    var change = RecordedChange(
      sequence: place.sequence, moment: Moment(microseconds: 0), login: "", origin: .program,
      edits: [], restores: nil, change: place.sequence, isRedo: false, isTakenBack: false,
      isTakenBackInPart: false)
    var command: Envelope?
    var hasRest = false
    let plan = plan
    try view.scan(from: place.sequence, through: place.end - 1) { record throws(StoreError) in
      if record.kind == .command {
        change.moment = record.moment
        command = record.envelope
        let recorded = try record.storedPayload(as: RecordedCommand.self)
        change.origin = recorded.origin
        // Imports and undos have no reasons. Skipping them saves decoding the long imports.
        if ![.importing, .undo].contains(recorded.origin) {
          switch commands.value(of: recorded.command, in: view) {
          case .entry(let command): change.reason = command.reason
          case .closing(let command): change.reason = command.reason
          default: break
          }
        }
      }
      guard record.kind == .action else { return }
      do throws(FoldError) {
        for fact in try plan.actions(of: record) ?? [] {
          change.edits += TimeTracker.edits(of: fact)
          guard let restored = TimeTracker.restored(in: fact) else { continue }
          change.restores = UInt64(clamping: restored.links.target)
          change.change = restored.links.change.map { UInt64(clamping: $0) }
          change.isRedo = restored.links.isRedo
          hasRest = !restored.unrestored.isEmpty
        }
      } catch {
        throw StoreError(error)
      }
    }
    if let command {
      change.login = try clocks.origins.origin(of: command.session, in: view)?.login ?? ""
      if readsClocks { change.clock = try clocks.remark(onChange: command, in: view) }
    }
    change.isTakenBack = isTakenBack.removeValue(forKey: place.sequence) ?? false
    // The newest undo or redo of a change decides whether the change is undone.
    if change.restores == nil, let restore = newest.removeValue(forKey: place.sequence) {
      change.isTakenBack = !restore.isRedo
      change.isTakenBackInPart = !restore.isRedo && restore.hasRest
    }
    if let target = change.restores, isTakenBack[target] == nil {
      isTakenBack[target] = !change.isTakenBack
    }
    if change.restores != nil, let made = change.change, newest[made] == nil {
      newest[made] = (change.isRedo, hasRest)
    }
    return change
  }
}
