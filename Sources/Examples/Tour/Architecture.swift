import Retrace
import RetraceSystem

// MARK: Reducers

/// The reducer of the app: its children, and its own logic, which runs after those attached to it.
struct NotesReducer: UpdatingReducer {
  var body: some Reducer<NotesState, NotesAction, NoteServer> {
    Scope(\.settings, action: \.settings) { SettingsReducer() }
    Update(self)
      .forEach(\.notes, action: \.note) { NoteReducer() }
      .forEach(\.drafts, action: \.draft) { DraftReducer() }
      .ifLet(\.search, action: \.search) { SearchReducer() }
      .onChange(ArchiveHandler())
  }

  func update(
    _ state: inout NotesState, _ action: NotesAction, at moment: Moment
  ) -> EffectOf<Self> {
    switch action {
    case .added(let title): state.notes.insert(Note(title: title, text: .nothing))
    case .opened(let id): state.stack.push(.note(id))
    case .closed: state.stack.pop()
    case .note, .draft, .search, .settings: break
    }
    return .none
  }
}

/// The reducer of one note, which returns an effect.
struct NoteReducer: Reducer {
  func reduce(
    _ state: inout Note, _ action: NoteAction, at moment: Moment
  ) -> Effect<NoteAction, NoteServer> {
    switch action {
    case .renamed(let title): state.title = title
    case .requested:
      state.text = .loading
      return .run(LoadText(title: state.title))
    case .loaded(let text): state.text = .loaded(text)
    case .failed(let reason): state.text = .failed(reason)
    }
    return .none
  }
}

/// The reducer of one draft.
struct DraftReducer: Reducer {
  func reduce(
    _ state: inout TextDraft, _ action: TextReplacement, at moment: Moment
  ) -> Effect<TextReplacement, NoteServer> {
    state.apply(action)
    return .none
  }
}

/// The reducer of a search, whose effect starts half a second after the last edit.
struct SearchReducer: Reducer {
  func reduce(
    _ state: inout Search, _ action: SearchAction, at moment: Moment
  ) -> Effect<SearchAction, NoteServer> {
    switch action {
    case .edited(let edit):
      state.query.apply(edit)
      return .run(CountHits(query: state.query.text))
        .debounced(SearchWork.hits, for: ElapsedTime(microseconds: 500_000))
    case .found(let hits):
      state.hits = hits
      return .none
    }
  }
}

/// The reducer of the settings.
struct SettingsReducer: Reducer {
  func reduce(
    _ state: inout Settings, _ action: SettingsAction, at moment: Moment
  ) -> Effect<SettingsAction, NoteServer> {
    switch action {
    case .archiveShown(let isShown): state.showsArchive = isShown
    }
    return .none
  }
}

/// The reducers of the children without the app's own logic, each an element of the list.
struct ChildrenReducer: Reducer {
  var body: some Reducer<NotesState, NotesAction, NoteServer> {
    ForEachEntity(\.notes, action: \.note) { NoteReducer() }
    ForEachValue(\.drafts, action: \.draft) { DraftReducer() }
    IfLet(\.search, action: \.search) { SearchReducer() }
    Scope(\.settings, action: \.settings) { SettingsReducer() }
  }
}

/// A panel beside the notes, which shows a search or nothing.
enum SidePanel: ReportsMissingTarget, Composed {
  case closed
  case searching(Search)

  mutating func targetWasMissing(_ target: MissingTarget) {}
}

/// The reducer of the search while the panel shows it.
struct PanelReducer: Reducer {
  var body: some Reducer<SidePanel, NotesAction, NoteServer> {
    IfCaseLet(\.searching, action: \.search) { SearchReducer() }
  }
}

/// The query of the search, or of a new one: a part that is no stored property.
enum QueryPart: StatePart {
  static func with<Result>(
    _ state: inout NotesState, _ body: (inout TextDraft) -> Result
  ) -> Result {
    var search = state.search ?? Search(query: TextDraft())
    defer { state.search = search }
    return body(&search.query)
  }

  static func read<Result, Failure: Error>(
    _ state: borrowing NotesState, _ body: (borrowing TextDraft) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(state.search?.query ?? TextDraft())
  }
}

extension NotesState.Parts {
  /// The name of the part, beside those that are generated.
  var query: QueryPart.Type { QueryPart.self }
}

