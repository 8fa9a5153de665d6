import RetraceArchitecture
import RetraceFixtures
import RetraceReplayTool
import RetraceSystem

/// The replay tools of the builds of the egg timer.
enum EggTools {
  private enum Plain: ReplayTool {
    typealias App = EggApp<Eggs>
  }

  private enum Sized: ReplayTool {
    typealias App = EggApp<SizedEggs>
  }

  private enum Eggs: EggBuild {
    typealias Kitchen = EggState
    static var bug: EggBug? { EggTools.bug }
  }

  private enum SizedEggs: EggBuild {
    typealias Kitchen = SizedEggState
    static var bug: EggBug? { EggTools.bug }
  }

  /// The words of the environment that name a build: `sound` or a bug, and `sized` for the build
  /// with more fields.
  private static let words = (ThisProcess.environment("TESTAPP_EGG") ?? "").split(separator: " ")

  private static let bug = words.first.flatMap { EggBug(rawValue: String($0)) }

  /// Runs the tool of the build that the environment names.
  static func main() {
    if words.contains("sized") { Sized.main() } else { Plain.main() }
  }
}
