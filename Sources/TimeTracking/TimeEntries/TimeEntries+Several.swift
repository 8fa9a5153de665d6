import RetraceArchitecture
import RetraceAvro
import RetraceState

extension TimeEntries {
  /// Performs commands in order.
  ///
  /// - Throws: The refusal of a command, or of all if one takes time that a correction gives to its
  ///   entry.
  static func carryOut(
    _ commands: [TimeEntryCommand], in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    let corrections = AdjustingCorrections(of: commands, in: editor.state)
    do throws(TimeEntryRefusal) {
      for command in commands { try decide(command, in: &editor) }
    } catch {
      // The command may be refused because an earlier command took all time of its entry.
      let lost = corrections.lost(in: editor.state)
      throw lost.isEmpty ? error : .takenByOthers(lost)
    }
    let lost = corrections.lost(in: editor.state)
    if !lost.isEmpty { throw .takenByOthers(lost) }
  }
}

/// The corrections of one change that adjust other entries.
///
/// They detect whether another command of the change took time of a corrected entry.
public struct AdjustingCorrections {
  /// The corrected entries, each with the starts and ends before and after its correction.
  ///
  /// After all commands, any other start or end means that the entry has lost time.
  private var expected: [(id: TimeEntryID, starts: [Moment], ends: [Moment?])] = []

  /// Finds the corrections under ``RuleSet/second`` in commands that are performed as one change.
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - state: The entities before them.
  public init(of commands: [TimeEntryCommand], in state: DomainState) {
    guard commands.count > 1 else { return }
    for case .correct(let id, let correction, .adjust, let rules, reason: _) in commands {
      guard rules != .first, let entry = state.timeEntries.live(id) else { continue }
      let start = correction.changes.start?.after ?? entry.start
      let end = correction.changes.end.map { $0.after } ?? entry.end
      expected.append((id, [entry.start, start], [entry.end, end]))
    }
  }

  /// Whether there are no such corrections.
  public var isEmpty: Bool { expected.isEmpty }

  /// Returns the corrected entries that have lost time to other commands.
  ///
  /// - Parameter state: The entities after the commands, or before the command that is refused.
  public func lost(in state: DomainState) -> [TimeEntryID] {
    expected.filter { id, starts, ends in
      guard let entry = state.timeEntries.live(id) else { return true }
      return !(starts.contains(entry.start) && ends.contains(entry.end))
    }.map { $0.id }
  }
}
