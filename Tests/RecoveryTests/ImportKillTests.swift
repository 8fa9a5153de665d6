import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// An import is killed at random moments; what it acknowledged is there and invisible, and the next
/// run completes it without a duplicate.
@Suite(.serialized) struct ImportKillTests {
  private static let rows = 20_000

  /// A file of its own: ids, two users, closed entries one after another.
  private func writeFile(_ path: String) throws {
    var text = "id,person,what,begin,minutes\n"
    for row in 0..<Self.rows {
      let day = row / 400
      let minute = row % 400
      let month = day / 28 + 1
      text += "r\(row),p\(row % 2),task \(row % 17),\(month)/\(day % 28 + 1)/2025 "
      text += "\(8 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60),\(row % 50)\n"
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func arguments(_ store: String, _ file: String) -> [String] {
    [
      "import", file, "--store", store, "--format", "csv", "--source", "kills", "--column",
      "id=id", "--column", "user=person", "--column", "description=what", "--column",
      "start=begin", "--column", "duration=minutes", "--date-format", "M/d/yyyy H:mm",
      "--duration-unit", "minutes", "--zone", "UTC", "--acknowledge",
    ]
  }

  @Test
  func `a killed import loses nothing acknowledged, shows nothing, and is completed by the next`()
    throws
  {
    let cycles = cycles(50)
    try withSeed("ImportKillTests") { random in
      try withTemporaryDirectory { folder in
        let file = "\(folder)/rows.csv"
        try writeFile(file)
        let whole = try run("track", arguments("\(folder)/whole", file))
        #expect(whole.status == 0, "\(whole.errors)")
        let expected = try totals("\(folder)/whole")
        var kills = 0
        // A kill that comes too late is repeated, so that the machine's speed does not matter.
        for cycle in 0..<20 * cycles where kills < cycles {
          let store = "\(folder)/store-\(cycle)"
          let tool = try RunningTool("track", arguments(store, file))
          // Waits for acknowledgements and then for a time, often a short one, so that the kill
          // falls anywhere in opening, planning, reducing and committing.
          let target = Int.random(in: 0..<Self.rows / 1_000 - 2, using: &random)
          let halvings = UInt32.random(in: 0..<8, using: &random)
          let delay = UInt32.random(in: 0..<10_000, using: &random) >> halvings
          var acks: [String] = []
          while acks.count < target, let line = tool.readLine() { acks.append(line) }
          usleep(delay)
          if tool.kill() { kills += 1 }
          acks += tool.finish().output.split(separator: "\n").map(String.init)
          acks.removeAll { !$0.hasPrefix("ok ") }
          print(
            "import cycle \(cycle): killed after \(acks.count) batches, "
              + "last ack \(acks.last ?? "none")")
          try check(store, file, acks: acks.compactMap { Int($0.dropFirst(3)) }, expected)
          try? FileManager.default.removeItem(atPath: store)
        }
        #expect(kills == cycles)
      }
    }
  }

  private func totals(_ store: String) throws -> String {
    let result = try run("track", ["log", "--totals", "--json", "--store", store])
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  private func check(
    _ store: String, _ file: String, acks: [Int], _ expected: String
  ) throws {
    // The last acknowledgement is for the end, so it comes after one for each 1,000 rows.
    let batches = Self.rows / 1_000
    var isFinished = false
    if FileManager.default.fileExists(atPath: "\(store)/FORMAT") {
      let verified = try run("replay", ["verify", "--store", store, "--json"])
      #expect(verified.status == 0, "\(verified.errors)")
      let records = try #require(try verified.json()["records"] as? Int)
      #expect(records >= acks.last ?? 0)
      let visible = try totals(store)
      isFinished = visible == expected
      #expect(isFinished || visible.hasPrefix("{\"entries\":0,"), "\(visible)")
      #expect(isFinished || acks.count <= batches)
    } else {
      #expect(acks.isEmpty)
    }
    let again = try run("track", arguments(store, file) + ["--json"])
    #expect(again.status == 0, "\(again.errors)")
    let answer = try #require(again.output.split(separator: "\n").last)
    let counts = try #require(
      try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
    let resumed = try #require(counts["resumed"] as? Int)
    #expect(counts["skipped"] as? Int == (isFinished ? Self.rows : 0))
    #expect(counts["created"] as? Int == (isFinished ? 0 : Self.rows - resumed))
    #expect(isFinished || resumed >= 1_000 * acks.count)
    #expect(try totals(store) == expected)
    let verified = try run("replay", ["verify", "--store", store, "--json"])
    #expect(verified.status == 0, "\(verified.errors)")
  }
}
