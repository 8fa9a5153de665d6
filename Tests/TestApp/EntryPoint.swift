import RetraceSystem
import RetraceReplayTool
import RetraceFixtures

/// The replay tool of the tests' app.
enum Replay: ReplayTool {
  typealias App = TestApp
}

/// The replay tools of the kiosk and of its variants with a bug.
enum KioskTools {
  enum Right: ReplayTool {
    typealias App = KioskApp
  }

  enum ForgetsNames: ReplayTool {
    typealias App = ForgetfulKiosk
  }

  enum Oversells: ReplayTool {
    typealias App = OversoldKiosk
  }

  /// Runs the tool of a build: `right`, `forgets` or `oversells`.
  static func main(_ build: String) {
    switch build {
    case "forgets": ForgetsNames.main()
    case "oversells": Oversells.main()
    default: Right.main()
    }
  }
}

/// The replay tool of the app that ends at a given place.
enum BrittleReplay: ReplayTool {
  typealias App = BrittleApp
}

/// The start of the program.
///
/// `send` records, `terminal` runs on a whole screen, `kiosk` runs the kiosk on a terminal,
/// `feed` follows prices, `undo` changes and undoes, `power-cuts` checks the states in which
/// power cuts can leave a disk, `mutate-bundle` changes a bundle of the kiosk, every other command
/// is one of the replay tool. With `TESTAPP_KIOSK` it is the replay tool of a kiosk, with
/// `TESTAPP_EGG` that of an egg timer, and with `TESTAPP_BRITTLE` it is the program and the replay
/// tool of the app that ends at a given place.
@main
enum Main {
  static func main() {
    if let build = ThisProcess.environment("TESTAPP_KIOSK") { return KioskTools.main(build) }
    if ThisProcess.environment("TESTAPP_EGG") != nil { return EggTools.main() }
    let arguments = ThisProcess.arguments
    let isBrittle = ThisProcess.environment("TESTAPP_BRITTLE") != nil
    if isBrittle, arguments.count < 2 || arguments[1] != "send" { return BrittleReplay.main() }
    if arguments.count > 2, arguments[1] == "larder" {
      LarderTools.run(Array(arguments.dropFirst(2)))
    }
    if arguments.count > 1, arguments[1] == "terminal" { TerminalApp.run(arguments) }
    if arguments.count > 2, arguments[1] == "kiosk" { KioskProgram.run(arguments[2...]) }
    if arguments.count > 1, arguments[1] == "mutate-bundle" {
      BundleMutations.run(Array(arguments.dropFirst(2)))
    }
    if arguments.count > 1, arguments[1] == "power-cuts" { cutPower(arguments.dropFirst(2)) }
    if arguments.count == 5, arguments[1] == "feed", arguments[2] == "--store" {
      return feed(arguments[3], from: arguments[4])
    }
    if arguments.count == 7, arguments[1] == "undo", let seed = UInt64(arguments[5]) {
      return undo(arguments[3], login: arguments[4], seed: seed, isAlone: arguments[6] == "alone")
    }
    guard arguments.count > 1, arguments[1] == "send" else { return Replay.main() }
    guard arguments.count == 4, arguments[2] == "--store" else {
      Answer.error("usage: testapp send --store DIR")
      ThisProcess.exit(64)
    }
    do {
      if isBrittle {
        try BrittleSender(path: arguments[3]).run()
      } else {
        try Sender(path: arguments[3]).run()
      }
      ThisProcess.exit(0)
    } catch {
      Answer.error("\(error)")
      ThisProcess.exit(6)
    }
  }

  private static func feed(_ store: String, from source: String) {
    do {
      try PriceFeed(path: store, source: source).run()
      ThisProcess.exit(0)
    } catch {
      Answer.error("\(error)")
      ThisProcess.exit(6)
    }
  }

  private static func undo(_ store: String, login: String, seed: UInt64, isAlone: Bool) {
    do {
      try UndoWorker(path: store, login: login, seed: seed, isAlone: isAlone).run()
      ThisProcess.exit(0)
    } catch {
      Answer.error("\(error)")
      ThisProcess.exit(6)
    }
  }

  private static func cutPower(_ arguments: ArraySlice<String>) -> Never {
    do {
      var cuts = try PowerCuts(Array(arguments))
      ThisProcess.exit(try cuts.run() ? 0 : 1)
    } catch {
      Answer.error("\(error)")
      ThisProcess.exit(70)
    }
  }
}
