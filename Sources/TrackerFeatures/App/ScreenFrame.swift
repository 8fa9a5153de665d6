import Retrace
import TimeTracking

/// The input of a frame.
struct ScreenContext {
  var domain: DomainState
  var route: RouteID
  /// The moment at which the frame is shown.
  var moment: Moment
  /// The rules of the zone in which times are shown; `nil` for the recorded offsets of entries.
  var rules: ZoneRules?
  /// The size of the screen, without the lines of the scene.
  var size: Screen.Size
  /// Whether the route is the lowest one on the stack.
  var isRoot = true
  /// The notice of the scene about the last input.
  var notice: Notice?
  /// The memo of the frame before.
  var memo = FrameMemo()
  /// The drafts of the scene.
  var drafts: [KeptDraft] = []
  /// The place of the store, if the driver says it.
  var store: String?
  /// The calendar files and folders of the settings of this machine, if the driver says them.
  var calendars: String?
  /// The page of the log that the driver has read for the screen.
  var history: HistoryPage?
  /// The events of other calendars that the scene has.
  var events = SceneEvents()
  /// The groups of reports that were chosen last; empty for those of a fresh report.
  var reportGrouping: [ReportGrouping] = []
  /// The rounding of reports that was chosen last; empty for none.
  var reportRounding: String = ""
}

/// What is painted, and on which keys are interpreted.
protocol KeyFrame: Sendable {
  /// The entities that the frame was painted from.
  var domain: DomainState { get }
  /// The zone rules and the moment of a pressed key; `nil` while the frame is painted.
  var edge: Edge? { get set }
}

extension KeyFrame {
  /// Returns the steps of a pressed key that does nothing, which are to say why.
  ///
  /// - Throws: The text of the obstacle while the frame is painted, for the list of keys.
  func telling(_ obstacle: KeyObstacle) throws(KeyProblem) -> [KeyStep] {
    guard edge == nil else { return [.scene(.told(.obstacle(obstacle)))] }
    throw .unavailable(obstacle.text(in: domain))
  }
}

/// The content of a screen, which is drawn, and on which keys and the mouse are interpreted.
protocol ScreenFrame: KeyFrame, Widget {
  /// The keys of the screen.
  static var keys: KeyTable<Self> { get }

  /// The routes from the root to the screen, with their values from the domain; `nil` if an entity
  /// in the path of the screen does not exist.
  var routes: [TrackerRoute]? { get }

  /// The memo for the next frame.
  var memo: FrameMemo { get }

  /// Returns the steps of an input of the mouse; none where it means nothing.
  ///
  /// - Parameters:
  ///   - mouse: The input, without modifiers.
  ///   - rect: The rectangle that the frame is drawn into.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep]
}

/// The table of the keys of a frame.
typealias KeyTable<Frame> = Bindings<Frame, [KeyStep]>

extension ScreenFrame {
  /// Returns the meaning of a key; `nil` if it is not bound.
  func steps(for key: Key, at edge: Edge) throws(KeyProblem) -> [KeyStep]? {
    var frame = self
    frame.edge = edge
    return try Self.keys.within(SceneKeys.everywhere()).value(for: key, in: frame)
  }

  /// Returns the steps of an input of the mouse.
  func steps(for mouse: Mouse, in rect: Rect, at edge: Edge) -> [KeyStep] {
    var frame = self
    frame.edge = edge
    return frame.steps(for: mouse, in: rect)
  }

  func taker(of key: Key, at edge: Edge) -> BoundKeys? {
    var frame = self
    frame.edge = edge
    return Self.keys.within(SceneKeys.everywhere()).taker(of: key, in: frame)
  }

  func hints(fitting columns: Int) -> HintLine {
    Self.keys.within(SceneKeys.everywhere()).hintLine(in: self, fitting: columns)
  }

  /// Returns the actions of the screen, which the command palette offers.
  func actions(where isListed: (_ help: String) -> Bool) -> [BoundAction] {
    Self.keys.within(SceneKeys.everywhere()).actions(in: self, where: isListed)
  }

