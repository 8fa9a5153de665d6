import ExampleTestSupport
import Foundation
import PokeInjection
import PokeModels
import PokeServices
import Testing

@Suite struct ServiceTests {
  private static func reason(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `the server and the files of the app have the same creatures`() async throws {
    let server = try PageServer(serving: CreatureService.bundledFolder)
    let (bundled, served) = (CreatureService.bundled(), CreatureService.server(at: server.address))
    var numbers: [Int64] = []
    for number in [Int64(1), 2, 3] {
      let page = try await served.page(number)
      #expect(try await bundled.page(number) == page)
      #expect(page.hasMore == (number < 3))
      numbers += page.creatures.map(\.number)
    }
    #expect(numbers == Array(1...20))
    for number in numbers {
      let details = try await served.details(number)
      #expect(try await bundled.details(number) == details)
      #expect(details.stats.map(\.name) == ["health", "attack", "defense", "speed"])
    }
    // Pages before do not change where a single creature is loaded from.
    #expect(try await served.page(1) == bundled.page(1))
  }

  @Test func `a service says why it does not load something`() async throws {
    let server = try PageServer(serving: CreatureService.bundledFolder)
    let (bundled, served) = (CreatureService.bundled(), CreatureService.server(at: server.address))
    #expect(
      await Self.reason { _ = try await served.page(4) }
        == "The server answers 404 for pages/4.json.")
    #expect(
      await Self.reason { _ = try await bundled.page(4) } == "There is no file pages/4.json.")
    server.stop()
    #expect(
      await Self.reason { _ = try await served.page(1) }
        == "\(server.address) gives no answer.")
  }

  @Test func `an answer that is malformed or too long is refused`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "poke-\(UUID())")
    let pages = folder.appending(path: "pages")
    try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(#"{"creatures": [{}], "hasMore": 3}"#.utf8).write(to: pages.appending(path: "1.json"))
    try Data(repeating: 0x20, count: 1 << 19).write(to: pages.appending(path: "2.json"))
    let server = try PageServer(serving: folder)
    let service = CreatureService.server(at: server.address)
    #expect(
      await Self.reason { _ = try await service.page(1) } == "pages/1.json is not understood.")
    #expect(await Self.reason { _ = try await service.page(2) } == "pages/2.json is too long.")
  }
}
