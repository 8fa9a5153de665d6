import Foundation
import RetraceArchitecture
import RetraceLog
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing
import ToolTestSupport

@testable import RetracePlayer
@testable import RetraceReplayTool

/// Bugs that are planted in a build of an app: `verify` and `compare --with` name each of them.
@Suite struct PlantedBugTests {
  /// The records at which the builds with a bug differ from the sound build.
  private struct Recording {
    var path: String
    /// The key `b`.
    var key: UInt64 = 0
    /// The fact whose effect rings the bell.
    var boiled: UInt64 = 0
    /// The refused command.
    var refused: UInt64 = 0
    /// The end of the bell.
    var rung: UInt64 = 0
    /// The app was opened again.
    var reopened: UInt64 = 0
    var last: UInt64 = 0

    /// The record at which a build with a bug first differs from the sound build.
    func first(_ bug: EggBug) -> UInt64 {
      switch bug {
      case .droppedKey: key
      case .noEffect, .otherDelay: boiled
      case .looserRefusal: refused
      case .wrongRestore: reopened
      }
    }
  }

  /// What `compare --with` finds to differ first.
  private func difference(_ bug: EggBug) -> String {
    switch bug {
    case .droppedKey, .wrongRestore: "states"
    case .noEffect, .otherDelay: "effects"
    case .looserRefusal: "decisions"
    }
  }

  /// Records keys that are cleared later, an egg that boils for ten seconds, a refused command, and
  /// an app that is left and opened again.
  ///
  /// - Parameter isInScene: Whether the session has a scene.
  private func record(
    in folder: String, hashInterval: Int, isInScene: Bool
  ) async throws -> Recording {
    var found = Recording(path: "\(folder)/s")
    let clock = VirtualClock()
    var configuration = StoreConfiguration(
      hashInterval: hashInterval, clock: { clock.moment })
    configuration.effectClock = clock
    let store = try Store<EggApp<SoundEggs>>.openBlocking(
      at: found.path, configuration: configuration, environment: EggDesk())
    if isInScene { #expect(try store.attach(to: SceneID(value: 0))) }
    let egg = EggID(value: 0)
    try store.performBlocking(.add(name: "soft"))
    for key in ["a", "b", "c"] {
      let receipt = try store.sendBlocking([.typed(key)])
      if key.utf8.elementsEqual("b".utf8) { found.key = receipt.sequence }
    }
    try store.sendBlocking([.cleared])
    let boiled = try store.performBlocking(.boil(egg))
    found.boiled = boiled.receipt.sequence
    #expect(throws: CommandError<EggApp<SoundEggs>>.self) {
      try store.performBlocking(.boil(egg), from: .scene)
    }
    found.refused = store.sequence
    await clock.whenSleeping(1)
    clock.advance(by: .seconds(10))
    try await boiled.receipt.settled()
    found.rung = found.refused + 1
    try store.sendBlocking([.opened("egg")])
    try store.sendBlocking([.left])
    found.reopened = try store.sendBlocking([.reopened]).sequence
    try store.sendBlocking([.cleared])
    found.last = store.sequence + 1
    try await store.close()
    return found
  }

