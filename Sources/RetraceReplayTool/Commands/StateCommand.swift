import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct StateCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "state",
      abstract: "Print the state after a record.",
      discussion: """
        If the batch continues after the record, the output says so. Effects that were in flight \
        then are listed with the record that caused them; none is ever run.

        EXAMPLE
          \(replay) state --at 1200 --json
        """)
  }

  @OptionGroup var position: PositionOptions

  func perform() throws(ToolFailure) {
    try position.withReplayer(of: Tool.self, wholeBatches: false) {
      (replayer, _) throws(ToolFailure) in
      do throws(StoreError) {
        let inside = try replayer.isInsideBatch()
        let hash = replayer.stateHash()
        let (state, tables) = try replayer.read { state throws(StoreError) in
          (try StateDescription.json(of: state), StateDescription.tables(of: state))
        }
        let effects = try replayer.namedEffectsInFlight()
        printSnapshotNotice(of: replayer)
        if position.store.json {
          Output.standard.print(
            [
              "sequence": .integer(Int64(replayer.sequence)),
              "insideBatch": .bool(inside),
              "stateHash": .string(hash.hex),
              "state": state,
              "tables": tables,
              "schema": StateDescription.schema(of: App.State.self),
              "effectsInFlight": .array(effects.map(EffectDescription.json)),
            ])
        } else {
          Output.standard.print(
            "after record \(replayer.sequence)\(inside ? ", inside a batch" : "")")
          Output.standard.print("state hash   \(hash)")
          for effect in effects {
            Output.standard.print("in flight    " + EffectDescription.line(of: effect))
          }
          Output.standard.print(state, indented: true)
        }
      } catch {
        throw ToolFailure(error)
      }
    }
  }
}
