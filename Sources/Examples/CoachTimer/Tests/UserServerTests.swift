import CoachTimer
import ExampleTestSupport
import Foundation
import Testing

@testable import CoachTimerLive

@Suite struct UserServerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `each page has its users, and the page after the last none`() async throws {
    let pages = try PageServer()
    let server = UserServer(at: pages.address)
    let first = try await server.users(onPage: 1)
    #expect(first == [.ada, .béla, .mei])
    let second = try await server.users(onPage: 2)
    #expect(second.map(\.number) == [14, 12])
    let third = try await server.users(onPage: 3)
    #expect(third.isEmpty)
  }

  @Test func `a page that is none, is too large, or has no server, is an error`() async throws {
    let pages = try PageServer(serving: folder.place)
    let server = UserServer(at: pages.address)
    try Data("<html>".utf8).write(to: folder.place.appending(path: "users-1.json"))
    let large = Data(count: UserServer.bytesMax + 1)
    try large.write(to: folder.place.appending(path: "users-2.json"))
    await #expect(throws: UserServer.Problem.notUsers) { try await server.users(onPage: 1) }
    await #expect(throws: UserServer.Problem.tooLarge) { try await server.users(onPage: 2) }
    let nowhere = UserServer(at: try #require(URL(string: "http://127.0.0.1:1")))
    await #expect(throws: UserServer.Problem.self) { try await nowhere.users(onPage: 1) }
  }
}
