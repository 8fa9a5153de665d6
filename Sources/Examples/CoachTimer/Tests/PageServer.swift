import CoachTimer
import CoachTimerLive
import Foundation

/// Python's HTTP server on a folder of pages, as a child process that ends with this value.
final class PageServer {
  /// The address of the folder.
  let address: URL
  private let process = Process()
  private let input = Pipe()

  /// The pages of the example.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Server")

  init(_ folder: URL = PageServer.folder) throws {
    let output = Pipe()
    process.executableURL = PageServer.folder.appending(path: "serve")
    process.arguments = [folder.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      guard !byte.isEmpty else { break }
      line += byte
    }
    guard let port = Int(String(decoding: line, as: UTF8.self)),
      let address = URL(string: "http://127.0.0.1:\(port)")
    else { throw CocoaError(.fileReadUnknown) }
    self.address = address
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// A folder that is removed with this value.
final class TemporaryFolder {
  let place = FileManager.default.temporaryDirectory.appending(path: "coach-timer-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: place) }

  /// Returns the environment of the app in this folder.
  ///
  /// - Parameter server: The address of the server; nothing listens at the default.
  func environment(server: URL? = nil) -> CoachEnvironment {
    let nowhere = URL(string: "http://127.0.0.1:1")
    return .live(in: place, server: UserServer(at: server ?? nowhere ?? place))
  }
}

extension User {
  static let ada = User(
    number: 11, title: "Ms", name: "Ada", surname: "Okafor", imageAddress: "ada.png")
  static let béla = User(number: 12, title: "Mr", name: "Béla", surname: "Tóth")
  static let mei = User(number: 13, title: "", name: "Mei", surname: "Lindqvist")
  static let noor = User(number: 14, title: "Dr", name: "Noor", surname: "Haddad")
}
