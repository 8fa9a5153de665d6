public import RetraceAvro

/// The parameters of the timer screen.
public struct TimerRoute: Recordable, Hashable {
  /// Whose entries are shown.
  public var user: UserID
  /// The selected entry of the list.
  public var selection: TimeEntryID?
  /// The first row of the list that is shown.
  public var firstRow: Int32

  /// Makes the parameters of a fresh screen.
  public init(user: UserID) {
    self.user = user
    selection = nil
    firstRow = 0
  }
}

/// What happened on the timer screen.
public enum TimerAction: Recordable, Equatable {
  /// An entry was selected, or none, and the list scrolled to a row.
  case selected(TimeEntryID?, firstRow: Int32)
  /// The running entry was stopped.
  case stopped
  /// An entry like this one was started.
  case continued(TimeEntryID, RecordedZone)
  /// An entry was taken away.
  case deleted(TimeEntryID)
  /// The way to a new entry was taken, or to the change of one.
  case startEditOpened(TimeEntryID?)
  /// The way to the other users was taken.
  case usersOpened
}
