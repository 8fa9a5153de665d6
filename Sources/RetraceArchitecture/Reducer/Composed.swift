/// A state, action, command or refusal type that is composed of the types of child features.
///
/// Add it to a declaration, and `Tools/generate` writes ``Parts``: one name for each stored
/// property of a struct, and one for each case with a payload of an enum. Scopes are written with
/// these names, as closures or as key paths. Reducers that are also compiled as Embedded Swift use
/// closures, because key paths do not exist there.
///
/// ```swift
/// struct Profile: RecordedState, Composed { var settings: Settings = Settings() }
/// enum ProfileAction: Recordable, Composed { case settings(SettingsAction) }
///
/// struct ProfileReducer: Reducer {
///   var body: some Reducer<Profile, ProfileAction, NoteServer> {
///     Scope({ $0.settings }, action: { $0.settings }) { SettingsReducer() }
///   }
/// }
/// ```
///
/// A part that is not a stored property gets its name in an extension of ``Parts``, as a property
/// of a ``StatePart`` type that is written by hand.
public protocol Composed {
  /// The names of the parts, as properties of a type that is never instantiated.
  ///
  /// Each property has the type of a ``StatePart``, an ``EnumCase`` or an ``IdentifiedCase``. It is
  /// never read either: the type that a closure would return says which part is meant.
  associatedtype Parts
}

/// The place of a part in a state, as a type without storage.
///
/// Law: both functions pass the same part each time, and a value written to the part is read back.
///
/// ```swift
/// /// The query of the search, or of a new one.
/// struct QueryPart: StatePart {
///   static func with<R>(_ state: inout NotesState, _ body: (inout TextDraft) -> R) -> R {
///     var search = state.search ?? Search(query: TextDraft())
///     defer { state.search = search }
///     return body(&search.query)
///   }
///   static func read<R, E: Error>(
///     _ state: borrowing NotesState, _ body: (borrowing TextDraft) throws(E) -> R
///   ) throws(E) -> R { try body(state.search?.query ?? TextDraft()) }
/// }
///
/// extension NotesState.Parts { var query: QueryPart { QueryPart() } }
/// ```
public protocol StatePart<Whole, Value>: SendableMetatype {
  /// The state that holds the part.
  associatedtype Whole
  /// The part.
  associatedtype Value

  /// Calls `body` with the part in place.
  ///
  /// Pass the stored property itself, as in `body(&whole.child)`: a part that is computed by get
  /// and set is copied whole for each action.
  static func with<Result>(_ whole: inout Whole, _ body: (inout Value) -> Result) -> Result

  /// Calls `body` with the part, as in `try body(whole.child)`.
  static func read<Result, Failure: Error>(
    _ whole: borrowing Whole, _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result
}

/// A case of an enum that has one payload, as a type without storage.
///
/// Laws: `extract(embed(value))` is `value`. Where `extract(whole)` is a value, `embed` of it is
/// `whole`.
///
/// ```swift
/// /// The edits of the draft of any window.
/// struct DraftEdit: EnumCase {
///   static func extract(_ action: NotesAction) -> TextReplacement? {
///     if case .draft(_, let edit) = action { edit } else { nil }
///   }
///   static func embed(_ edit: TextReplacement) -> NotesAction { .draft(SceneID(value: 0), edit) }
/// }
/// ```
public protocol EnumCase<Whole, Value>: NamedType {
  /// The enum.
  associatedtype Whole
  /// The payload.
  associatedtype Value

  /// Returns the payload, or `nil` for another case.
  static func extract(_ whole: Whole) -> Value?

  /// Returns the case with a payload.
  static func embed(_ value: Value) -> Whole

  /// Calls `body` with the payload; returns `nil` for another case, which stays as it is.
  ///
  /// By default the payload is copied out and in. Generated cases move it, so that `body` changes
  /// it in place.
  static func with<Result>(_ whole: inout Whole, _ body: (inout Value) -> Result) -> Result?
}

extension EnumCase {
  /// Copies the payload out, and puts it back after `body`.
  @inlinable
  public static func with<Result>(
    _ whole: inout Whole, _ body: (inout Value) -> Result
  ) -> Result? {
    guard var value = extract(whole) else { return nil }
    defer { whole = embed(value) }
    return body(&value)
  }
}

extension EnumCase {
  /// Calls `body` with the whole moved out, and puts back what it returns; generated code uses it.
  @inlinable
  public static func _move<Result>(
    _ whole: inout Whole, _ body: (consuming Whole) -> (Whole, Result)
  ) -> Result {
    let (changed, result) = body(consume whole)
    whole = changed
    return result
  }
}

/// A case of an enum that has an id and a payload, as a type without storage.
///
/// The laws of ``EnumCase`` apply.
public protocol IdentifiedCase<Whole, ID, Value>: NamedType {
  /// The enum.
  associatedtype Whole
  /// The id, which is the first payload.
  associatedtype ID
  /// The second payload.
  associatedtype Value

  /// Returns the id and the payload, or `nil` for another case.
  static func extract(_ whole: Whole) -> (id: ID, value: Value)?

  /// Returns the case with an id and a payload.
  static func embed(_ value: Value, for id: ID) -> Whole
}

/// A whole as its own part, for a child that works on all of its parent's state, or that has its
/// parent's facts or refusals.
public struct Itself<Whole>: StatePart, EnumCase {
  /// The name without the name of the whole: no two parts of one whole have it.
  public static var typeName: String { "RetraceArchitecture.Itself" }

  /// Creates the name of the part.
  public init() {}

  /// Calls `body` with the whole.
  @inlinable
  public static func with<Result>(
    _ whole: inout Whole, _ body: (inout Whole) -> Result
  ) -> Result { body(&whole) }

  /// Calls `body` with the whole; never `nil`.
  @inlinable
  public static func with<Result>(
    _ whole: inout Whole, _ body: (inout Whole) -> Result
  ) -> Result? { body(&whole) }

  /// Calls `body` with the whole.
  @inlinable
  public static func read<Result, Failure: Error>(
    _ whole: borrowing Whole, _ body: (borrowing Whole) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(whole) }

  /// Returns the whole.
  @inlinable
  public static func extract(_ whole: Whole) -> Whole? { whole }

  /// Returns the whole.
  @inlinable
  public static func embed(_ value: Whole) -> Whole { value }
}
