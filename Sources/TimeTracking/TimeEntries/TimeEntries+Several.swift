import RetraceArchitecture
import RetraceState

extension TimeEntries {
  /// Carries out commands in order, and refuses all if one of them takes the time that a correction
  /// gives to its entry.
  static func carryOut(
    _ commands: [TimeEntryCommand], in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    let corrections = AdjustingCorrections(of: commands, in: editor.state)
    do throws(TimeEntryRefusal) {
      for command in commands { try decide(command, in: &editor) }
    } catch {
      // A correction may also find that there is nothing left of its entry.
      let lost = corrections.lost(in: editor.state)
      throw lost.isEmpty ? error : .takenByOthers(lost)
    }
    let lost = corrections.lost(in: editor.state)
    if !lost.isEmpty { throw .takenByOthers(lost) }
  }
}

/// The corrections among some commands by which other entries are adjusted, with the times that
/// their entries may have after all of the commands.
public struct AdjustingCorrections {
  private var expected: [(id: TimeEntryID, starts: [Moment], ends: [Moment?])] = []

  /// Finds the corrections under ``RuleSet/second`` in commands that are carried out as one change.
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - state: The entities before them.
  public init(of commands: [TimeEntryCommand], in state: DomainState) {
    guard commands.count > 1 else { return }
    for case .correct(let id, let correction, .adjust, let rules, reason: _) in commands {
      guard rules != .first, let entry = state.timeEntries.live(id) else { continue }
      let start = correction.changes.start?.after ?? entry.start
      let end = correction.changes.end.map(\.after) ?? entry.end
      expected.append((id, [entry.start, start], [entry.end, end]))
    }
  }

  /// Whether there are no such corrections.
  public var isEmpty: Bool { expected.isEmpty }

  /// Returns the entries that have lost time to others of the commands.
  ///
  /// - Parameter state: The entities after the commands, or before the one that is refused.
  public func lost(in state: DomainState) -> [TimeEntryID] {
    expected.filter { id, starts, ends in
      guard let entry = state.timeEntries.live(id) else { return true }
      return !(starts.contains(entry.start) && ends.contains(entry.end))
    }.map(\.id)
  }
}
