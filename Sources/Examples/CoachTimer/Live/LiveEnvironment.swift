package import CoachTimer
package import Foundation
import Retrace

extension CoachEnvironment {
  /// Returns the environment of the app: files in a folder, and a server of users.
  package static func live(in folder: URL, server: UserServer) -> CoachEnvironment {
    let users = UserFile(at: folder.appending(path: "users.json"))
    let sessions = folder.appending(path: "sessions.csv")
    let feed = ActivityFile(at: folder.appending(path: "activity.txt"))
    return CoachEnvironment(
      loadUsers: { try users.load() },
      fetchUsers: { try await server.users(onPage: $0) },
      persistUsers: { try users.persist($0) },
      export: { csv in
        try Data(csv.utf8).write(to: sessions, options: .atomic)
        return sessions.path
      },
      note: { try await feed.append($0) })
  }
}

/// The activity feed: a file with a line for each activity.
actor ActivityFile {
  private let place: URL

  init(at place: URL) { self.place = place }

  func append(_ line: String) throws {
    if !FileManager.default.fileExists(atPath: place.path) { try Data().write(to: place) }
    let file = try FileHandle(forWritingTo: place)
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data("\(SafeText.line(line))\n".utf8))
  }
}
