import RetraceArchitecture
public import RetraceAvro
public import RetraceScreen

/// The state of the welcome screen: a name being typed and the user that is selected.
public struct WelcomeState: Recordable, Hashable {
  /// The name of a user to find or to add.
  public var name: TextField
  /// The selected user.
  public var selection: UserID?
  /// The first row of the list that is shown.
  public var firstRow: Int32

  /// Makes the state of a fresh screen.
  public init() {
    name = TextField()
    selection = nil
    firstRow = 0
  }
}

/// What happened on the welcome screen.
public enum WelcomeAction: Recordable, Equatable {
  /// The name was edited; the selection is dropped.
  case nameEdited(TextEdit)
  /// A user was selected, or none, and the list scrolled to a row.
  case selected(UserID?, firstRow: Int32)
  /// A user was picked.
  case picked(UserID)
  /// The typed name was confirmed: that user is picked, and added before if there was none.
  case nameConfirmed
}
