import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a closing.
public struct ClosingID: EntityID { @usableFromInline var number: Int64 }

/// The entries that a closing is about.
public enum ClosingScope: Recordable, Hashable {
  /// All entries.
  case all
  /// The entries of a user.
  case user(UserID)
  /// The entries of the projects of a client, after all merges.
  case client(ClientID)
}

/// A period whose entries may not change any more, until it is reopened.
///
/// The two instants were computed once, when the period was closed, so that a later change of the
/// zone or of the start of the day does not move them.
public struct Closing: TableEntity, TrackedEntity, Hashable {
  /// The maximum number of bytes of the reason.
  public static var reasonBytesMax: Int { 4_096 }

  /// The entries that it is about.
  public var scope: ClosingScope
  /// The start of the period.
  public var start: Moment
  /// The end of the period, which does not belong to it.
  public var end: Moment
  /// The login name of the user who closed it; empty if unknown.
  public var login: String
  /// The reason that this user gave, if any.
  public var reason: String?
  /// The moment of the closing.
  public var closed: Moment = Moment(microseconds: 0)
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the reopening, if it is reopened.
  public var deleted: Moment?

  /// The end in microseconds, by which closings are found; `Int64.min` if it is reopened.
  public var sortKey: Int64 { deleted == nil ? end.microseconds : .min }

  /// Creates a closing.
  ///
  /// - Parameters:
  ///   - scope: The entries that it is about.
  ///   - start: The start of the period.
  ///   - end: The end of the period.
  ///   - login: The login name of the user who closes it.
  ///   - reason: The reason, if any.
  public init(
    _ scope: ClosingScope, from start: Moment, to end: Moment, login: String, reason: String? = nil
  ) {
    self.scope = scope
    self.start = start
    self.end = end
    self.login = login
    self.reason = reason
  }

  /// Returns whether a time, which may be empty, has a part in the period.
  ///
  /// - Parameters:
  ///   - start: The start of the time.
  ///   - end: The end in microseconds; `Int64.max` for none.
  public func touches(from start: Moment, to end: Int64) -> Bool {
    start < self.end && (end > self.start.microseconds || start == self.start)
  }
}

/// The changes of the fields of a closing: it can only be reopened.
public struct ClosingChanges: EntityChanges {
  /// The entity.
  public typealias Entity = Closing

  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}

extension Closing: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    switch scope {
    case .all: false
    case .user(let id): entity.has(id)
    case .client(let id): entity.has(id)
    }
  }
}
