public import Retrace
public import RetraceRecording
public import RetraceStorage
public import TrackerFeatures

/// What a terminal or a pipe needs to show a scene and to pass inputs on.
///
/// ``SceneDriver`` shows a scene of the store, and ``BranchDriver`` one as it was.
public protocol ScreenDriver: Sendable {
  /// The size of the screen in cells.
  var size: Screen.Size { get set }

  /// The scene.
  var scene: SceneID { get }

  /// The log whose past can be looked at; `nil` if what is shown is the past.
  var log: LogStorage? { get }

  /// The rules of the zone in which times are shown.
  var shownRules: ZoneRules { get }

  /// The error that ended writing; `nil` while the driver takes inputs.
  var writingError: StoreError? { get }

  /// Returns the present frame of the scene; `nil` if the log cannot be read.
  func frame() -> SceneFrame?

  /// Performs inputs one after another; see ``SceneDriver/perform(_:on:)``.
  ///
  /// - Throws: The errors of the store.
  func perform(
    _ inputs: [Input], on painted: SceneFrame?
  ) throws(StoreError) -> SceneDriver.Pressed

  /// Opens the screen of a deep link, with the screens below it.
  ///
  /// - Throws: The errors of the store.
  /// - Returns: The reason why there is no such screen; `nil` if it is open.
  func open(_ link: String) throws(StoreError) -> LinkProblem?

  /// Takes over what other processes recorded, and returns the sequence of the shown state.
  ///
  /// - Throws: The errors of the store.
  func catchUp() throws(StoreError) -> UInt64

  /// Shows a notice in the scene.
  ///
  /// - Throws: The errors of the store.
  func tell(_ notice: Notice) throws(StoreError)

  /// Notes what the terminal of this session can do.
  ///
  /// - Throws: The errors of the store.
  func record(_ features: TerminalFeatures) throws(StoreError)

  /// Asks about a running entry if the machine has slept; see ``SceneDriver/askAboutSleep()``.
  ///
  /// - Throws: The errors of the store.
  func askAboutSleep() throws(StoreError)

  /// Takes over what has changed in the events of the shown days; see
  /// ``SceneDriver/followCalendars()``.
  ///
  /// - Throws: The errors of the store.
  func followCalendars() throws(StoreError)

  /// Takes note that the process is about to be stopped.
  func suspended()

  /// Takes note that the process went on after it was stopped.
  func resumed()

  /// Calls `body` after each change of the state by others; see
  /// ``SceneDriver/observeOthers(_:)``.
  ///
  /// - Returns: The observation; `nil` if nothing can change.
  func observeOthers(_ body: @escaping @Sendable () -> Void) -> Observation?
}
