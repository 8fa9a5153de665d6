import Retrace
import RetracePlayer
import RetraceStorage
import TrackerFeatures

/// What a terminal or a pipe shows of the app: the present scene, or its past in the rail.
///
/// While the rail is open, no input reaches the scene, so this process records nothing.
struct AppView: ~Copyable {
  private var driver: any ScreenDriver
  /// The frame of the scene that was shown last.
  private var painted: SceneFrame?
  /// The player of the past while the rail is open, and its frame that was shown last.
  private var rail: Player<TimeTracker>?
  private var looked: PlayerFrame?
  /// What the terminal can do, until it is recorded.
  private var features: TerminalFeatures?
  private var hasRecordedFeatures = false

  /// Shows the scene of a driver.
  init(_ driver: any ScreenDriver) { self.driver = driver }

  /// The size of the screen in cells.
  var size: Screen.Size {
    get { driver.size }
    set { driver.size = newValue }
  }

  /// Whether the rail is open.
  var isLookingBack: Bool { rail != nil }

  /// Whether a search in the rail goes on without a key.
  var isWorking: Bool {
    mutating get { rail?.isWorking ?? false }
  }

  /// The error that ended writing; `nil` while inputs are taken.
  var writingError: StoreError? { driver.writingError }

  /// Returns the screen; `nil` if the store cannot be read.
  mutating func screen() -> Screen? {
    let size = size
    looked = rail?.frame(size: size)
    if let looked { return looked.picture }
    painted = driver.frame()
    return painted?.screen
  }

  /// Performs inputs one after another; see ``SceneDriver/perform(_:on:)``.
  ///
  /// - Parameters:
  ///   - inputs: The inputs.
  ///   - onLatest: Whether the first input is interpreted on the latest state rather than on what
  ///     was shown last.
  /// - Throws: The errors of the store.
  mutating func perform(
    _ inputs: [Input], onLatest: Bool = false
  ) throws(StoreError) -> SceneDriver.Pressed {
    if onLatest {
      (painted, looked) = (nil, nil)
      rail?.follow()
    }
    var rest = inputs[...]
    var copied: String?
    while true {
      if let last = rail?.last {
        rest = try lookBack(rest)
        if isLookingBack || rest.isEmpty {
          return SceneDriver.Pressed(sequence: last, leaves: false, copied: copied)
        }
      }
      var pressed = try driver.perform(Array(rest), on: painted)
      painted = nil
      pressed.copied = pressed.copied ?? copied
      copied = pressed.copied
      guard let after = pressed.afterRail else { return pressed }
      try openRail()
      guard isLookingBack, !after.isEmpty else { return pressed }
      rest = after[...]
    }
  }

  private mutating func openRail() throws(StoreError) {
    guard let log = driver.log else { return }
    // Without it, such as after a record that cannot be read, all records are shown.
    let session = try? log.newestSession(of: driver.scene)
    rail = try Player<TimeTracker>(
      log, zone: driver.shownRules, follows: true,
      rail: PlayerState.Rail(scene: driver.scene.value, session: session))
    // The first rows are there at once.
    rail?.work()
  }

  /// Takes inputs until one closes the rail, and returns those after it.
  private mutating func lookBack(
    _ inputs: ArraySlice<Input>
  ) throws(StoreError) -> ArraySlice<Input> {
    let size = size
    for (index, input) in zip(inputs.indices, inputs) {
      if input == .focused || input == .unfocused {
        // It is only noted, for the next action.
        _ = try driver.perform([input], on: nil)
        continue
      }
      guard let frame = looked ?? rail?.frame(size: size) else { break }
      looked = nil
      if rail?.take(input, on: frame) ?? true {
        rail = nil
        if let features { try record(features) }
        return inputs[(index + 1)...]
      }
    }
    return []
  }

  /// Goes on with a search in the rail, or shows there what was recorded since.
  mutating func goOn(isWoken: Bool) {
    if isWoken { rail?.follow() } else { rail?.work() }
  }

  /// Ends the searches in the rail.
  mutating func finishWork() {
    while isWorking { rail?.work() }
  }

  /// Takes over what other processes recorded, and returns the sequence of what is shown.
  ///
  /// - Throws: The errors of the store.
  mutating func catchUp() throws(StoreError) -> UInt64 {
    rail?.follow()
    finishWork()
    if let last = rail?.last { return last }
    return try driver.catchUp()
  }

  /// Notes what the terminal of this session can do; in the rail, when that is closed.
  ///
  /// Later notes differ in the color scheme alone, on which no screen depends.
  ///
  /// - Throws: The errors of the store.
  mutating func record(_ features: TerminalFeatures) throws(StoreError) {
    guard !hasRecordedFeatures else { return }
    if isLookingBack { return self.features = features }
    try driver.record(features)
    (self.features, hasRecordedFeatures) = (nil, true)
  }

  /// Asks about a running entry if the machine has slept, unless the rail is open.
  ///
  /// - Throws: The errors of the store.
  func askAboutSleep() throws(StoreError) {
    if !isLookingBack { try driver.askAboutSleep() }
  }

  /// Takes over what has changed in the events of the shown days, unless the rail is open.
  ///
  /// - Throws: The errors of the store.
  func followCalendars() throws(StoreError) {
    if !isLookingBack { try driver.followCalendars() }
  }

  /// Shows a notice in the scene.
  ///
  /// - Throws: The errors of the store.
  func tell(_ notice: Notice) throws(StoreError) { try driver.tell(notice) }

  /// Takes note that the process is about to be stopped.
  func suspended() { driver.suspended() }

  /// Takes note that the process went on after it was stopped.
  func resumed() { driver.resumed() }
}

extension LogStorage {
  /// Returns the number of the newest session that showed a scene; `nil` without one.
  ///
  /// - Complexity: O(records since that session began).
  /// - Throws: `damaged` if a record cannot be read.
  fileprivate func newestSession(of scene: SceneID) throws(StoreError) -> UInt64? {
    try withReadView { view throws(StoreError) in
      guard view.head.sequence > 0 else { return nil }
      return try view.lastRecord(in: 1...view.head.sequence) { record in
        record.kind == .sessionOpened
          && (try? record.storedPayload(as: SessionOpened.self))?.scene == scene
      }
    }
  }
}
