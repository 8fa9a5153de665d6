import RetraceArchitecture
import RetraceAvro
import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TrackerFeatures

/// Prints the route at which the app would open.
struct RouteCommand: TrackCommand {
  static let name = "route"
  static let syntax = CommandSyntax(
    "track route", summary: "Print the path at which the app would open.",
    discussion: """
      Nothing is written. `replay route` also prints the parameters, and the route after any \
      earlier record.

      EXAMPLE
        track route --json
      """,
    options: TrackerOptions.all)

  let options: TrackerOptions

  init(_ arguments: CommandArguments) { options = TrackerOptions(arguments) }

  func perform() throws(ToolFailure) {
    let found = try options.readState { state in
      let scene = TimeTracker.scenes(in: copy state).first
      let stack = scene.flatMap { TimeTracker.backStack(of: $0, in: copy state) }
      return .success((scene, stack))
    }
    guard case (let scene?, let stack?) = found else {
      throw ToolFailure(
        what: "There is no route to print.", why: "The app was never opened on this store.",
        advice: "Open it with `track app`.", exitCode: ToolExit.refused)
    }
    if options.json {
      Output.print([
        "scene": .integer(scene.value), "path": .string(stack.top.path),
        "stack": .array(stack.routes.map { .string($0.path) }),
      ])
    } else {
      Output.print(stack.top.path)
    }
  }
}
