import Foundation

/// Python's HTTP server on a free port, which serves a folder until this object is gone.
final class PokeServer {
  /// It ends with its input, so that no server outlives the test.
  private static let program = """
    import functools, http.server, sys, threading
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    """

  private let process = Process()
  private let input = Pipe()
  let address: URL

  struct NotStarted: Error {}

  init(serving folder: URL) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program, folder.path]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.filter(\.isNumber)),
      let address = URL(string: "http://127.0.0.1:\(port)")
    else { throw NotStarted() }
    self.address = address
  }

  /// Ends the server, so that its address gives no answer.
  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  deinit { stop() }
}
