import Retrace
import RetraceStorage

/// A state after a record, which goes on in memory: actions are reduced and commands are decided on
/// it, nothing is recorded, and no effect is run.
///
/// The moment stays that of the record.
package struct StateBranch<App: ReplayableApp>: Sendable {
  /// An effect that an action of the branch had.
  package struct UnrunEffect: Sendable {
    /// The record that the action would have.
    package var sequence: UInt64
    /// The effect.
    package var effect: Effect<App.Action, App.Environment>
  }

  private var fold: Fold<App>
  /// The moment of the branch.
  package let moment: Moment
  /// The effects of the branch's actions, in order; none was run.
  package private(set) var effects: [UnrunEffect] = []

  /// Creates a branch at the position of a replayer.
  ///
  /// - Parameters:
  ///   - replayer: The replayer, whose position ends a batch.
  ///   - moment: The moment of the branch.
  /// - Complexity: O(entities that are not in memory).
  /// - Throws: The errors of `Replayer.seek`.
  package init(
    of replayer: inout Replayer<App>, at moment: Moment
  ) throws(StoreError) {
    // Its state must not depend on a snapshot, which another process can remove.
    try replayer.load()
    fold = replayer.position.fold
    self.moment = moment
  }

  /// The sequence of the record at which the branch begins, and of those that it would have since.
  package var sequence: UInt64 { fold.sequence }

  /// The state.
  package var state: App.State { fold.state }

  /// Carries out what an input means, as a store does.
  ///
  /// The intents after a refused command are dropped.
  ///
  /// - Parameters:
  ///   - intents: The intents of one input.
  ///   - answer: Returns the actions that tell the user about a refusal.
  /// - Returns: The refusal; `nil` if all intents are carried out.
  @discardableResult
  package mutating func carryOut(
    _ intents: [App.Intent], answering answer: (App.Refusal) -> [App.SceneAction]
  ) -> App.Refusal? {
    for intent in intents {
      switch intent {
      case .scene(let action): send([action])
      case .command(let command):
        // The record of the command changes no state.
        fold.skip(fold.sequence + 1)
        do throws(App.Refusal) {
          let facts = try App._decide(command, on: fold, at: moment)
          for fact in facts ?? [] { apply(fact) }
        } catch {
          send(answer(error))
          return error
        }
      }
    }
    return nil
  }

  /// Reduces actions of a scene.
  package mutating func send(_ actions: [App.SceneAction]) {
    for action in App._sent(actions) ?? [] { apply(action) }
  }

  private mutating func apply(_ action: App.Action) {
    let sequence = fold.sequence + 1
    let effect = fold.apply(action, at: moment, sequence: sequence)
    if !effect.isNone { effects.append(UnrunEffect(sequence: sequence, effect: effect)) }
  }
}
