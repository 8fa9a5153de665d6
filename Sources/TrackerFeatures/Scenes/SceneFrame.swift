public import Retrace
public import RetraceFilter
public import TimeTracking

/// The content of a scene, which is painted, and on which keys and the mouse are interpreted.
///
/// A driver keeps the frame that it painted last, and interprets the next input on it. So an input
/// means what the user saw, even if another process has changed the state meanwhile.
public struct SceneFrame: KeyFrame {
  /// The scene.
  public let id: SceneID
  let scene: Scene
  /// The frame of the shown screen.
  let content: AnyScreenFrame
  /// The question about a refused command, if any.
  let question: QuestionFrame?
  /// The question about a running entry that may have been forgotten, if no other one is asked.
  let forgotten: ForgottenFrame?
  /// The command palette, if it is open.
  private(set) var palette: PaletteFrame?
  let domain: DomainState
  var edge: Edge?
  /// The lines of the offer, of the notice and of the question.
  private let notices: [Screen.Line]
  /// The answers about a forgotten entry.
  private let answers: [HintLine]
  private let banner: Screen.Line?
  private let size: Screen.Size
  private let layout: SceneLayout
  let rules: ZoneRules?
  let saved: SavedFilters

  /// Creates the frame of a scene; `nil` if there is no such scene.
  ///
  /// - Parameters:
  ///   - id: The scene.
  ///   - state: The state.
  ///   - moment: The moment at which the frame is shown.
  ///   - rules: The rules of the zone of shown and typed times; `nil` for the recorded offsets of
  ///     entries. Without rules, keys mean nothing.
  ///   - size: The size of the screen.
  ///   - memo: The memo of the frame before.
  ///   - banner: A line above the screen that says what is shown; `nil` for the scene as it is.
  ///   - store: The place of the store, which the settings show; `nil` if it is not known.
  ///   - calendars: The calendar files and folders, which the settings show and change; `nil` if
  ///     they are not known.
  ///   - saved: The filters that the user has saved, which keys look up.
  ///   - history: The page of the log that ``Scene/historyQuery(fitting:)`` asks for; `nil` if the
  ///     driver reads no log.
  /// - Complexity: As the screen: O(users log users) for the users, O(entries ended in the shown
  ///   time) for the timer, O(projects + tags) for the editor of an entry.
  public init?(
    of id: SceneID, in state: TrackerState, at moment: Moment, by rules: ZoneRules?,
    size: Screen.Size, memo: FrameMemo = FrameMemo(), banner: Screen.Line? = nil,
    store: String? = nil, calendars: String? = nil, saved: SavedFilters = SavedFilters([]),
    history: HistoryPage? = nil
  ) {
    guard let scene = state.scenes[id] else { return nil }
    self.id = id
    self.scene = scene
    self.size = size
    self.rules = rules
    self.saved = saved
    domain = state.domain
    let question = scene.question.map { QuestionFrame($0, in: state.domain, at: moment, by: rules) }
    self.question = question
    let forgotten =
      question == nil ? ForgottenFrame(of: scene, in: state.domain, at: moment, by: rules) : nil
    self.forgotten = forgotten
    let notice = scene.notice(in: state.domain)
    let said = notice.map { notice in
      notice.line(
        in: state.domain, by: rules, zone: question?.zone, to: scene.stack.top.user,
        advice: scene.advice)
    }
    func wrapped(_ lines: [Screen.Line], linesMax: Int) -> [Screen.Line] {
      lines.flatMap { line in
        TextWidth.lines(of: line.text, cutTo: size.columns, indent: 2, linesMax: max(1, linesMax))
          .map { Screen.Line($0, line.runs.first?.style ?? .plain) }
      }
    }
    // What to do about a refusal is at its end.
    let half = question == nil && notice?.isRefusal == true
    let offer = scene.offer(in: state.domain, at: moment)?
      .line(at: moment, fitting: size.columns)
    notices =
      wrapped([offer].compactMap { $0 }, linesMax: size.rows / 4)
      + wrapped([said].compactMap { $0 }, linesMax: half ? size.rows / 2 : size.rows / 4)
      + wrapped(question?.reasons ?? [], linesMax: size.rows / 4)
      + wrapped(question?.changes ?? [], linesMax: size.rows / 8)
      + wrapped([forgotten?.reason].compactMap { $0 }, linesMax: size.rows / 4)
    self.banner = banner
    // The answers have rows of their own, so that the screen keeps its hints.
    answers =
      forgotten.map {
        SceneKeys.forgotten.hintLines(
          in: $0, fitting: size.columns, linesMax: max(1, size.rows / 4))
      } ?? []
    layout = SceneLayout(
      size, notices: notices.count, hasRule: question != nil || forgotten != nil,
      answers: answers.count, hasBanner: banner != nil)
    let room = Screen.Size(columns: layout.body.columns, rows: layout.body.rows)
    content = TrackerScreens.frame(
      of: scene.stack.top,
      in: ScreenContext(
        domain: state.domain, route: scene.stack.topID, moment: moment, rules: rules, size: room,
        isRoot: scene.stack.entries.count == 1, notice: notice,
        memo: memo.following(state.domain, listsFound: scene.stack.top.isTimer),
        drafts: scene.drafts, store: store, calendars: calendars, history: history,
        events: scene.events, reportGrouping: scene.reportGrouping,
        reportRounding: scene.reportRounding))
    self.memo = content.memo
    if let palette = scene.palette {
      let answers = forgotten.map { SceneKeys.forgotten.actions(in: $0) } ?? []
      self.palette = PaletteFrame(
        palette, of: scene, content, forgotten: answers, &self.memo, in: state.domain)
    }
  }