/// Passes edits of a draft to the search instead, whichever window they come from.
enum DraftEdit: EnumCase {
  static func extract(_ action: NotesAction) -> TextReplacement? {
    if case .draft(_, let edit) = action { edit } else { nil }
  }
  static func embed(_ edit: TextReplacement) -> NotesAction { .draft(SceneID(value: 0), edit) }
}

/// A reducer with names by hand, and with a child that works on the whole state.
struct QueryReducer: Reducer {
  var body: some ReducerOf<NotesReducer> {
    Scope(\.query, action: { _ in DraftEdit.self }) { DraftReducer() }
    Scope(action: \.settings) { ArchiveReducer() }
  }
}

/// A child that works on the state of its parent.
struct ArchiveReducer: Reducer {
  func reduce(
    _ state: inout NotesState, _ action: SettingsAction, at moment: Moment
  ) -> Effect<SettingsAction, NoteServer> {
    if case .archiveShown(true) = action { state.stack.pop() }
    return .none
  }
}

/// The type of a child that works on the whole state: its part is ``Itself``.
typealias ArchiveScope = Scope<
  NotesState, NotesAction, Itself<NotesState>, NotesAction.Parts._settings, ArchiveReducer
>

/// Returns an effect that counts the hits of a query for the search.
func countHits(of query: String) -> Effect<NotesAction, NoteServer> {
  Effect.run(CountHits(query: query)).map(CaseEmbedding<NotesAction.Parts._search>())
}

/// Closes the draft of every window when the archive becomes visible.
struct ArchiveHandler: ChangeHandler {
  func value(of state: borrowing NotesState) -> Bool { state.settings.showsArchive }

  func changed(
    from old: Bool, to new: Bool, in state: inout NotesState, at moment: Moment
  ) -> Effect<NotesAction, NoteServer> {
    if new { state.drafts = [:] }
    return .none
  }
}

/// The environment of an app: it has more than the server of the notes.
struct Office: Sendable {
  var server: NoteServer
  var printer: String
}

/// The part of the office that the notes need.
enum ServerOfOffice: EnvironmentProjection {
  static func project(_ office: Office) -> NoteServer { office.server }
}

/// Returns the reducer of the search for an app whose effects run in an office.
func searchInOffice() -> EnvironmentPullback<SearchReducer, ServerOfOffice> {
  SearchReducer().pulledBack(environment: ServerOfOffice.self)
}

/// Returns two reducers in order; a list of two has the same type.
func childrenAndQuery() -> ReducerPair<ChildrenReducer, QueryReducer> {
  ChildrenReducer().combined(with: QueryReducer())
}

/// Returns a list of reducers with a handler of changes that any of them makes.
func settingsWithHandler() -> some Reducer<NotesState, NotesAction, NoteServer> {
  let handled: OnChange = CombineReducers {
    ChildrenReducer()
    QueryReducer()
  }.onChange(ArchiveHandler())
  return handled
}

/// Returns the reducers that the caller lists, with the empty search removed after each action.
func withEmptySearchHook<Content: Reducer<NotesState, NotesAction, NoteServer>>(
  @ReducerBuilder<NotesState, NotesAction, NoteServer> _ content: () -> Content
) -> Decorated<Content, EmptySearchHook> {
  content().decorated(with: EmptySearchHook())
}

/// Returns a reducer that ignores every action, for a feature that is switched off.
func noReducer() -> EmptyReducer<NotesState, NotesAction, NoteServer> { EmptyReducer() }

/// A hook that removes an empty search after each action.
struct EmptySearchHook: ReducerHook {
  func after(
    _ state: inout NotesState, _ action: NotesAction, at moment: Moment,
    _ effect: Effect<NotesAction, NoteServer>
  ) -> Effect<NotesAction, NoteServer> {
    if state.search?.query.text.isEmpty == true { state.search = nil }
    return effect
  }
}

// MARK: Effects

/// Loads the text of a note; runs again if the program ends first.
struct LoadText: EffectLeaf {
  var title: String

  func run(in server: NoteServer) async throws -> [NoteAction] {
    [.loaded(try await server.text(title))]
  }

  var interruptionPolicy: InterruptionPolicy<NoteAction> { .run }
}

/// Counts the hits of a query; dropped if the program ends first.
struct CountHits: EffectLeaf {
  var query: String

  func run(in server: NoteServer) async throws -> [SearchAction] {
    [.found(try await server.count(query))]
  }
}

/// The keys of the search's work, which no other feature can cancel by accident.
enum SearchWork: String, CancellationKey { case hits }

