/// The meaning of a user's input: a scene action or a command.
///
/// A feature interprets an input at the edge of the app, on what the user saw: a place on the
/// screen becomes an id there, characters become ranges of UTF-8, and a typed date becomes an
/// instant. The intents are carried out by a store: actions of the scene are sent, and commands are
/// performed, which may refuse them.
@frozen
public enum Intent<SceneAction, Command> {
  /// An action of the scene.
  case scene(SceneAction)
  /// A command.
  case command(Command)

  /// Returns the intent of the parent of a feature.
  ///
  /// ```swift
  /// let intents: [Intent<[String], Int64>] = [.scene(["kitchen"]), .command(21)]
  /// let outer: [HeaterApp.Intent] = intents.map {
  ///   $0.map(scene: PanelAction.roomsChanged, command: { .warm(to: $0) })
  /// }
  /// ```
  @inlinable
  public func map<Outer, OuterCommand>(
    scene: (SceneAction) -> Outer, command: (Command) -> OuterCommand
  ) -> Intent<Outer, OuterCommand> {
    switch self {
    case .scene(let action): .scene(scene(action))
    case .command(let inner): .command(command(inner))
    }
  }
}

extension Intent: Sendable where SceneAction: Sendable, Command: Sendable {}
extension Intent: Equatable where SceneAction: Equatable, Command: Equatable {}
extension Intent: Hashable where SceneAction: Hashable, Command: Hashable {}

extension ReplayableApp {
  /// The meaning of a user's input in the app.
  public typealias Intent = RetraceArchitecture.Intent<SceneAction, Command>
}
