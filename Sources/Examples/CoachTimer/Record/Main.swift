import CoachTimer
import CoachTimerLive
import Foundation
import Retrace
import RetraceRecording
import RetraceStorage
import TerminalUI

/// The app: `coach-timer FOLDER [ADDRESS]`, on a terminal or through a pipe.
///
/// FOLDER has the store, the file of users, the activity feed and the exported sessions; ADDRESS is
/// that of the server of users. `Server/serve` is one with two pages.
///
/// Through a pipe, each line is a key: a character, `space`, or a name such as `down` or `enter`.
/// After each, the effects are waited for and the screen is printed.
@main
enum Main {
  private static let usage = "usage: coach-timer FOLDER [ADDRESS]"

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, arguments.count <= 2,
      let address = URL(string: arguments.dropFirst().first ?? "http://127.0.0.1:8000")
    else { stop(usage, code: 64) }
    do {
      let folder = URL(filePath: path)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let store = try Store<CoachApp>.openBlocking(
        at: folder.appending(path: "store").path, configuration: StoreConfiguration(),
        environment: .live(in: folder, server: UserServer(at: address)))
      guard try store.attach(to: SceneID(value: 0)) else {
        stop("coach-timer: another process shows this store", code: 1)
      }
      let window = CoachWindow(store: store)
      try window.load()
      if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
        try window.showOnTerminal()
      } else if let line = try window.pressLines() {
        stop("coach-timer: no key is named \(SafeText.line(line))", code: 64)
      }
      try store.closeBlocking()
    } catch {
      stop("coach-timer: \(error)", code: 1)
    }
  }

  private static func stop(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(code)
  }
}
