/// The role of an action in an app with commands.
///
/// Only facts, which a decider returns, change the domain of such an app. So a store accepts scene
/// actions and commands, and refuses facts. An effect answers with scene actions or one command.
public enum ActionRole<Command> {
  /// A scene action, which a store sends as it is.
  case scene
  /// A fact of the domain, which only a decider returns.
  case fact
  /// The answer of an effect that asks for a command.
  ///
  /// It is never recorded: the store decides the command, and records it with its facts or refusal.
  case request(Command)
}

extension ActionRole: Sendable where Command: Sendable {}
extension ActionRole: Equatable where Command: Equatable {}

extension ReplayableApp {
  /// Returns the actions that the log records for scene actions; `nil` if one has another role.
  @inlinable
  public static func _sent(_ sceneActions: [SceneAction]) -> [Action]? {
    var actions: [Action] = []
    actions.reserveCapacity(sceneActions.count)
    for sceneAction in sceneActions {
      let action = Self.action(for: sceneAction)
      guard case .scene = role(of: action) else { return nil }
      actions.append(action)
    }
    return actions
  }
}

// An app without commands does not declare `SceneAction`, which is then `Action`, so the casts
// succeed. If the extension required `SceneAction == Action`, Swift could not infer the types of
// most apps.
extension ReplayableApp where RootDecider == NoDecider<State, Action> {
  /// Returns the action itself.
  @inlinable
  public static func action(for sceneAction: SceneAction) -> Action {
    guard let action = sceneAction as? Action else { preconditionFailure(_undeclaredRole) }
    return action
  }

  /// Returns ``ActionRole/scene``.
  @inlinable
  public static func role(of action: Action) -> ActionRole<RootDecider.Command> { .scene }

  /// Returns the same actions.
  @inlinable
  public static func _sent(_ sceneActions: [SceneAction]) -> [Action]? {
    guard let actions = sceneActions as? [Action] else { preconditionFailure(_undeclaredRole) }
    return actions
  }

  @usableFromInline static var _undeclaredRole: String {
    "ReplayableApp: an app without commands sends its actions, and declares no `SceneAction`"
  }
}

/// An answer of an effect, as the store carries it out.
package enum EffectAnswer<App: ReplayableApp> {
  /// Actions of scenes, which are recorded as one batch.
  case actions([App.Action])
  case command(App.Command)

  /// Determines whether an answer consists of scene actions or asks for a command.
  ///
  /// - Complexity: O(actions); O(1) for an app without commands.
  package init(_ actions: [App.Action]) throws(InvalidEffectAnswer) {
    self = .actions(actions)
    if App.Command.self == NoCommand.self { return }
    for action in actions {
      switch App.role(of: action) {
      case .scene: continue
      case .fact: throw InvalidEffectAnswer(why: "It has a fact, which only a decider returns.")
      case .request(let command):
        guard actions.count == 1 else {
          throw InvalidEffectAnswer(why: "It has a command and other actions.")
        }
        self = .command(command)
      }
    }
  }
}

package struct InvalidEffectAnswer: Error, CustomStringConvertible {
  /// The problem of the answer.
  package let why: String

  package var description: String {
    "The answer of the effect was not recorded. \(why) "
      + "Answer with actions of scenes or with one command."
  }
}
