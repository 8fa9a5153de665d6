import CoachTimer
import Foundation
import Testing

@testable import CoachTimerLive

@Suite struct UserFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var file: URL { folder.place.appending(path: "users.json") }

  @Test func `a file that was written is read`() throws {
    let kept = KeptUsers(users: [.ada, .mei], nextPage: 3)
    try UserFile(at: file).persist(kept)
    #expect(try UserFile(at: file).load() == kept)
  }

  @Test func `a file that does not exist has no users`() throws {
    #expect(try UserFile(at: file).load() == KeptUsers())
  }

  @Test(arguments: ["", "{}", "{\"nextPage\":2,\"users\":[{\"id\":\"1\"}]}"])
  func `a damaged file is an error`(text: String) throws {
    try Data(text.utf8).write(to: file)
    #expect(throws: (any Error).self) { try UserFile(at: file).load() }
  }
}