  /// The memo for the next frame.
  public private(set) var memo = FrameMemo()

  /// The screen: the route or the list of keys, the notice or the question, and the hint line.
  public var screen: Screen {
    var canvas = Canvas(size)
    if let banner { canvas.drawLine(banner, in: layout.banner) }
    var cursor: Screen.Cursor?
    if scene.isHelpShown {
      let room = Screen.Size(columns: layout.body.columns, rows: layout.body.rows)
      content.help(fitting: room, beside: forgotten).draw(in: layout.body, on: &canvas)
    } else {
      content.draw(in: layout.body, on: &canvas)
      cursor = content.cursor(in: layout.body)
    }
    if let palette, !scene.isHelpShown {
      let box = palette.box(in: layout.body)
      palette.widget.draw(in: box, on: &canvas)
      cursor = palette.widget.cursor(in: box)
    }
    canvas.fill(layout.rule, with: "─", style: Style(foreground: .border))
    notices.draw(in: layout.notices, on: &canvas)
    answers.map { $0.line }.draw(in: layout.answers, on: &canvas)
    canvas.drawLine(hints.line, in: layout.hints)
    var screen = Screen(canvas, cursor: cursor)
    screen.mouse = .buttons
    screen.reportsFocus = true
    return screen
  }

  private var hints: HintLine {
    if scene.isHelpShown { return SceneKeys.help.hintLine(in: self, fitting: size.columns) }
    if palette != nil { return SceneKeys.palette.hintLine(in: self, fitting: size.columns) }
    if question != nil { return SceneKeys.question.hintLine(in: self, fitting: size.columns) }
    return content.hints(fitting: size.columns)
  }

  /// Returns the meaning of a key on the frame.
  ///
  /// A driver prepares the commands about entries, see `TimeEntryCommand.prepared(at:in:zone:)`.
  ///
  /// - Parameters:
  ///   - key: The key, or a whole text.
  ///   - now: The moment at which the key was pressed.
  /// - Complexity: O(bindings), plus the bound function: O(bytes of the texts) at most.
  public func interpret(_ key: Key, at now: Moment) -> KeyMeaning {
    guard let rules else { return .intents([]) }
    // A pressed key throws only if a table binds it twice, which no table does.
    guard let steps = try? steps(for: key, at: Edge(rules: rules, now: now, saved: saved)) else {
      // A pasted text may be long or a secret, so its name is not recorded.
      if case .paste = key.code { return .intents([said(.unknownKey("paste"))]) }
      return .intents([said(.unknownKey(key.name))])
    }
    return meaning(of: steps)
  }

