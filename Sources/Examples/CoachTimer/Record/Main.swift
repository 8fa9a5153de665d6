import CoachTimer
import CoachTimerLive
import Foundation
import Retrace
import RetraceTerminal

/// The app: `coach-timer FOLDER [ADDRESS]`, on a terminal or through a pipe, where each line is a
/// key.
///
/// FOLDER has the store, the file of users, the activity feed and the exported sessions; ADDRESS is
/// that of the server of users. `Server/serve` is one with two pages.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, arguments.count <= 2,
      let address = URL(string: arguments.dropFirst().first ?? "http://127.0.0.1:8000")
    else { stop("usage: coach-timer FOLDER [ADDRESS]", code: 64) }
    do {
      let folder = URL(filePath: path)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let store = try Store<CoachApp>.openBlocking(
        at: folder.appending(path: "store").path, configuration: StoreConfiguration(),
        environment: .live(in: folder, server: UserServer(at: address)))
      let program = try TerminalProgram(store)
      if store.state.users.needsLoading { try store.sendBlocking([.users(.load)]) }
      let refused = try program.run()
      try store.closeBlocking()
      if refused != nil { exit(64) }
    } catch {
      stop("coach-timer: \(error)", code: 1)
    }
  }

  private static func stop(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(code)
  }
}
