import RetraceArchitecture
import RetraceAvro
public import RetraceLog
public import RetraceState
public import RetraceStorage
public import TimeTracking
import TrackerFeatures

/// A command in the log that changed entities.
public struct RecordedChange: Sendable {
  /// The sequence of the command's record.
  public var sequence: UInt64
  /// When it was decided.
  public var moment: Moment
  /// The login name of the user who made it; empty if unknown.
  public var login: String
  /// Where the command came from.
  public var origin: RecordedCommand.Origin
  /// What its facts changed.
  public var edits: [DomainEdit]
  /// The sequence of the command that an undo or a redo takes back; `nil` for other commands.
  public var restores: UInt64?
  /// Whether the command is a redo.
  public var isRedo: Bool
  /// Whether a later undo or redo took the change back.
  public var isTakenBack: Bool
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
    try storage.withReadView { view throws(StoreError) in
      var reader = ChangeReader(try view.plan(for: TimeTracker.self))
      try reader.forEachChange(in: view, body)
    }
  }
}

extension TrackerStore {
  /// Returns the entries whose newest change was made by an import.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - path: The directory of the store.
  /// - Complexity: As ``forEachChange(at:_:)``, up to the change that was found last; O(1) for no
  ///   entries.
  /// - Throws: As ``forEachChange(at:_:)``.
  public static func lastChangedByImport(
    _ entries: Set<TimeEntryID>, at path: String
  ) throws(StoreError) -> Set<TimeEntryID> {
    guard !entries.isEmpty else { return [] }
    var rest = entries
    var imported: Set<TimeEntryID> = []
    try forEachChange(at: path) { change in
      for case .entry(let edit) in change.edits {
        let id =
          switch edit {
          case .inserted(let id, _), .removed(let id, _): id
          case .changed(let id, _): id
          }
        if rest.remove(id) != nil, change.origin == .importing { imported.insert(id) }
      }
      return !rest.isEmpty
    }
    return imported
  }
}

/// Reads the changes of a log, newest first.
private struct ChangeReader {
  private let plan: DecodingPlan<TimeTracker>
  /// The login names of the sessions met so far.
  private var logins: [UInt64: String] = [:]
  /// Whether a command is taken back, for the commands that a newer restore is about.
  private var isTakenBack: [UInt64: Bool] = [:]

  init(_ plan: DecodingPlan<TimeTracker>) { self.plan = plan }

  mutating func forEachChange(
    in view: borrowing ReadView, _ body: (RecordedChange) -> Bool
  ) throws(StoreError) {
    try view.forEachCommand(through: view.head.sequence) { (place) throws(StoreError) in
      guard !place.hasNoFacts else { return true }
      let change = try change(at: place, view)
      guard !change.edits.isEmpty || change.restores != nil else { return true }
      return body(change)
    }
  }

  private mutating func change(
    at place: CommandPlace, _ view: borrowing ReadView
  ) throws(StoreError) -> RecordedChange {
    var change = RecordedChange(
      sequence: place.sequence, moment: Moment(microseconds: 0), login: "", origin: .program,
      edits: [], restores: nil, isRedo: false, isTakenBack: false)
    var session: UInt64 = 0
    let plan = plan
    try view.scan(from: place.sequence, through: place.end - 1) { record throws(StoreError) in
      if record.kind == .command {
        change.moment = record.moment
        session = record.session
        change.origin = try Self.payload(RecordedCommand.self, of: record).origin
      }
      guard record.kind == .action else { return }
      do throws(FoldError) {
        for fact in try plan.actions(of: record) ?? [] {
          change.edits += TimeTracker.edits(of: fact)
          guard let links = TimeTracker.restored(in: fact)?.links else { continue }
          change.restores = UInt64(clamping: links.target)
          change.isRedo = links.isRedo
        }
      } catch {
        throw StoreError(error)
      }
    }
    change.login = try login(of: session, view)
    change.isTakenBack = isTakenBack.removeValue(forKey: place.sequence) ?? false
    // The newest restore of a command says whether it is taken back.
    if let target = change.restores, isTakenBack[target] == nil {
      isTakenBack[target] = !change.isTakenBack
    }
    return change
  }

  private mutating func login(
    of session: UInt64, _ view: borrowing ReadView
  ) throws(StoreError) -> String {
    if let known = logins[session] { return known }
    let opened = try view.withRecord(at: session) { record throws(StoreError) in
      try Self.payload(SessionOpened.self, of: record)
    }
    let login = opened.origin?.login ?? ""
    logins[session] = login
    return login
  }

  private static func payload<Payload: SystemPayload>(
    _ type: Payload.Type, of record: borrowing RecordCursor
  ) throws(StoreError) -> Payload {
    do throws(AvroError) {
      return try record.systemPayload(as: type)
    } catch {
      throw StoreError.damaged(sequence: record.sequence, detail: "payload: \(error)")
    }
  }
}
