import Foundation
import Poke
import PokeInjection
import PokeServices
import RetraceTerminal

/// The app, `poke STORE [SERVER]`: on a terminal its screens, else a screen for each line of input.
@main
enum Main {
  private static let usage = """
    usage: poke STORE [SERVER]
    STORE is a directory, SERVER an address such as http://127.0.0.1:8000. Without a terminal, each
    line of input is the name of a key, such as down, enter, tab, escape, f; an empty line shows the
    screen again.

    """

  static func main() {
    do {
      try run()
    } catch {
      FileHandle.standardError.write(Data("poke: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let address = arguments.dropFirst().first.map { URL(string: $0) }
    guard let path = arguments.first, arguments.count <= 2, address != .some(nil) else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    }
    let server = address.flatMap(\.self).map { CreatureService.server(at: $0) }
    let environment = PokeEnvironment(
      bundle: .bundled(), server: server ?? .failing("no server is named; see poke without words."))
    let store = try Store<PokeApp>.openBlocking(
      at: path, configuration: StoreConfiguration(), environment: environment)
    try TerminalProgram(store) { [.windowOpened($0), .list(.appeared)] }.run()
    try store.closeBlocking()
  }
}
