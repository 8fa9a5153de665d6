package import ArgumentParser
package import Retrace
package import RetraceToolSupport

/// The hidden command of `TrialFold`.
package struct TryFoldCommand<App: ReplayableApp>: ToolCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: TrialFold.name, shouldDisplay: false)
  }

  @Argument var store: String

  package init() {}

  package func perform() throws(ToolFailure) { try TrialFold.run(App.self, at: store) }
}
