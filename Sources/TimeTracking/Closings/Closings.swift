public import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// The decisions and rules of closed periods.
public enum Closings: EntityModule {
  /// The ids.
  public typealias ID = ClosingID
  /// The changes.
  public typealias Changes = ClosingChanges
  /// The commands.
  public typealias Command = ClosingCommand
  /// The refusals.
  public typealias Refusal = ClosingRefusal

  /// Decides a command.
  public static func decide(
    _ command: ClosingCommand, in editor: inout EntityEditor<DomainEdit>
  ) throws(ClosingRefusal) {
    switch command {
    case .close(let closing): try close(closing, in: &editor)
    case .reopen(let id, reason: _):
      guard editor.state.closings.live(id) != nil else { throw .unknown(id) }
      let moment = editor.moment
      editor.change(id, of: Self.self) { $0.deleted = moment }
    }
  }

  /// Returns whether nothing runs in a period that an undo or a redo has closed again.
  public static func allows(_ id: ClosingID, in state: borrowing DomainState) -> Bool {
    guard let closing = state.closings.live(id) else { return true }
    return state.runningEntries(in: closing).isEmpty
  }

  /// Returns the closed periods that are empty, or in which an entry runs.
  ///
  /// - Complexity: O(closings × running entries).
  public static func violations(of state: borrowing DomainState) -> [Violation] {
    var violations: [Violation] = []
    state.forEachClosing { id, closing in
      if closing.start >= closing.end {
        violations.append(Violation(of: "no closed period is empty", "closing \(id.value)"))
      }
      for entry in state.runningEntries(in: closing) {
        violations.append(
          Violation(
            of: "nothing runs in a closed period", "entry \(entry.value) in closing \(id.value)"))
      }
    }
    return violations
  }

  /// Sets the moment of the last change.
  public static func touch(_ entity: inout Closing, at moment: Moment) {
    entity.modified = moment
  }

  private static func close(
    _ given: Closing, in editor: inout EntityEditor<DomainEdit>
  ) throws(ClosingRefusal) {
    var closing = given
    (closing.closed, closing.modified) = (editor.moment, editor.moment)
    (closing.deleted, closing.externalIDs) = (nil, [])
    let isInOrder =
      TimeEntry.moments.contains(closing.start) && TimeEntry.moments.contains(closing.end)
      && closing.start < closing.end
    guard isInOrder else { throw .invalid(field: "end") }
    guard closing.login.utf8.count <= Name.bytesMax else { throw .invalid(field: "login") }
    if let reason = closing.reason, reason.utf8.count > Closing.reasonBytesMax {
      throw .invalid(field: "reason")
    }
    do throws(EntityRefusal) {
      switch closing.scope {
      case .all: break
      case .user(let id): _ = try Users.live(id, in: editor)
      case .client(let id):
        guard let target = editor.state.clients.resolve(id) else {
          throw .unknown(type: ClientID.recordedName, id: id.value)
        }
        closing.scope = .client(target)
      }
    } catch {
      throw .entity(error)
    }
    guard closing.end <= editor.moment else { throw .notOver(closing.end) }
    let running = editor.state.runningEntries(in: closing)
    guard running.isEmpty else { throw .running(running) }
    if let (id, other) = editor.state.closing(covering: closing) {
      throw .alreadyClosed(id, other)
    }
    editor.insert(closing, of: Self.self)
  }
}

extension DomainState {
  /// Calls `body` with the closed periods, in order of their ids.
  ///
  /// - Parameters:
  ///   - start: A moment; only periods that end after it are visited. `nil` for all.
  ///   - body: Receives the id of a closing, and the closing.
  /// - Complexity: O(closings that end after the start).
  public func forEachClosing(after start: Moment? = nil, _ body: (ClosingID, Closing) -> Void) {
    let first = start?.microseconds ?? .min
    guard first < .max else { return }
    // Reopened closings have the lowest sort key.
    closings.forEach(inSortKeys: first + 1...Int64.max, body)
  }

  /// Returns the entries that run in a period and are of its scope.
  ///
  /// - Complexity: O(running entries).
  func runningEntries(in closing: Closing) -> [TimeEntryID] {
    var view = ClosedView(self)
    var found: [TimeEntryID] = []
    forEachRunningEntry { id, entry in
      if entry.start < closing.end, view.covers(closing.scope, entry) { found.append(id) }
    }
    return found
  }

  /// Returns a closing of the same scope with all of a period, if there is one.
  fileprivate func closing(covering period: Closing) -> (id: ClosingID, closing: Closing)? {
    var view = ClosedView(self)
    var found: (id: ClosingID, closing: Closing)?
    forEachClosing(after: period.start) { id, other in
      if found == nil, other.start <= period.start, other.end >= period.end,
        view.resolved(other.scope) == view.resolved(period.scope)
      {
        found = (id, other)
      }
    }
    return found
  }
}
