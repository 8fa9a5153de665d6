package import CoachTimer
package import Foundation

/// The file in which users are kept: JSON, replaced as a whole.
package struct UserFile: Sendable {
  private let place: URL

  /// Names the file.
  package init(at place: URL) { self.place = place }

  /// Reads the file; one that does not exist has no users.
  package func load() throws -> KeptUsers {
    guard FileManager.default.fileExists(atPath: place.path) else { return KeptUsers() }
    return try JSONDecoder().decode(KeptUsers.self, from: Data(contentsOf: place))
  }

  /// Replaces the file.
  package func persist(_ kept: KeptUsers) throws {
    try JSONEncoder().encode(kept).write(to: place, options: .atomic)
  }
}
