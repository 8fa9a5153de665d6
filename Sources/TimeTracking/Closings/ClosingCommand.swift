public import RetraceAvro
public import RetraceState

/// A command about closed periods.
public enum ClosingCommand: Recordable, Equatable {
  /// Close a period that is over, and in which nothing runs.
  case close(Closing)
  /// Reopen a closed period.
  case reopen(ClosingID, reason: String?)
}

extension ClosingCommand {
  /// The reason that the user gave, if any.
  package var reason: String? {
    switch self {
    case .close(let closing): closing.reason
    case .reopen(_, let reason): reason
    }
  }
}

/// A refusal of a command about closed periods, or of any command that would change one.
public enum ClosingRefusal: Recordable, Hashable, Error {
  /// The command would change what is in a closed period: the time of an entry inside it, or
  /// another field of an entry that touches it. The entry is `nil` if it does not exist yet.
  indirect case closed(ClosingID, Closing, entry: TimeEntryID?)
  /// The period is closed already, alone or as a part of a longer one.
  indirect case alreadyClosed(ClosingID, Closing)
  /// There is no such closing, or the period was reopened.
  case unknown(ClosingID)
  /// The period is not over: it ends at this moment.
  case notOver(Moment)
  /// These entries run in the period.
  case running([TimeEntryID])
  /// The user or the client cannot be used.
  case entity(EntityRefusal)
  /// The value of a field is not allowed, such as a text that is too long.
  case invalid(field: String)
}