  /// Returns the meaning of an input of the mouse on the frame.
  ///
  /// A click on a row selects it, a click on a text sets the cursor, a click on a hint presses its
  /// key, and the wheel scrolls. What has no meaning gives no intents, and no notice.
  ///
  /// - Parameters:
  ///   - mouse: The input.
  ///   - now: The moment of the input.
  /// - Complexity: As for a key.
  public func interpret(_ mouse: Mouse, at now: Moment) -> KeyMeaning {
    guard let rules, mouse.modifiers.isEmpty else { return .intents([]) }
    let place = Screen.Cursor(row: mouse.row, column: mouse.column)
    if mouse.action == .pressed(.left), layout.hints.contains(place) {
      return hints.key(at: place.column).map { interpret($0, at: now) } ?? .intents([])
    }
    if mouse.action == .pressed(.left), layout.answers.contains(place) {
      return answers[place.row - layout.answers.row].key(at: place.column)
        .map { interpret($0, at: now) } ?? .intents([])
    }
    // A drag may leave the screen of the route, and the button may be released outside of it.
    guard !scene.isHelpShown, layout.body.contains(place) || mouse.action.isOfDrag else {
      return .intents([])
    }
    let edge = Edge(rules: rules, now: now, saved: saved)
    if palette != nil {
      var frame = self
      frame.edge = edge
      return meaning(of: frame.stepsOfPalette(for: mouse, in: layout.body))
    }
    return meaning(of: content.steps(for: mouse, in: layout.body, at: edge))
  }

  private func meaning(of steps: [KeyStep]) -> KeyMeaning {
    if steps.contains(.leave) { return .leave }
    if steps.contains(.lookBack) { return .lookBack }
    if steps.contains(.undo) { return .undo }
    if steps.contains(.redo) { return .redo }
    for step in steps {
      switch step {
      case .takeBack(let entries): return .takeBack(entries)
      case .restore(let change, let isRedo): return .restore(change, isRedo: isRedo)
      case .copy(let text): return .copy(text)
      case .write(let file): return .write(file)
      case .calendars(let text): return .calendars(text, scene.stack.topID)
      case .secret(let edit): return .secret(edit)
      case .screen, .scene, .command, .undo, .redo, .leave, .lookBack: break
      }
    }
    var intents = steps.compactMap(intent)
    // A change after the notice would end it.
    let end = intents.firstIndex(where: Self.isNotice) ?? intents.count
    intents.insert(contentsOf: selection(after: steps), at: end)
    // A command changes no scene, so the earlier question is removed first. The facts of the
    // command end an earlier notice.
    if scene.question != nil, case .command? = intents.first {
      intents.insert(said(nil), at: 0)
    }
    return .intents(intents)
  }

  /// Returns whether an intent shows or removes a notice.
  private static func isNotice(_ intent: TimeTracker.Intent) -> Bool {
    if case .scene(.scene(_, .told)) = intent { true } else { false }
  }

  /// The surrogate of the shown password; `nil` if there is none.
  public var secret: Secret? {
    if case .account(let route) = scene.stack.top { route.password } else { nil }
  }

  /// Returns the action that records the surrogate of an edited password; `nil` if none is edited.
  public func entering(_ secret: Secret?) -> ScenesAction? {
    guard case .account = scene.stack.top else { return nil }
    return .scene(id, .screen(scene.stack.topID, .account(.passwordEntered(secret))))
  }

  private func steps(for key: Key, at edge: Edge) throws(KeyProblem) -> [KeyStep]? {
    if var asked = forgotten {
      asked.edge = edge
      if let steps = try SceneKeys.forgotten.value(for: key, in: asked) {
        return uncovering(steps) + steps
      }
    }
    if scene.isHelpShown { return try SceneKeys.help.value(for: key, in: self) }
    var frame = self
    frame.edge = edge
    if palette != nil { return try SceneKeys.palette.value(for: key, in: frame) }
    if question != nil, let steps = try SceneKeys.question.value(for: key, in: frame) {
      return steps
    }
    return try content.steps(for: key, at: edge)
  }

