import Retrace
import TimeTracking

/// The keys of every screen, and of what is shown over a screen.
enum SceneKeys {
  /// Returns the keys of every screen.
  static func everywhere<Frame>() -> KeyTable<Frame> {
    KeyTable<Frame>("Everywhere") {
      Binding(.text("?"), hint: "keys", help: "Show the keys, while no text is typed.") { _ in
        [.scene(.helpToggled)]
      }
      Binding(
        .ctrl("c"), .ctrl("d"), hint: "leave", help: "Leave; the next app of this user opens here."
      ) {
        _ in [.leave]
      }
      lookingBack()
      Binding(
        .ctrl("p"), .text(":"), brief: "commands",
        help: "Show the command palette, which finds actions, screens and entries by their words."
      ) { _ in
        [.scene(.paletteOpened)]
      }
      // The driver of a terminal takes it before a screen does.
      Binding(
        .suspend, brief: "suspend",
        help: "Suspend the app on a terminal; fg in the shell resumes it."
      ) {
        _ in []
      }
    }
  }

  private static func lookingBack<Frame>() -> Binding<Frame, [KeyStep]> {
    Binding(
      .ctrl("t"), brief: "look back",
      help: "Look back through what was done in this window; nothing is written meanwhile."
    ) { _ in
      [.lookBack]
    }
  }

  /// The keys while the list of keys is shown.
  static let help = KeyTable<SceneFrame>("Keys") {
    Binding(
      .text("?"), .escape, .enter, .text("q"), hint: "back", help: "Hide the keys."
    ) { _ in
      [.scene(.helpToggled)]
    }
    lookingBack()
    Binding(
      .ctrl("c"), .ctrl("d"), hint: "leave", help: "Leave; the next app of this user opens here."
    ) { _ in
      [.leave]
    }
  }

  /// The keys while a refused command can be confirmed; all other keys go to the screen.
  static let question = KeyTable<SceneFrame>("Confirm") {
    Binding(
      .enter, hint: "adjust", help: "Change the other entries as shown, if none is deleted."
    ) { frame throws(KeyProblem) in
      guard let question = frame.question else { return nil }
      if let obstacle = question.obstacle { return try frame.telling(obstacle) }
      return question.adjusting
    }
    Binding(
      .ctrl("x"), hint: "adjust, delete",
      help: "Change the other entries as shown, although one is deleted."
    ) { frame in
      guard let question = frame.question, question.deletions > 0 else { return nil }
      return question.adjusting
        + [.scene(.told(.madeRoom(deleted: Int64(question.deletions))))]
    }
    Binding(.ctrl("o"), hint: "record as it is", help: "Record it although it was refused.") {
      frame throws(KeyProblem) in
      // The refusal of the pressed key tells the other reason.
      if frame.edge == nil, frame.question?.isAllowable == false {
        throw .unavailable("There is another reason against it.")
      }
      return frame.question?.allowing
    }
    Binding(.escape, hint: "back", help: "Do neither.") { frame in
      frame.question == nil ? nil : [.scene(.told(nil))]
    }
  }
}
