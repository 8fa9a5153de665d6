import Retrace
import TimeTracking

/// What is wrong with the times of a form.
enum TimeProblem: Equatable, Sendable {
  case startAfterNow
  case endAfterNow
  case startAfterEnd
  case endBeforeStart
  case tooLong
  /// The text cannot be read, for a reason.
  case unreadable(KeyObstacle)

  /// Why the form cannot be saved; `nil` if the user may record it as it is.
  var obstacle: KeyObstacle? {
    switch self {
    case .startAfterNow, .endAfterNow: nil
    case .startAfterEnd: .startAfterEnd
    case .endBeforeStart: .endBeforeStart
    case .tooLong: .entryTooLong
    case .unreadable(let obstacle): obstacle
    }
  }

  /// Returns the text beside the field.
  func text(in domain: DomainState) -> String {
    switch self {
    case .startAfterNow: "The start is in the future."
    case .endAfterNow: "The end is in the future."
    case .startAfterEnd, .endBeforeStart, .tooLong, .unreadable:
      obstacle?.text(in: domain) ?? ""
    }
  }
}

extension FormTimes {
  /// Returns what is inconsistent about the times that saving takes, and the field that shows it.
  ///
  /// - Parameters:
  ///   - span: The times.
  ///   - isInDescription: Whether they are at the beginning of the description.
  func inconsistency(
    of span: Span, inDescription isInDescription: Bool
  ) -> (field: EditorField, problem: TimeProblem)? {
    guard isInDescription || [.start, .end, .duration].contains(where: { isTyped($0) }) else {
      return nil
    }
    let start = span.start ?? edge.now
    let inStart = isInDescription ? EditorField.description : .start
    let inEnd = isInDescription ? EditorField.description : endField
    guard let end = span.end else {
      if start > edge.now { return (inStart, .startAfterNow) }
      let isTooLong = edge.now.elapsed(since: start) > TimeEntry.durationMax
      return isTooLong ? (inStart, .tooLong) : nil
    }
    if end < start { return isAboutEnd ? (inEnd, .endBeforeStart) : (inStart, .startAfterEnd) }
    if end.elapsed(since: start) > TimeEntry.durationMax {
      return (isAboutEnd ? inEnd : inStart, .tooLong)
    }
    if start > edge.now { return (inStart, .startAfterNow) }
    return end > edge.now ? (inEnd, .endAfterNow) : nil
  }

  /// Returns the first field whose text cannot be read, and why.
  ///
  /// - Parameter isShown: Returns whether a field is looked at.
  func unreadable(where isShown: (EditorField) -> Bool) -> (EditorField, KeyObstacle)? {
    for field in [EditorField.start, .end, .duration] where isShown(field) && isTyped(field) {
      do throws(KeyObstacle) {
        if field == .duration { _ = try duration() } else { _ = try moment(in: field) }
      } catch {
        return (field, error)
      }
    }
    return nil
  }

  /// Whether the end is from its own field or else from the duration.
  private var endField: EditorField {
    isTyped(.duration) && (!isTyped(.end) || route.field == .duration) ? .duration : .end
  }

  /// Whether the end was typed last, as far as the form knows.
  private var isAboutEnd: Bool {
    switch route.field {
    case .start: false
    case .end, .duration: true
    case .description, .project, .tags, .billable: !isTyped(.start)
    }
  }

  /// Whether the text of a field is not empty, and not the one that the form was made with.
  private func isTyped(_ field: EditorField) -> Bool {
    guard let text = route[field]?.text, !Name(text).isEmpty else { return false }
    return route.seen?[field].map { !$0.hasBytes(of: text) } ?? true
  }
}
