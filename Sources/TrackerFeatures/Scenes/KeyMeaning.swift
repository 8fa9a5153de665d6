public import RetraceArchitecture
import TimeTracking

/// What a key means to a driver.
public enum KeyMeaning: Equatable, Sendable {
  /// Intents, which the store carries out; see ``TimeTracker/answer(to:of:in:)`` for a refusal.
  case intents([TimeTracker.Intent])
  /// The newest change of the user is undone: `Store.undo()`.
  case undo
  /// The newest undo is redone: `Store.redo()`.
  case redo
  /// The app ends, and opens here again.
  case leave
}

/// A part of what a key means on a screen.
enum KeyStep: Equatable, Sendable {
  /// Something happened on the screen.
  case screen(TrackerScreenAction)
  /// Something happened in the scene.
  case scene(SceneChange)
  /// A command.
  case command(DomainCommand)
  case undo
  case redo
  case leave
}
