public import RetraceAvro

/// The place of an undo or a redo in the history of a user's changes.
///
/// The links name what a later undo and a later redo take back, so that neither is searched for
/// again, whatever lies between in the log.
///
/// ```swift
/// func isRedo(_ fact: EntityFact<ShelfEdit>) -> Bool {
///   let links: RestoreLinks? = fact.restoredEdits?.links
///   return links?.isRedo == true
/// }
/// ```
public struct RestoreLinks: Recordable, Hashable {
  /// The sequence of the command whose facts are taken back: a change, an undo or a redo.
  public var target: Int64
  /// Whether this is a redo, which takes back an undo.
  public var isRedo: Bool
  /// The sequence of the command that a later undo takes back, if any.
  ///
  /// After a redo, the next undo takes back the redo itself; the undo after that, this command.
  public var nextUndo: Int64?
  /// The sequence of the undo that a later redo takes back, if any.
  ///
  /// After an undo, the next redo takes back the undo itself; the redo after that, this older one.
  public var nextRedo: Int64?
  /// The sequence of the command whose change is undone or brought back; `nil` in the records of
  /// builds that could not undo a single change by its sequence.
  ///
  /// It differs from ``target`` where an undo, or an undo of a redo, is taken back.
  public var change: Int64?

  /// Creates the links.
  public init(
    target: Int64, isRedo: Bool, nextUndo: Int64?, nextRedo: Int64?, change: Int64? = nil
  ) {
    self.target = target
    self.isRedo = isRedo
    self.nextUndo = nextUndo
    self.nextRedo = nextRedo
    self.change = change
  }
}
