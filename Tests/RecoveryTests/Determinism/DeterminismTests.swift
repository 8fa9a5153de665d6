import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// The same log gives the same state in every process that folds it.
@Suite(.serialized, ImportedStore.Trait()) struct DeterminismTests {
  /// One way to run the tools.
  private struct Setting {
    var zone = "UTC"
    var locale = "C.UTF-8"
  }

  private static let zones = ["UTC", "Pacific/Chatham", "America/St_Johns"]
  private static let locales = ["C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8"]

  /// Runs the `replay` in a folder, with a random seed for hashing, and returns the result.
  private func replay(
    in folder: URL, _ arguments: [String], _ setting: Setting = Setting()
  ) throws -> ToolResult {
    let tool = folder.appendingPathComponent("replay").path
    #expect(FileManager.default.isExecutableFile(atPath: tool), "there is no tool \(tool)")
    let result = try shell(
      "unset SWIFT_DETERMINISTIC_HASHING LANG; exec \"$@\"",
      [tool] + arguments + ["--store", try ImportedStore.current().path, "--json"],
      environment: ["TZ": setting.zone, "LC_ALL": setting.locale])
    #expect(result.status == 0, "\(setting): \(result.errors)")
    return result
  }

  /// The folders of the tools: the debug build, and the release build if `RETRACE_BIN` names it.
  private static let folders = Tools.areOthers ? [Tools.built, Tools.folder] : [Tools.built]

  @Test func `the store of the import is verified`() throws {
    let found = try replay(in: Tools.folder, ["verify"]).json()
    let store = try ImportedStore.current()
    let created = store.created
    #expect(created == ImportedStore.rows)
    let totals = try run("track", ["log", "--totals", "--json", "--store", store.path]).json()
    let users = try #require(totals["users"] as? Int)
    let projects = try #require(totals["projects"] as? Int)
    // The begin and the end of the session and of the import, each with a command; the source and
    // the import; a command for each 1,000 rows, and that the import has them; users and projects.
    let batches = (created + 999) / 1_000
    #expect(found["records"] as? Int == 2 + 3 + 2 + 2 * batches + users + projects + created)
    #expect(found["notComparable"] as? Int == 0)
    #expect(try #require(found["compared"] as? Int) > created / 1_000)
    #expect(found["firstDivergence"] is NSNull)
  }

  @Test func `each build, zone, locale and seed of hashing gives the same state hash`() throws {
    let installed = try shell("locale -a | tr A-Z a-z | tr -d -").output
    for locale in Self.locales {
      let name = locale.lowercased().replacingOccurrences(of: "-", with: "")
      #expect(installed.contains(name), "\(locale) is missing: run `Tools/prepare test`")
    }
    let isFull = cycles(10) == 10
    var hashes: Set<String> = []
    var runs = 0
    func verify(_ folder: URL, _ setting: Setting) throws {
      let found = try replay(in: folder, ["verify"], setting).json()
      hashes.insert("\(found["stateHash"] ?? "none") \(found["chain"] ?? "none")")
      runs += 1
    }
    for (row, zone) in Self.zones.enumerated() {
      for (column, locale) in Self.locales.enumerated() {
        // By default, each zone and each locale is used once.
        guard isFull || row == column else { continue }
        for folder in Self.folders { try verify(folder, Setting(zone: zone, locale: locale)) }
      }
    }
    // Each process has another seed of hashing.
    for folder in Self.folders { for _ in 0..<(isFull ? 5 : 1) { try verify(folder, Setting()) } }
    print("\(runs) processes: \(hashes.sorted())")
    #expect(hashes.count == 1)
    #expect(runs == Self.folders.count * (isFull ? 14 : 4))
  }

  @Test(.enabled(if: Tools.areOthers, "needs the release tools: Tools/test --release"))
  func `both builds print the same state inside the log`() throws {
    try withSeed("replay state") { random in
      let sequence = UInt64.random(in: 1_000...20_000, using: &random)
      let setting = Setting(zone: "Pacific/Chatham", locale: "tr_TR.UTF-8")
      let one = try replay(in: Self.folders[1], ["state", "--at", "\(sequence)"])
      let other = try replay(in: Self.folders[0], ["state", "--at", "\(sequence)"], setting)
      #expect(one.output.hasPrefix("{\"sequence\":\(sequence),"))
      #expect(one.output == other.output)
    }
  }

  @Test func `a script of plain Python recomputes chain and state hash at three sequences`() throws
  {
    let store = try ImportedStore.current()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Format/verify.py").standardizedFileURL.path
    let whole = try replay(in: Tools.folder, ["verify"]).json()
    let last = try #require(whole["records"] as? UInt64)
    try withSeed("verify.py") { random in
      let sequences = [
        UInt64.random(in: 1...5_000, using: &random),
        UInt64.random(in: 5_001..<last, using: &random),
        last,
      ]
      // -I -S: nothing but the standard library can be imported. The script fails if the tool or a
      // record of the log says another state hash than it computes.
      let result = try shell(
        """
        set -e
        script=$1 store=$2 folder=$3
        shift 3
        options=()
        for at in "$@"; do
          replay state --at "$at" --store "$store" --json >"$folder/state-$at.json"
          options+=(--at "$at" --state "$folder/state-$at.json")
        done
        exec python3 -I -S "$script" "$store" "${options[@]}" --json
        """, [script, store.path, store.folder] + sequences.map(String.init))
      #expect(result.status == 0, "\(result.errors)")
      let found = try result.json()
      let chains = try #require(found["chains"] as? [String: String])
      let states = try #require(found["states"] as? [String])
      print("at \(sequences): chains \(chains), states \(states)")
      #expect(Set(states.map(\.count)) == [64] && Set(states).count == sequences.count)
      #expect(found["chain"] as? String == whole["chain"] as? String)
      #expect(chains["\(last)"] == whole["chain"] as? String)
      #expect(states.last == whole["stateHash"] as? String)
    }
  }
}
