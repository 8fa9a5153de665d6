import Foundation
import Testing
import ToolTestSupport

/// The examples in the help of every command of `replay` and `audit`.
///
/// Each runs in a shell as it is written, in a copy of one folder: the home directory, with the
/// store that the settings name.
@Suite struct ReplayExampleTests {
  /// What is done before some examples, so that they have something to do.
  private static let before: [String: String] = [
    "replay backup ~/backups/track-2026-03-02": "mkdir ~/backups",
    "replay compare ~/backups/track --store ./track":
      "mkdir ~/backups; replay backup ~/backups/track",
    "replay compare --with ../old-build/replay": oldBuild,
    "replay bench --with ../old-build/replay": oldBuild,
    "replay bench --baseline before.json": "replay bench --json > before.json",
    // An older store takes the place of the other one.
    "replay migrate ~/track-2 --store ~/track":
      "rm -r track; cp -r \"$2/Tests/EvolutionTests/Golden/tracker-1\" track; "
      + "chmod 700 track; chmod 600 track/*",
    "replay verify --store bug.bundle": "replay bundle --output bug.bundle",
    // What a module holds is the browser's concern.
    "replay page --output report.html --module track.wasm.gz": "touch track.wasm.gz",
    "replay page --store report.bundle --output report.html --module track.wasm.gz":
      "touch track.wasm.gz; replay bundle --output report.bundle",
    "replay open bug.bundle --at 120": "replay bundle --output bug.bundle",
    "replay open bug.bundle < keys.txt":
      "replay bundle --output bug.bundle; echo screen > keys.txt",
    "replay ci bugs --jobs 4 --junit report.xml": bugs,
    "replay ci bugs --declare": bugs,
    "replay ci bugs --json": bugs,
    "replay worker < bundles.txt": bugs + "; ls bugs/* > bundles.txt",
    "replay test bug.bundle --output Tests/AppTests/Bundles":
      "replay bundle --output bug.bundle",
    "replay schema --check Tests/EvolutionTests/Golden/Schemas": "ln -s \"$2/Tests\" Tests",
  ]
  private static let bugs = "mkdir bugs; replay bundle --output bugs/a.bundle"
  private static let oldBuild =
    "mkdir -p ../old-build; ln -sf \"$(command -v replay)\" ../old-build/replay"

  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  @Test func `each command has examples that work`() throws {
    let environment = """
      export HOME="$1" XDG_CONFIG_HOME="$1" TZ=UTC
      cd "$1"
      """
    try withTemporaryDirectory { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/made", withIntermediateDirectories: true)
      // A scene, a month of entries, and then records up to 1,200 and more.
      let made = try shell(
        """
        set -e
        \(environment)
        track config set store ~/track
        echo screen | track app --now 2026-02-28T16:00:00Z
        track demo --store ~/track --now 2026-02-28T17:00:00Z
        seq 300 | sed 's/^/start work /' | track batch --now 2026-02-28T18:00:00Z
        track close 2026-01 --reason invoiced --now 2026-02-28T19:00:00Z
        """, ["\(folder)/made"])
      try #require(made.status == 0, "\(made.errors)")
      for command in HelpTests.commands where command[0] != "track" {
        let examples = try helpExamples(of: command)
        #expect(!examples.isEmpty, "\(command)")
        for (index, example) in examples.enumerated() {
          let copy = "\(folder)/\(command.joined(separator: "-"))-\(index)"
          try FileManager.default.copyItem(atPath: "\(folder)/made", toPath: copy)
          let prepared = Self.before[example].map { "{ \($0)\n} >/dev/null\n" } ?? ""
          // The real times of the records are later than the instant of an example, and may be
          // later than its time of day.
          // Benchmarks run as few rounds as they can.
          let words = example.replacing("--as-of 2026-", with: "--as-of 2126-")
            .replacing("--at 14:30:05", with: "--at 23:59:59")
            .replacing(/^replay bench/, with: "replay bench --rounds 3")
          let result = try shell("\(environment)\n\(prepared)\(words)", [copy, Self.package])
          #expect(
            result.status == 0 && result.errors.isEmpty,
            "\(example): \(result.output) \(result.errors)")
        }
      }
    }
  }
}
