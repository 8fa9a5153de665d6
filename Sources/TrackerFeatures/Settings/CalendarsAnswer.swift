public import Retrace

extension TimeTracker {
  /// Returns the action that shows what became of setting the calendar files.
  ///
  /// The field stays open until they are set.
  ///
  /// - Parameters:
  ///   - route: The screen on which they were typed.
  ///   - failure: Why they were not set; `nil` if they were.
  ///   - scene: The scene.
  public static func answer(
    toCalendarsOf route: RouteID, _ failure: FileFailure?, in scene: SceneID
  ) -> ScenesAction {
    if let failure { return .scene(scene, .told(.fileNotWritten(failure))) }
    return .scene(scene, .screen(route, .settings(.opened(nil))))
  }
}
