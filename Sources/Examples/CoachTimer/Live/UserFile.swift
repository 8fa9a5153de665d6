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
    let kept = try JSONDecoder().decode(KeptRecord.self, from: Data(contentsOf: place))
    return KeptUsers(users: kept.users.map { $0.user }, nextPage: kept.nextPage)
  }

  /// Replaces the file.
  package func persist(_ kept: KeptUsers) throws {
    let record = KeptRecord(nextPage: kept.nextPage, users: kept.users.map { UserRecord($0) })
    try JSONEncoder().encode(record).write(to: place, options: .atomic)
  }
}

private struct KeptRecord: Codable {
  var nextPage: Int64
  var users: [UserRecord]
}

/// A user as files and pages have it.
struct UserRecord: Codable {
  var id: Int64
  var title: String
  var name: String
  var surname: String
  var imageUrl: String?

  init(_ user: User) {
    id = user.number
    title = user.title
    name = user.name
    surname = user.surname
    imageUrl = user.imageAddress
  }

  var user: User {
    User(number: id, title: title, name: name, surname: surname, imageAddress: imageUrl)
  }
}
