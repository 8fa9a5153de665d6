import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Prints the route at which the app would open.
struct RouteVerb: Verb {
  static let name = "route"
  static let syntax = CommandSyntax(
    "track route", summary: "Print the path at which the app would open.",
    discussion: """
      Nothing is written. `replay route` also prints the parameters, and the route after any \
      earlier record.

      EXAMPLES
        track route
        track route --json
        track route --store demo
      """,
    options: TrackerOptions.all + TrackerOptions.unused.prefix(2) + [TrackerOptions.userOption])

  let options: TrackerOptions

  init(_ arguments: CommandArguments, in context: VerbContext) {
    options = TrackerOptions(arguments, in: context)
  }

  func perform() throws(ToolFailure) {
    let name = try options.userName()
    let found = try options.readState { state in
      let state = copy state
      let user = state.domain.user(named: name)
      let scene = SceneDriver.scenes(for: user, in: state).first
      var stack = scene.flatMap { TimeTracker.backStack(of: $0, in: state) }
      // The app opens at the timer if another user was shown last.
      if let user, let shown = stack?.top.user, shown != user {
        stack?.replaceAll(with: .timer(TimerRoute(user: user)))
      }
      return .success((scene, stack))
    }
    guard case (let scene?, let stack?) = found else {
      throw .refused(
        "The app was never opened on this store.",
        advice: "Open it with `track app`.", what: "There is no route to print.")
    }
    if options.json {
      options.output.print([
        "scene": .integer(scene.value), "path": .string(stack.top.path),
        "stack": .array(stack.routes.map { .string($0.path) }),
      ])
    } else {
      options.output.print(stack.top.path)
    }
  }
}
