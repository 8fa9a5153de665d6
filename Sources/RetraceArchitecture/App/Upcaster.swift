public import RetraceAvro
public import RetraceState

/// What the log says about an action that is brought to the present, beside the action itself.
public struct RecordContext: Hashable, Sendable {
  /// The position of the record.
  public var sequence: UInt64
  /// The session that appended it: the sequence of its `sessionOpened`.
  public var session: UInt64
  /// The recorded instant.
  public var moment: Moment
  /// The whole action as it was recorded, for a case that lies in others.
  public var action: AvroValue

  /// Makes the context of a record.
  public init(sequence: UInt64, session: UInt64, moment: Moment, action: AvroValue) {
    self.sequence = sequence
    self.session = session
    self.moment = moment
    self.action = action
  }
}

/// Turns a case that was recorded, and that the schema of today cannot read, into actions.
///
/// It gets the payloads of the case as a record (a symbol for a case of an enum without payloads)
/// and answers any number of actions, which are reduced in one step: at the sequence and the moment
/// of the one record. It has to be pure, as a reducer is. Throwing ends the fold.
///
/// A value that Avro's rules can read is never given to it.
public typealias Upcaster<Action> =
  @Sendable (AvroValue, RecordContext) throws -> [Action]

/// What becomes of a case that an app has no more.
public enum RetiredCase: Hashable, Sendable {
  /// It is read as nothing: the record keeps its place and leaves the state as it is.
  ///
  /// Only a case that holds all that its action says is passed over: the action itself, or what
  /// lies with nothing but ids in the cases around it. One in a list, or beside other values, would
  /// take them with it; it needs an upcaster.
  case ignore
}
