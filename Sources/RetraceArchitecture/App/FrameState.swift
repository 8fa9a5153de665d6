public import RetraceAvro

/// What a ``StandardFrame`` shows beside its body: what the user was told last, and whether the
/// keys are listed.
///
/// A reducer of the window clears the message, and then applies what happened to the frame:
///
/// ```swift
/// func reduce(_ state: inout FrameState, _ action: FrameAction) {
///   state.message = nil
///   state.apply(action)
/// }
/// ```
public struct FrameState: Recordable, Hashable, Sendable {
  /// What the user was told last; `nil` for nothing.
  public var message: String?
  /// Whether the keys are listed in place of the body.
  public var showsKeys: Bool = false

  /// Creates the state of a frame that tells nothing.
  public init() {}

  /// Keeps what the user is told, or shows or hides the list of keys.
  public mutating func apply(_ action: FrameAction) {
    switch action {
    case .told(let text): message = text
    case .keysToggled: showsKeys.toggle()
    }
  }
}

/// What happens to a ``StandardFrame``.
public enum FrameAction: Recordable, Hashable, Sendable {
  /// The user is told why a key did nothing, or why a command was refused.
  case told(String)
  /// The list of keys is shown, or hidden.
  case keysToggled
}

/// The actions of a scene that a ``StandardFrame`` shows: an enum with a case
/// `frame(FrameAction)`.
public protocol FrameSceneAction: Recordable, Equatable {
  /// Returns the action that something happens to the frame; the case `frame`.
  static func frame(_ action: FrameAction) -> Self
}
