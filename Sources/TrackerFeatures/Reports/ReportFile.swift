public import Retrace
public import TimeTracking

/// A report that is to be written into a file, as comma-separated values.
public struct ReportFile: Equatable, Sendable {
  /// The path as it was typed.
  public var path: String
  /// The report.
  public var query: ReportQuery
  /// Whether a file with the name is replaced.
  public var replaces: Bool
  /// The screen of the report.
  public var route: RouteID
}

/// What became of writing a report into a file.
public enum ReportFileOutcome: Equatable, Sendable {
  /// The file has a number of lines below its headings.
  case written(lines: Int64)
  /// A file with the name exists, and was left as it is.
  case exists
  /// The file was not written.
  case failed(FileFailure)
}

/// The reason why a file was not written.
public struct FileFailure: Recordable, Hashable {
  /// The path as it was typed.
  public var path: String
  /// Why, as the system says it.
  public var reason: String
  /// What to do about it.
  public var advice: String
  /// The number of the reason in the system; negative for one of this program.
  public var code: Int32

  /// Creates a reason.
  public init(path: String, reason: String, advice: String, code: Int32) {
    (self.path, self.reason, self.advice, self.code) = (path, reason, advice, code)
  }
}

extension TimeTracker {
  /// Returns the actions that show what became of writing a report.
  ///
  /// The field of the file stays open until the file is written.
  public static func answers(
    to file: ReportFile, _ outcome: ReportFileOutcome, in scene: SceneID
  ) -> [ScenesAction] {
    switch outcome {
    case .written(let lines):
      [
        .scene(scene, .screen(file.route, .reports(.typingEnded))),
        .scene(scene, .told(.fileWritten(file.path, lines: lines))),
      ]
    case .exists: [.scene(scene, .told(.obstacle(.fileExists(file.path))))]
    case .failed(let failure): [.scene(scene, .told(.fileNotWritten(failure)))]
    }
  }
}
