import Retrace
import RetraceStorage
import TimeTracking
import TrackerFeatures

/// A driver that performs inputs one after another.
protocol InputPerformer: ScreenDriver {
  /// The moment of an input.
  func now() -> Moment

  /// The sequence of the shown state.
  var sequence: UInt64 { get }

  /// Returns the frame of the present state; `nil` if there is no such scene.
  ///
  /// - Throws: The errors of the store.
  func frame(at now: Moment) throws(StoreError) -> SceneFrame?

  /// Takes note of an input, before it is performed.
  func note(_ input: Input)

  /// Carries out what an input means: all but leaving, copying, and opening the rail.
  ///
  /// - Parameters:
  ///   - meaning: The meaning.
  ///   - frame: The frame that the user saw.
  ///   - now: The moment of the input.
  /// - Throws: The errors of the store.
  func carryOut(
    _ meaning: KeyMeaning, on frame: SceneFrame, at now: Moment
  ) throws(StoreError)

  /// Closes the command palette from which the app is left, or the rail is opened.
  ///
  /// - Throws: The errors of the store.
  func closePalette() throws(StoreError)
}

extension InputPerformer {
  /// Performs inputs one after another; see ``SceneDriver/perform(_:on:)``.
  func performEach(
    of inputs: [Input], on painted: SceneFrame?
  ) throws(StoreError) -> SceneDriver.Pressed {
    var painted = painted
    var pressed = SceneDriver.Pressed(sequence: 0, leaves: false)
    let inputs = inputs.withoutPassedMotions
    for (index, input) in inputs.enumerated() {
      note(input)
      guard input.isOfUser else { continue }
      if case .pasteRefused(let limitBytes) = input {
        let text = "The pasted text is longer than \(limitBytes) bytes; none of it was inserted."
        try tell(.unavailable(text))
        painted = nil
        continue
      }
      let now = now()
      if painted == nil { painted = try frame(at: now) }
      guard let shown = painted else { break }
      let meaning = shown.interpret(input, at: now)
      if meaning == .intents([]) { continue }
      painted = nil
      switch meaning {
      case .copy(let text): pressed.copied = text
      case .leave: pressed.leaves = true
      case .lookBack where log != nil: pressed.afterRail = Array(inputs[(index + 1)...])
      default: try carryOut(meaning, on: shown, at: now)
      }
      if pressed.leaves || pressed.afterRail != nil {
        try closePalette()
        break
      }
    }
    pressed.sequence = sequence
    return pressed
  }
}

extension [Input] {
  /// The inputs without the motions of a drag that another one follows at once.
  ///
  /// What was read at once shows only the last place of the mouse, so the log has only that.
  var withoutPassedMotions: [Input] {
    enumerated().filter { index, input in
      guard case .mouse(let mouse) = input, case .dragged = mouse.action,
        indices.contains(index + 1), case .mouse(let next) = self[index + 1]
      else { return true }
      return next.action != mouse.action
    }.map { $0.element }
  }
}

extension Input {
  /// Whether it may mean something on a screen.
  fileprivate var isOfUser: Bool {
    switch self {
    case .key, .pasteRefused: true
    case .mouse(let mouse):
      switch mouse.action {
      case .pressed, .scrolled, .released, .dragged: true
      case .moved: false
      }
    case .focused, .unfocused, .resized: false
    }
  }
}

extension SceneFrame {
  func interpret(_ input: Input, at now: Moment) -> KeyMeaning {
    switch input {
    case .key(let key): interpret(key, at: now)
    case .mouse(let mouse): interpret(mouse, at: now)
    case .focused, .unfocused, .resized, .pasteRefused: .intents([])
    }
  }
}