  /// Returns the steps before others that hide what is over the screens, if the others go to one.
  private func uncovering(_ steps: [KeyStep]) -> [KeyStep] {
    if steps.contains(where: { $0.isCommand }) { return [] }
    return (scene.isHelpShown ? [.scene(.helpToggled)] : [])
      + (palette == nil ? [] : [.scene(.paletteClosed)])
  }

  private func said(_ notice: Notice?) -> TimeTracker.Intent {
    .scene(.scene(id, .told(notice)))
  }

  private func intent(of step: KeyStep) -> TimeTracker.Intent? {
    switch step {
    case .screen(let action): .scene(.scene(id, .screen(scene.stack.topID, action)))
    case .scene(let change): .scene(.scene(id, change))
    case .command(let command): .command(command)
    case .undo, .redo, .takeBack, .restore, .leave, .lookBack, .copy, .write, .calendars, .secret:
      nil
    }
  }
}

extension Mouse.Action {
  /// Whether it goes on with a drag, or ends it.
  fileprivate var isOfDrag: Bool {
    switch self {
    case .dragged, .released: true
    case .pressed, .moved, .scrolled: false
    }
  }
}

extension TimeTracker {
  /// Returns the action that shows the refusal of a command, which a driver commits with it.
  ///
  /// A refusal by the policy becomes a question that offers to adjust or to allow.
  ///
  /// - Parameters:
  ///   - refusal: The refusal that the store returned.
  ///   - intents: The intents, up to the refused command.
  ///   - scene: The scene.
  public static func answer(
    to refusal: DomainRefusal, of intents: [TimeTracker.Intent], in scene: SceneID
  ) -> ScenesAction {
    var refused: TimeEntryCommand?
    var closes: RouteID?
    for intent in intents {
      switch intent {
      case .command(.entry(let command)): refused = command
      case .scene(.scene(_, .popped(let route))): closes = route
      default: break
      }
    }
    if case .entry(let reason) = refusal, reason.isByPolicy, let refused {
      let question = Question(command: refused, refusal: reason, closes: closes)
      return .scene(scene, .asked(question))
    }
    return .scene(scene, .told(.refused(refusal)))
  }

  /// Returns the action that shows the result of an undo or a redo, which a driver commits with it.
  ///
  /// - Parameters:
  ///   - facts: The facts of the restore; `nil` if nothing could be undone or redone.
  ///   - isRedo: Whether it was a redo.
  ///   - scene: The scene.
  public static func answer(
    toRestore facts: [TrackerAction]?, isRedo: Bool, in scene: SceneID
  ) -> ScenesAction {
    guard let facts else {
      return .scene(scene, .told(isRedo ? .nothingToRedo : .nothingToUndo))
    }
    let unrestored = facts.compactMap { restored(in: $0)?.unrestored.count }.reduce(0, +)
    let (count, changed) = (Int64(unrestored), RestoredEntities(facts))
    return .scene(
      scene,
      .told(isRedo ? .redone(unrestored: count, changed) : .undone(unrestored: count, changed)))
  }

  /// Returns the action that opens the screen of a deep link, with the screens below it.
  ///
  /// - Throws: The reason why there is no such screen.
  public static func opening(
    _ link: String, in scene: SceneID, of state: TrackerState
  ) throws(LinkProblem) -> ScenesAction {
    let route = try LinkProblem.route(of: link)
    if let user = route.user, state.domain.users.live(user) == nil { throw .noUser(user) }
    let context = ScreenContext(
      domain: state.domain, route: RouteID(value: 0), moment: Moment(microseconds: 0), rules: nil,
      size: Screen.Size(columns: 0, rows: 0))
    guard let routes = TrackerScreens.frame(of: route, in: context).routes else {
      throw .nothingThere
    }
    return .scene(scene, .wentTo(routes))
  }
}