/// Follows the number of hits while notes are written; dropped if the program ends first.
struct FollowHits: StreamingLeaf, Recordable {
  var query: String

  func run(in server: NoteServer, send: EffectSender<SearchAction>) async throws {
    for attempt in 0..<3 as Range<Int64> {
      try await send(.found(try await server.count(query) + attempt))
    }
  }

  var interruptionPolicy: StreamInterruptionPolicy<SearchAction> { .drop }
}

/// Returns an effect that follows the hits, at most once in ten seconds.
func followHits(of query: String) -> Effect<SearchAction, NoteServer> {
  .run(FollowHits(query: query)).throttled(SearchWork.hits, for: .seconds(10), latest: true)
}

/// Returns an effect that counts the hits of some queries, one after the other.
func countInOrder(_ queries: [String], isSlow: Bool) -> Effect<SearchAction, NoteServer> {
  var work: EffectWork<SearchAction, NoteServer> = .concatenate(
    queries.map { .run(CountHits(query: $0)) })
  if isSlow { work = work.delayed(by: .seconds(1)) }
  return Effect(work)
}

/// Returns an effect that cancels the running search, from the reducer of the search.
func stopSearch() -> Effect<SearchAction, NoteServer> { .cancel(SearchWork.hits) }

/// Returns an effect that cancels all work of the search, from the reducer of the app.
func stopSearchFromOutside() -> Effect<NotesAction, NoteServer> {
  Effect<SearchAction, NoteServer>.cancelAll.map(CaseEmbedding<NotesAction.Parts._search>())
}

/// Returns an effect that loads a note, for a reducer other than the note's.
func loadText(of id: NoteID, title: String) -> Effect<NotesAction, NoteServer> {
  Effect.run(LoadText(title: title)).map(ElementEmbedding<NotesAction.Parts._note>(id: id))
}

/// Returns an effect that clears the draft of a window after a minute.
func clearDraft(of scene: SceneID) -> Effect<NotesAction, NoteServer> {
  let nothing = TextReplacement(start: 0, end: .max, text: "", cursor: 0)
  let clearing: Effect<TextReplacement, NoteServer> = .send(nothing).delayed(by: .seconds(60))
  return clearing.map(ElementEmbedding<NotesAction.Parts._draft>(id: scene))
}

/// Returns the id and the action of a note that an action carries.
func noteAction<Case: IdentifiedCase<NotesAction, NoteID, NoteAction>>(
  in action: NotesAction, _ name: (NotesAction.Parts) -> Case.Type
) -> (id: NoteID, value: NoteAction)? {
  Case.extract(action)
}

/// Returns the parent's action that wraps a child's action.
func embed<Embedding: ActionEmbedding>(
  _ action: Embedding.Child, with embedding: Embedding
) -> Embedding.Parent {
  embedding.embed(action)
}

/// Returns the action that a leaf of `Effect.send` holds.
func sentAction(of leaf: AnyEffectLeaf<NotesAction, NoteServer>) -> NotesAction? {
  (leaf.base as? SendLeaf<NotesAction, NoteServer>)?.action
}

/// Returns the names of the leaves of an effect, each with its delay in seconds.
func schedule(_ effect: Effect<NotesAction, NoteServer>) -> [(name: String, seconds: Int64)] {
  effect.leaves.map { (leaf: NumberedLeaf<NotesAction, NoteServer>) in
    (leaf.leaf.name, leaf.delay.seconds)
  }
}

/// Returns whether all parts of an effect run at the same time.
func isConcurrent(_ effect: Effect<NotesAction, NoteServer>) -> Bool {
  effect.steps.allSatisfy { (step: EffectStep<NotesAction, NoteServer>) in
    step.work.map(isConcurrent) ?? true
  }
}

/// Returns whether all parts of work run at the same time.
func isConcurrent(_ work: EffectWork<NotesAction, NoteServer>) -> Bool {
  let content: EffectWorkContent<NotesAction, NoteServer> = work.content
  switch content {
  case .merge(let parts): return parts.allSatisfy(isConcurrent)
  case .concatenate: return false
  case .delay(_, let part), .cancellable(_, let part): return isConcurrent(part)
  case .leaf: return true
  }
}

/// Returns the ids that an effect cancels or limits, each after the feature that they belong to.
func cancelledIDs(of effect: Effect<NotesAction, NoteServer>) -> [String] {
  effect.steps.compactMap { step in
    let content: EffectStep<NotesAction, NoteServer>.Content = step.content
    let id: CancellationID
    switch content {
    case .cancel(let cancelled): id = cancelled
    case .throttle(let throttle, _):
      let limit: EffectThrottle = throttle
      id = limit.id
    case .work, .cancelAll: return nil
    }
    return "\(step.scope) \(id.name)"
  }
}