  private func withRecording(
    hashInterval: Int, isInScene: Bool = false, _ body: (Recording) throws -> Void
  ) async throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-planted-")
    defer { try? FileSystem.removeTree(folder) }
    try body(
      try await record(in: folder, hashInterval: hashInterval, isInScene: isInScene))
  }

  private func run(
    _ build: String, _ arguments: [String], on recording: Recording
  ) throws -> ToolResult {
    try ToolTestSupport.run(
      "testapp", arguments + ["--store", recording.path], environment: ["TESTAPP_EGG": build])
  }

  /// Writes a program that is the replay tool of a build, and returns its path.
  private func tool(_ build: String, beside recording: Recording) throws -> String {
    let path = recording.path + "-" + build.replacing(" ", with: "-")
    let script =
      "#!/bin/sh\nTESTAPP_EGG='\(build)' exec '\(Tools.url("testapp").path)' \"$@\"\n"
    // Another program writes the file, so that no process inherits it open for writing.
    let written = try shell("printf '%s' \"$1\" >\"$2\" && chmod 755 \"$2\"", [script, path])
    try #require(written.status == 0, "\(written.errors)")
    return path
  }

  /// With a scene, each commit has a short hash.
  @Test(arguments: [(hashInterval: 1, isInScene: false), (256, true)])
  func `verify names each bug, and says nothing against the sound build`(
    hashInterval: Int, isInScene: Bool
  ) async throws {
    try await withRecording(hashInterval: hashInterval, isInScene: isInScene) { recording in
      let sound = try run("sound", ["verify", "--decide", "--json"], on: recording)
      #expect(sound.status == 0, "\(sound.errors)")
      let compared = try #require(try sound.json()["compared"] as? Int)
      let short = try #require(try sound.json()["comparedShort"] as? Int)
      // The end of the session has a whole hash.
      #expect(compared > 10 && short == (isInScene ? compared - 1 : 0))
      let effects = try #require(try sound.json()["effects"] as? [String: Any])
      #expect(effects["actions"] as? Int == 1 && effects["ends"] as? Int == 1)
      #expect(try sound.json()["recordsAfterLastHash"] as? Int == 0)
      for bug in EggBug.allCases {
        let told = try run(bug.rawValue, ["verify", "--decide", "--json"], on: recording)
        #expect(told.status == 2, "\(bug): \(told.errors)")
        let found = try told.json()
        let interval = found["firstDivergence"] as? [String: Any]
        let effect =
          (found["effects"] as? [String: Any])?["firstDivergence"] as? [String: Any]
        let decision =
          (found["decisions"] as? [String: Any])?["firstDivergence"] as? [String: Any]
        switch bug {
        case .droppedKey, .wrongRestore:
          let first = Int(recording.first(bug))
          #expect(interval?["after"] as? Int == first - 1 && interval?["upTo"] as? Int == first)
          #expect(effect == nil && decision == nil)
        case .noEffect:
          #expect(effect?["record"] as? Int == Int(recording.boiled))
          #expect(effect?["kind"] as? String == "missing")
          #expect(interval == nil && decision == nil)
        case .otherDelay:
          #expect(effect?["record"] as? Int == Int(recording.rung))
          #expect(effect?["kind"] as? String == "endedEarly")
          #expect(effect?["cause"] as? Int == Int(recording.boiled))
          #expect(interval == nil && decision == nil)
        case .looserRefusal:
          #expect(decision?["record"] as? Int == Int(recording.refused))
          #expect(interval == nil && effect == nil)
        }
      }
    }
  }

  @Test func `with a field more, verify names effects and decisions, and no state was compared`()
    async throws
  {
    try await withRecording(hashInterval: 1) { recording in
      let sound = try run("sound sized", ["verify", "--decide"], on: recording)
      #expect(sound.status == 0, "\(sound.errors)")
      #expect(
        sound.output.hasSuffix(
          "The log is intact. No state was compared: its hashes belong to another state schema.\n"))
      for bug in EggBug.allCases {
        let told = try run("\(bug.rawValue) sized", ["verify", "--decide"], on: recording)
        switch bug {
        // Only `compare --with` finds these, in the fields that both builds have.
        case .droppedKey, .wrongRestore:
          #expect(told.status == 0 && told.output.contains("No state was compared"))
        case .noEffect, .otherDelay, .looserRefusal:
          #expect(told.status == 2, "\(bug): \(told.output)")
          let record = bug == .otherDelay ? recording.rung : recording.first(bug)
          #expect(told.output.contains("record \(record): "))
        }
      }
    }
  }

  @Test func `verify does not say that a fold reproduces what was not compared`() async throws {
    try await withRecording(hashInterval: 256) { recording in
      // The key is missing in states that have no hash, and cleared before the only one.
      let told = try run("droppedKey", ["verify"], on: recording)
      #expect(told.status == 0, "\(told.errors)")
      #expect(
        told.output.hasSuffix(
          "The log is intact. The fold agrees with 1 hash, after \(recording.last) records; "
            + "0 records follow.\n"))
      let found = try run("droppedKey", ["verify", "--json"], on: recording).json()
      #expect(found["compared"] as? Int == 1)
      #expect(found["largestDistance"] as? Int == Int(recording.last))
      #expect(found["recordsAfterLastHash"] as? Int == 0)
      let compared = try run("droppedKey", ["compare"], on: recording)
      #expect(compared.status == 0)
      #expect(compared.output.contains("in what was compared. The fold agrees with 1 hash, after"))
    }
  }

  @Test func `compare without another build names effects and decisions`() async throws {
    try await withRecording(hashInterval: 256) { recording in
      for bug in [EggBug.noEffect, .otherDelay, .looserRefusal] {
        let told = try run(bug.rawValue, ["compare", "--json"], on: recording)
        #expect(told.status == 2, "\(bug): \(told.errors)")
        let record = bug == .otherDelay ? recording.rung : recording.first(bug)
        #expect(try told.json()["first"] as? Int == Int(record))
      }
    }
  }

  @Test(arguments: ["", " sized"])
  func `compare with the sound build names the record of each bug`(fields: String) async throws {
    try await withRecording(hashInterval: 256) { recording in
      for bug in EggBug.allCases {
        let other = try tool(bug.rawValue + fields, beside: recording)
        let compare = ["compare", "--with", other]
        let told = try run("sound", compare + ["--json"], on: recording)
        #expect(told.status == 2, "\(bug): \(told.errors)")
        let found = try told.json()
        #expect(found["first"] as? Int == Int(recording.first(bug)), "\(bug)")
        #expect(found["differs"] as? [String] == [difference(bug)], "\(bug)")
        let member = ["states": "state", "effects": "effect", "decisions": "decision"]
        let places = found[member[difference(bug)] ?? ""] as? [[String: Any]] ?? []
        #expect(!places.isEmpty && places.allSatisfy { $0["field"] is String })
        let text = try run("sound", compare, on: recording).output
        switch bug {
        case .droppedKey: #expect(text.contains("draft") && text.contains("there   \"a\""))
        case .noEffect: #expect(text.contains("EggBell"))
        case .otherDelay: #expect(text.contains("1970-01-01T00:00:12.000000Z"))
        case .looserRefusal: #expect(text.contains("alreadyBoils") && text.contains("boiled"))
        case .wrongRestore: #expect(text.contains("there   \"list\""))
        }
        // From the other side, the same record.
        let back = try run(
          bug.rawValue + fields,
          ["compare", "--json", "--with", try tool("sound", beside: recording)], on: recording)
        #expect(back.status == 2, "\(back.errors)")
        #expect(try back.json()["first"] as? Int == Int(recording.first(bug)), "\(bug)")
      }
    }
  }

  @Test func `builds whose states have other fields are compared by the common ones`()
    async throws
  {
    try await withRecording(hashInterval: 256) { recording in
      let other = try tool("sound sized", beside: recording)
      let told = try run("sound", ["compare", "--json", "--with", other], on: recording)
      #expect(told.status == 0, "\(told.errors)")
      #expect(try told.json()["same"] as? Bool == true)
      #expect(try told.json()["omitted"] as? [String] == ["Egg.size", "EggState.changes"])
      let text = try run("sound", ["compare", "--with", other], on: recording)
      #expect(
        text.output == "There is no difference. Not compared: Egg.size, EggState.changes.\n")
    }
  }

  @Test func `an effect is shown with its values and durations, and is not cut`() async throws {
    try await withRecording(hashInterval: 256) { recording in
      func effect(_ build: String) throws -> String {
        try run(build, ["step", "goto \(recording.boiled)", "effects"], on: recording).output
      }
      let head = "effect of record \(recording.boiled): "
      #expect(try effect("sound").contains(head + "delay(10 s, EggBell(egg: 0))\n"))
      #expect(try effect("noEffect").contains(head + "none\n"))
      let bell = "    here    delay(10 s, EggBell(egg: 0))\n"
      let others = [EggBug.noEffect: "none", .otherDelay: "delay(11 s, EggBell(egg: 0))"]
      for (bug, there) in others {
        let other = try tool(bug.rawValue, beside: recording)
        let text = try run("sound", ["compare", "--with", other], on: recording).output
        #expect(text.contains("  effect\n\(bell)    there   \(there)\n"), "\(text)")
      }
    }
  }

  @Test func `at a time, the screen is drawn at that time`() async throws {
    try await withRecording(hashInterval: 256) { recording in
      func screens(_ arguments: [String]) throws -> [String] {
        let result = try run("sound", arguments, on: recording)
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init).filter { $0.hasSuffix(" s") }
      }
      // All records up to the bell are of the same moment.
      #expect(try screens(["screen", "--at", "\(recording.key)"]) == ["ab at 1 s"])
      #expect(try screens(["screen", "--at", "1970-01-01T00:00:07Z"]) == [" at 7 s"])
      #expect(try screens(["screen"]) == [" at 11 s"])
      #expect(try screens(["screen", "--at", "1970-01-01T01:00:00Z"]) == [" at 3600 s"])
      let steps = [
        "goto 1970-01-01T00:00:07Z", "screen", "back", "screen", "goto \(recording.key)", "screen",
      ]
      #expect(try screens(["step"] + steps) == [" at 7 s", " at 1 s", "ab at 1 s"])
      let storage = try LogStorage.open(at: recording.path, access: .read)
      defer { storage.close() }
      var player = try Player<EggApp<SoundEggs>>(storage, zone: .utc)
      func shown(_ text: String) -> Bool { player.lines().contains { $0.contains(text) } }
      player.press("g", "text:1970-01-01T00:00:07Z", "enter")
      #expect(shown(" at 7 s") && shown("scene 0, at 1970-01-01 00:00:07"))
      player.press("up")
      #expect(shown(" at 1 s") && !shown("scene 0, at"))
      player.press("g", "text:\(recording.key)", "enter")
      #expect(shown("ab at 1 s") && !shown("scene 0, at"))
      player.press("g", "text:1971-01-01", "enter")
      #expect(player.state.selected == recording.last && shown("scene 0, at 1971-01-01 23:59:59"))
    }
  }

  @Test func `where few hashes are, verify names the way to the record`() async throws {
    try await withRecording(hashInterval: 3) { recording in
      let told = try run("droppedKey", ["verify"], on: recording)
      #expect(told.status == 2 && told.errors.contains("`testapp compare --with TOOL`"))
      #expect(told.errors.contains("The log has 4 state hashes, up to 6 records apart: "))
    }
    try await withRecording(hashInterval: 1) { recording in
      let told = try run("droppedKey", ["verify"], on: recording)
      #expect(told.status == 2 && told.errors.contains("Look at record \(recording.key) with "))
    }
  }

  @Test func `a program that is not a replay tool is named, and is no refusal`() async throws {
    try await withRecording(hashInterval: 256) { recording in
      for program in ["/bin/cat", "/bin/true", "/bin/echo", "/bin/false", "/bin/ls"] {
        let told = try run("sound", ["compare", "--with", program], on: recording)
        #expect(told.status == 64, "\(program): \(told.errors)")
        #expect(told.errors.contains("The program is not a replay tool."), "\(program)")
      }
    }
  }
}
