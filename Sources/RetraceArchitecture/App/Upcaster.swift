public import RetraceAvro
public import RetraceState

/// The record that an upcaster reads: its position, session, moment and whole action.
public struct RecordContext: Hashable, Sendable {
  /// The sequence of the record.
  public var sequence: UInt64
  /// The session that appended the record: the sequence of its `sessionOpened`.
  public var session: UInt64
  /// The moment of the record.
  public var moment: Moment
  /// The whole action as recorded, for a case nested in other cases.
  public var action: AvroValue

  /// Creates the context of a record.
  public init(sequence: UInt64, session: UInt64, moment: Moment, action: AvroValue) {
    self.sequence = sequence
    self.session = session
    self.moment = moment
    self.action = action
  }
}

/// A function that makes actions from a recorded case that the current schema cannot read.
///
/// The upcaster gets the payloads of the case as an Avro record; a case of an enum without payloads
/// is an Avro symbol. It returns any number of actions, which are reduced in one step, at the
/// sequence and the moment of the record. It must be pure, like a reducer. If it throws, the fold
/// stops.
///
/// It is called only if Avro's resolution rules cannot read the recorded action, or if the current
/// type rejects the value that they give.
///
/// ```swift
/// extension NotesApp {
///   // Build 1 recorded a note without a title as a case of its own.
///   static var upcasters: [CaseName: Upcaster<NotesAction>] {
///     [CaseName("NotesAction", "addedUntitled"): addUntitled]
///   }
///
///   @Sendable private static func addUntitled(
///     _ payloads: AvroValue, _ record: RecordContext
///   ) -> [NotesAction] { [.added(title: "Note \(record.sequence)")] }
/// }
/// ```
public typealias Upcaster<Action> =
  @Sendable (AvroValue, RecordContext) throws(AvroError) -> [Action]

/// The way an app reads a case that it has removed.
///
/// ```swift
/// extension NotesApp {
///   // Build 1 recorded scrolling.
///   static var retired: [CaseName: RetiredCase] { [CaseName("NotesAction", "scrolled"): .skip] }
/// }
/// ```
public enum RetiredCase: Hashable, Sendable {
  /// The record is skipped: it keeps its sequence and leaves the state as it is.
  ///
  /// A case is skipped only if the action says nothing else: the case is the action itself, or the
  /// cases around it hold nothing but ids. Skipping a case in a list, or beside other values, would
  /// drop those too; such a case needs an upcaster.
  case skip
}
