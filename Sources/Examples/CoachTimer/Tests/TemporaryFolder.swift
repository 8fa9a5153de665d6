import CoachTimer
import CoachTimerLive
import Foundation

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
