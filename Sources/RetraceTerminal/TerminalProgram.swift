public import Retrace
// Public signatures name types of these modules, so whoever imports this one sees them.
@_exported public import RetraceRecording
public import RetraceStorage
import RetraceSystem
@_exported public import TerminalUI

/// A scene of an app on a terminal: it shows the frames of the scene, carries out what keys mean,
/// and follows what effects and other processes change, until a key leaves the app.
///
/// ```swift
/// let store = try Store<StepsApp>.openBlocking(at: path, configuration: StoreConfiguration())
/// try TerminalProgram(store).run()
/// try store.closeBlocking()
/// ```
///
/// `ctrl-c` leaves the app, `ctrl-z` suspends it, and `ctrl-l` draws the screen again, unless the
/// frame gives the key a meaning.
///
/// Without a terminal, as in a pipe, each line of input is a key, and the screen is printed after
/// it; see ``runOnLines(limitMilliseconds:)``.
public struct TerminalProgram<App: InteractiveApp>: Sendable {
  /// The store.
  public let store: Store<App>
  /// The scene that is shown.
  public let scene: SceneID
  /// The size of the frames; a terminal sets it to its own.
  public var size = Screen.Size(columns: 80, rows: 24)
  /// The colors of the terminal; `nil` for none.
  ///
  /// By default they are those that the environment variables `TERM`, `COLORTERM` and `COLORFGBG`
  /// tell, and none if `NO_COLOR` is set. A background that is not known becomes the one that the
  /// terminal tells.
  public var palette = TerminalPalette(color: nil, theme: nil, isTerminal: true) {
    ThisProcess.environment($0)
  }
  /// The maximum size of a pasted text.
  public var pasteLimitBytes = 1 << 16

  /// Takes the first scene that no other process shows.
  ///
  /// - Parameters:
  ///   - store: The store, through which this session has sent nothing yet.
  ///   - opening: Returns the actions that open the scene, which the state may have or not.
  /// - Complexity: O(scenes of other processes), and a commit.
  /// - Throws: The errors of the store.
  public init(
    _ store: Store<App>, opening: (SceneID) -> [App.SceneAction]
  ) throws(StoreError) {
    var number: Int64 = 0
    while try !store.attach(to: SceneID(value: number)) { number += 1 }
    self.store = store
    scene = SceneID(value: number)
    try store.sendBlocking(opening(scene))
  }

  /// Takes the only scene of the app.
  ///
  /// - Parameter store: The store, through which this session has sent nothing yet.
  /// - Throws: `inUse` if another process shows the scene, and the errors of the store.
  public init(_ store: Store<App>) throws(StoreError) where App.State: SingleScene {
    self.store = store
    scene = SceneID(value: 0)
    guard try store.attach(to: scene) else {
      throw StoreError(
        .inUse(pids: []), what: "The app was not opened.", why: "Another process shows it.",
        advice: "Leave the app there first.")
    }
  }

  /// Runs the app until a key leaves it, or the input ends.
  ///
  /// It runs on a terminal if standard input and output are one that can show screens, and else
  /// line by line. A signal that ends the process closes the store first; only the first program of
  /// a process does this.
  ///
  /// - Returns: The report on the first line of input that named no key; `nil` on a terminal.
  /// - Throws: The errors of the store, and those of the terminal as `storageFailed`; the terminal
  ///   is restored first.
  @discardableResult
  public func run() throws(StoreError) -> String? {
    try? TerminationSignals.onTermination(timeoutMilliseconds: 2_000) {
      [weak store = self.store] signal in
      try? store?.closeBlocking(after: signal)
    }
    defer { TerminationSignals.waitIfEnding() }
    let term = ThisProcess.environment("TERM")
    guard Terminal.isTerminal(0), Terminal.isTerminal(1),
      AnsiRenderer.wantsColor(noColor: nil, term: term)
    else { return try runOnLines() }
    try runOnTerminal()
    return nil
  }

  // MARK: Frames and inputs

  /// Returns the present frame; `nil` if the state has no such scene.
  ///
  /// - Complexity: As the frame and its screen.
  /// - Throws: As `Store.read`, which verifies what the frame and its screen read.
  public func frame() throws(StoreError) -> App.Frame? { try shown().frame }

  /// Returns the present frame and its screen, which is empty without a frame.
  func shown() throws(StoreError) -> (frame: App.Frame?, screen: Screen) {
    try store.read { state in
      let frame = App.Frame(of: scene, in: copy state, at: store.now, size: size)
      return (frame, frame?.screen ?? Screen(Canvas(size)))
    }
  }

  /// Presses keys one after another, as the user of the scene does.
  ///
  /// - Returns: Whether a key leaves the app; the keys after it are not pressed.
  /// - Throws: The errors of the store.
  @discardableResult
  public func press(_ keys: Key...) throws(StoreError) -> Bool {
    for key in keys {
      if try perform(.key(key), on: frame()) == .leave { return true }
    }
    return false
  }

  /// What a program does after an input.
  enum Outcome {
    /// The input had no meaning, so the frame is still what the user sees.
    case nothing
    case performed
    case leave
    case suspend
    case redraw
  }

  /// Carries out what an input means to the user who sees a frame.
  ///
  /// - Throws: The errors of the store.
  func perform(_ input: Input, on frame: App.Frame?) throws(StoreError) -> Outcome {
    let meaning: InputMeaning<App>?
    do throws(KeyProblem) {
      meaning = try frame?.meaning(of: input)
    } catch {
      try store.sendBlocking(frame?.answer(to: error) ?? [])
      return .performed
    }
    switch meaning {
    case .intents(let intents):
      if let refusal = try store.carryOutBlocking(intents) { try tell(refusal, on: frame) }
    case .undo: try restore(isRedo: false, on: frame)
    case .redo: try restore(isRedo: true, on: frame)
    case .leave: return .leave
    case nil where input == .key(.ctrl("c")): return .leave
    case nil where input == .key(.suspend): return .suspend
    case nil where input == .key(.redraw): return .redraw
    case nil: return .nothing
    }
    return .performed
  }

  private func restore(isRedo: Bool, on frame: App.Frame?) throws(StoreError) {
    do throws(CommandError<App>) {
      let undoing = store as? any UndoingStore<App>
      if try undoing?.restoreNewest(isRedo: isRedo) == true { return }
    } catch {
      switch error {
      case .refused(let refusal, _): return try tell(refusal, on: frame)
      case .store(let failure): throw failure
      }
    }
    let problem = KeyProblem.unavailable("There is nothing to \(isRedo ? "redo" : "undo").")
    try store.sendBlocking(frame?.answer(to: problem) ?? [])
  }

  private func tell(_ refusal: App.Refusal, on frame: App.Frame?) throws(StoreError) {
    try store.sendBlocking(frame?.answer(to: refusal) ?? [])
  }
}

/// A store of an app with undo.
private protocol UndoingStore<App>: Sendable {
  associatedtype App: ReplayableApp

  /// Undoes or redoes the newest change of the user; returns whether there was one.
  func restoreNewest(isRedo: Bool) throws(CommandError<App>) -> Bool
}

extension Store: UndoingStore where App: UndoableApp {
  fileprivate func restoreNewest(isRedo: Bool) throws(CommandError<App>) -> Bool {
    try (isRedo ? redoBlocking() : undoBlocking()) != nil
  }
}