/// Returns why the leaves that were in flight before an action are not in flight after it.
func cancellations(
  of before: EffectsInFlight, by effect: Effect<NotesAction, NoteServer>, after: EffectsInFlight
) -> [String] {
  before.leaves.filter { !after.contains($0.id) }.map { leaf in
    let reason: CancellationReason = leaf.reasonOfCancellation(by: effect)
    return "\(leaf.id) \(reason)"
  }
}

/// Returns the effects in flight of a note, and of its children.
func inFlight(of id: NoteID, in inFlight: EffectsInFlight) -> Int {
  let note: EffectScope.Component = ElementEmbedding<NotesAction.Parts._note>(id: id).scope
  return inFlight.leaves.count { leaf in
    let scope: EffectScope = leaf.scope
    return scope.components.first == note
  }
}

/// Returns the leaves in flight that are due, oldest first.
func dueLeaves(in inFlight: EffectsInFlight, at moment: Moment) -> [EffectLeafID] {
  inFlight.leaves.filter { (leaf: EffectsInFlight.Leaf) in leaf.due <= moment }.map(\.id)
}

// MARK: Fold and app

/// Folds actions into the initial state, and returns the state and the number of missing targets.
func fold(
  _ actions: [NotesAction], at moment: Moment
) -> (state: NotesState, missing: Int) {
  var fold = Fold<NotesApp>()
  for action in actions {
    _ = fold.apply(action, at: moment, sequence: fold.sequence + 1)
  }
  return (fold.state, fold.state.missing.count)
}

/// Reduces a batch of actions, and returns the sequences of those that had an effect.
func sequencesWithEffect(
  of batch: [NotesAction], after fold: inout Fold<NotesApp>, at moment: Moment
) -> [UInt64] {
  let effects: [ReducedEffect<NotesApp>] = NotesApp.reduce(batch, into: &fold, at: moment)
  return effects.map(\.sequence)
}

/// An app that reads what its older builds recorded.
enum NotesApp: ReplayableApp {
  typealias Environment = NoteServer

  static var name: String { "notes" }
  static var build: String { "2" }
  static var reducer: NotesReducer { NotesReducer() }
  static var initialState: NotesState { NotesState() }

  /// Build 1 recorded a note without a title as its own case.
  static var upcasters: [CaseName: Upcaster<NotesAction>] {
    [CaseName("NotesAction", "addedUntitled"): addUntitled]
  }

  /// Build 1 recorded scrolling, which this build can do without.
  static var retired: [CaseName: RetiredCase] {
    [CaseName("NotesAction", "scrolled"): .skip]
  }

  @Sendable
  private static func addUntitled(
    _ payloads: AvroValue, _ record: RecordContext
  ) -> [NotesAction] {
    [.added(title: "Note \(record.sequence)")]
  }

  static func scenes(in state: NotesState) -> [SceneID] { [SceneID(value: 0)] }

  static func backStack(
    of scene: SceneID, in state: NotesState
  ) -> BackStack<NotesRoute>? {
    scene.value == 0 ? state.stack : nil
  }

  static func screen(
    of scene: SceneID, in state: NotesState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    var lines: [Screen.Line] = []
    state.notes.forEach { _, note in lines.append(Screen.Line(note.title)) }
    return Screen(lines: lines)
  }
}

// MARK: Secrets

/// Seals a password, so that actions can hold it, and keeps the plain value in this process.
func seal(
  _ password: String, with sealer: SecretSealer<SHA256Hasher>, in vault: inout SecretVault
) -> Secret {
  let plain = Array(password.utf8)
  let isLong = SecretRule("isLong") { bytes in bytes.count >= 12 }
  let secret = sealer.seal(plain, rules: [isLong])
  vault.store(plain, for: secret)
  return secret
}

/// Returns the names of the rules that a password breaks; a reducer can do so without the password.
func brokenRules(of password: Secret) -> [String] {
  var broken = password.findings.filter { (finding: Secret.Finding) in !finding.holds }.map(\.name)
  let required: Secret.CharacterClasses = [.digits, .symbols]
  if !password.classes.isSuperset(of: required) { broken.append("hasDigitsAndSymbols") }
  return broken
}
