import Retrace

/// The parts of a scene's screen, from top to bottom.
struct SceneLayout: Hashable, Sendable {
  /// The row of the banner; empty without one.
  let banner: Rect
  /// The rectangle of the route.
  let body: Rect
  /// The line above a question; empty on a low screen.
  let rule: Rect
  /// The rectangle of the notice and the question.
  let notices: Rect
  /// The rows of the answers about a forgotten entry; empty without that question.
  let answers: Rect
  /// The row of the hints, which is the last one to go.
  let hints: Rect

  /// The rows below which a question has no line above it.
  private static var rowsWithRule: Int { 16 }

  /// Divides a screen.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - notices: The number of lines of the notice and the question.
  ///   - hasRule: Whether there is a question.
  ///   - answers: The number of rows of its answers.
  ///   - hasBanner: Whether there is a banner.
  init(
    _ size: Screen.Size, notices: Int, hasRule: Bool, answers: Int = 0,
    hasBanner: Bool = false
  ) {
    var rest = Rect(size)
    banner = rest.removeTop(hasBanner ? 1 : 0)
    hints = rest.removeBottom(1)
    self.answers = rest.removeBottom(answers)
    self.notices = rest.removeBottom(notices)
    rule = rest.removeBottom(hasRule && size.rows >= Self.rowsWithRule ? 1 : 0)
    body = rest
  }
}
