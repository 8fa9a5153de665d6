public import Retrace
public import TimeTracking

extension TimeEntryCommand {
  /// Returns the overlap that recording a future entry as it is allows, too; `nil` for none.
  ///
  /// The future is refused first, so the command is decided again at the time that the refusal
  /// names.
  ///
  /// - Parameters:
  ///   - refusal: The refusal of the command.
  ///   - domain: The entities.
  ///   - moment: The moment of the refusal.
  /// - Complexity: As two decisions.
  public func overlap(
    behind refusal: TimeEntryRefusal, in domain: DomainState, at moment: Moment
  ) -> TimeEntryRefusal? {
    guard case .inFuture(var later) = refusal else { return nil }
    // First the start is refused, then the end.
    for _ in 0..<2 {
      do throws(DomainRefusal) {
        _ = try DomainDecider().decide(.entry(with(.refuse)), on: domain, at: max(moment, later))
        return nil
      } catch {
        guard case .entry(let refusal) = error else { return nil }
        switch refusal {
        case .inFuture(let next): later = next
        case .overlaps: return refusal
        default: return nil
        }
      }
    }
    return nil
  }
}