  /// Returns the list of keys: with wrapped lines, with a line for each, or in columns of few
  /// words, whichever fits first without a cut.
  ///
  /// - Parameters:
  ///   - size: The size of the list.
  ///   - forgotten: The question about a forgotten entry, whose keys come first.
  func help(fitting size: Screen.Size, beside forgotten: ForgottenFrame?) -> [Screen.Line] {
    var keys = Self.keys.within(SceneKeys.everywhere())
    if let forgotten {
      keys = SceneKeys.forgotten.map(context: { (_: Self) in forgotten }, value: { $1 })
        .within(keys)
    }
    for isShort in [false, true] {
      let lines = keys.help(in: self, fitting: size.columns, isShort: isShort)
      let fits = !isShort || lines.allSatisfy { TextWidth.of($0.text) <= size.columns }
      if lines.count <= size.rows, fits { return lines }
    }
    return keys.briefHelp(in: self, fitting: size)
  }
}

/// The frame of any screen, by its functions: Embedded Swift has no existentials.
struct AnyScreenFrame: Sendable {
  private let drawing: @Sendable (Rect, inout Canvas) -> Void
  private let cursorPlace: @Sendable (Rect) -> Screen.Cursor?
  private let path: @Sendable () -> [TrackerRoute]?
  private let meaning: @Sendable (Key, Edge) throws(KeyProblem) -> [KeyStep]?
  private let mouseMeaning: @Sendable (Mouse, Rect, Edge) -> [KeyStep]
  private let hintLine: @Sendable (Int) -> HintLine
  private let helpLines: @Sendable (Screen.Size, ForgottenFrame?) -> [Screen.Line]
  private let boundActions: @Sendable ((String) -> Bool) -> [BoundAction]
  /// Returns the bindings that are asked for a key, in their order.
  let bound: @Sendable () -> [BoundKeys]
  private let taking: @Sendable (Key, Edge) -> BoundKeys?
  /// The memo for the next frame.
  let memo: FrameMemo

  init<Frame: ScreenFrame>(_ frame: Frame) {
    memo = frame.memo
    // Each closure would have a copy of the frame.
    let shown = Boxed(frame)
    bound = { Frame.keys.within(SceneKeys.everywhere()).bound }
    taking = { shown.value.taker(of: $0, at: $1) }
    drawing = { rect, canvas in shown.value.draw(in: rect, on: &canvas) }
    cursorPlace = { shown.value.cursor(in: $0) }
    path = { shown.value.routes }
    meaning = { key, edge throws(KeyProblem) in try shown.value.steps(for: key, at: edge) }
    mouseMeaning = { shown.value.steps(for: $0, in: $1, at: $2) }
    hintLine = { shown.value.hints(fitting: $0) }
    helpLines = { shown.value.help(fitting: $0, beside: $1) }
    boundActions = { shown.value.actions(where: $0) }
  }

  var routes: [TrackerRoute]? { path() }

  func draw(in rect: Rect, on canvas: inout Canvas) { drawing(rect, &canvas) }

  func cursor(in rect: Rect) -> Screen.Cursor? { cursorPlace(rect) }

  func steps(for key: Key, at edge: Edge) throws(KeyProblem) -> [KeyStep]? {
    try meaning(key, edge)
  }

  func steps(for mouse: Mouse, in rect: Rect, at edge: Edge) -> [KeyStep] {
    mouseMeaning(mouse, rect, edge)
  }

  /// Returns the binding that takes a pressed key, or that tells why it does nothing; `nil` if none
  /// does.
  func taker(of key: Key, at edge: Edge) -> BoundKeys? { taking(key, edge) }

  func hints(fitting columns: Int) -> HintLine { hintLine(columns) }

  func help(fitting size: Screen.Size, beside forgotten: ForgottenFrame?) -> [Screen.Line] {
    helpLines(size, forgotten)
  }

  func actions(where isListed: (_ help: String) -> Bool) -> [BoundAction] {
    boundActions(isListed)
  }
}
