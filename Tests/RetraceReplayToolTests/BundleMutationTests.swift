import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// Changed bundles, with a limit on the memory of the process that reads them.
///
/// `RETRACE_FULL=1` makes 20,000 changes, else 1,000 are made.
@Suite struct BundleMutationTests {
  /// The most memory, in KiB: 4 times the file and 64 MiB.
  private static func limit(_ file: String) throws -> Int {
    let bytes = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
    return 4 * bytes / 1_024 + 64 * 1_024
  }

  /// Makes a bundle of a kiosk with items.
  private static func bundle(items: Int, in folder: String) throws -> String {
    let (store, file) = ("\(folder)/kiosk-\(items)", "\(folder)/kiosk-\(items).bundle")
    let names = (0..<items).map { "item \($0)" }
    let made = try run("testapp", ["kiosk", store] + names)
    #expect(made.status == 0, "\(made.errors)")
    let written = try run(
      "testapp", ["bundle", "--plain", "--output", file, "--store", store],
      environment: ["TESTAPP_KIOSK": "right"])
    #expect(written.status == 0, "\(written.errors)")
    return file
  }

  @Test(.timeLimit(.minutes(60)))
  func `a changed bundle is refused, found or the same log, in little memory [L13]`() throws {
    try withTemporaryDirectory { folder in
      try withSeed { random throws in
        for (items, count) in [(300, repetitions(20_000, few: 1_000)), (2_000, 12)] {
          let file = try Self.bundle(items: items, in: folder)
          let result = try shell(
            "ulimit -d \"$1\" && exec \"$2\" mutate-bundle \"$3\" \"$4\" \"$5\"",
            [
              "\(try Self.limit(file))", Tools.url("testapp").path, file,
              "\(random.next() >> 1)", "\(count)",
            ])
          let lines = result.output.split(separator: "\n").map(String.init)
          let last = lines.last { $0.hasPrefix("seed ") } ?? ""
          #expect(result.status == 0 && result.signal == nil, "\(last): \(result.errors)")
          let answers = lines.filter { !$0.hasPrefix("seed ") }
          print(answers.joined(separator: "\n"))
          #expect(count < 100 || answers.count > 8, "\(answers)")
        }
      }
    }
  }

  @Test func `the tools name the damage of a changed bundle, in little memory`() throws {
    try RecordedSession.with { session in
      let file = "\(session.path).bundle"
      _ = try session.replay(["bundle", "--plain", "--output", file])
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
      let limit = try Self.limit(file)
      try withSeed { random throws in
        for _ in 0..<cycles(200) {
          var changed = bytes
          let place = Int.random(in: 16..<bytes.count, using: &random)
          changed[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
          try Data(changed).write(to: URL(fileURLWithPath: file))
          for tool in ["replay", "audit"] {
            let result = try shell(
              "ulimit -d \"$1\" && exec \"$2\" verify --store \"$3\"",
              ["\(limit)", Tools.url(tool).path, file])
            #expect(
              [3, 4, 6].contains(result.status), "\(tool), byte \(place): \(result.errors)")
          }
        }
      }
    }
  }
}
