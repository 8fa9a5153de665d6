import CoachTimer
import Foundation
import Poke
import RetraceReplayTool

/// A bug that is planted in a build of an app.
enum AppBug: String {
  /// CoachTimer's reducer does not stop the stopwatch.
  case endlessWatch
  /// CoachTimer's decider takes a lap while the stopwatch stands still.
  case standingLap
  /// Poke's reducer keeps each favourite.
  case everFavourite

  /// The bug of this process, which the environment names.
  static let planted = ProcessInfo.processInfo.environment["PLANTED_BUG"]
    .flatMap { AppBug(rawValue: $0) }
}

/// The replay tools of the builds with a bug; without `PLANTED_BUG`, CoachTimer's.
@main
enum Main {
  private enum PokeTool: ReplayTool { typealias App = PlantedPoke }
  private enum CoachTool: ReplayTool { typealias App = PlantedCoach }

  static func main() {
    if AppBug.planted == .everFavourite { PokeTool.main() } else { CoachTool.main() }
  }
}
