public import Retrace
public import TimeTracking

/// The meaning of a key to a driver.
public enum KeyMeaning: Equatable, Sendable {
  /// Intents, which the store performs; see ``TimeTracker/answer(to:of:in:)`` for a refusal.
  case intents([TimeTracker.Intent])
  /// Undo the newest change of the user: `Store.undo()`.
  case undo
  /// Redo the newest undo, or else bring back the change whose undo is the newest one:
  /// `Store.redo()`, `Store.restore(_:taking:)`.
  case redo
  /// Undo the newest change of the user that deleted exactly these entries.
  case takeBack([TimeEntryID])
  /// Leave the app, which opens here again.
  case leave
  /// Show the past of the scene, without recording anything.
  case lookBack
  /// Put a line of safe text on the clipboard of the terminal, and tell the scene with
  /// ``Notice/copied`` or ``Notice/notCopied``.
  case copy(String)
  /// Write a report into a file, and send ``TimeTracker/answers(to:_:in:)``.
  case write(ReportFile)
  /// Set the calendar files and folders in the settings of this machine, for the screen of a route,
  /// and send ``TimeTracker/answer(toCalendarsOf:_:in:)``.
  case calendars(String, RouteID)
  /// Undo the change of the command with a sequence, or bring it back: `Store.undo(_:taking:)`,
  /// `Store.restore(_:taking:)`.
  case restore(UInt64, isRedo: Bool)
  /// Carry an edit out on the plain text of ``SceneFrame/secret``, and record the new surrogate by
  /// ``SceneFrame/entering(_:)``.
  case secret(SecretEdit)
}

/// A part of the meaning of a key on a screen.
enum KeyStep: Equatable, Sendable {
  /// An action of the screen.
  case screen(TrackerScreenAction)
  /// A change of the scene.
  case scene(SceneChange)
  /// A command.
  case command(DomainCommand)
  case undo
  case redo
  case takeBack([TimeEntryID])
  case restore(UInt64, isRedo: Bool)
  case leave
  case lookBack
  case copy(String)
  case write(ReportFile)
  case calendars(String)
  case secret(SecretEdit)
}
