public import RetraceAvro

/// Why a request could not be met.
public enum Refusal: Error, Recordable, Hashable, CaseIterable {
  /// Stop was asked and nothing runs.
  case nothingRunning
  /// Another entry of the user runs.
  case alreadyRunning
  /// There is no such user.
  case unknownUser
  /// There is no such workspace.
  case unknownWorkspace
  /// There is no such project.
  case unknownProject
  /// There is no such tag.
  case unknownTag
  /// There is no such time entry.
  case unknownEntry
  /// There is no such scene.
  case unknownScene
  /// A name is empty.
  case nameEmpty
  /// A name is in use.
  case nameTaken
  /// A duration is below zero.
  case negativeDuration
  /// A start is not written as a date and time, or as a time.
  case unreadableStart
  /// Clocks never showed the start in this zone.
  case skippedStart
  /// A duration is not written as hours and minutes, or minutes.
  case unreadableDuration
  /// A path leads nowhere.
  case unknownPath
  /// The action belongs to another screen than the one shown.
  case wrongScreen
}

extension Refusal: CustomStringConvertible {
  /// The reason in words for a person.
  public var description: String {
    switch self {
    case .nothingRunning: "nothing is running"
    case .alreadyRunning: "another entry is running"
    case .unknownUser: "there is no such user"
    case .unknownWorkspace: "there is no such workspace"
    case .unknownProject: "there is no such project"
    case .unknownTag: "there is no such tag"
    case .unknownEntry: "there is no such time entry"
    case .unknownScene: "there is no such scene"
    case .nameEmpty: "the name is empty"
    case .nameTaken: "the name is in use"
    case .negativeDuration: "the duration is negative"
    case .unreadableStart: "the start is not like 2026-11-21 09:30 or 09:30"
    case .skippedStart: "the clocks jumped over this time"
    case .unreadableDuration: "the duration is not like 1:30 or 90"
    case .unknownPath: "the path leads nowhere"
    case .wrongScreen: "this belongs to another screen"
    }
  }
}

/// How the last request to the library or the timeline ended.
public enum Outcome: Recordable, Hashable {
  /// Nothing was asked yet.
  case none
  /// It was carried out.
  case accepted
  /// It was not, and nothing changed.
  case refused(Refusal)

  /// Why the request was refused, if it was.
  public var refusal: Refusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }
}
