import Foundation
import Testing
import ToolTestSupport

/// One step of the recorded script.
struct PowerStep {
  /// What the output of a step acknowledges; `Claims` in the tests' app reads it.
  enum Meaning: String {
    /// Lines of `testapp send` acknowledge sequences.
    case records
    /// Any output says that the store is whole.
    case whole
  }

  let name: String
  let meaning: Meaning
  /// The path of the store, relative to the recorded directory.
  let store: String
  let perform: (RecordedPrograms) throws -> Void

  /// Returns a session that sends lines; each comes with the beginning of its answer.
  static func session(
    _ name: String, _ environment: [String: String] = [:], _ lines: [(String, String)]
  ) -> PowerStep {
    PowerStep(name: name, meaning: .records, store: store) { programs in
      let sender = try programs.sender(environment)
      try sender.expect(lines)
      sender.close()
    }
  }

  /// Returns a run of a tool that makes a store at a path.
  static func tool(
    _ name: String, making path: String, _ arguments: @escaping (RecordedPrograms) -> [String]
  ) -> PowerStep {
    PowerStep(name: name, meaning: .whole, store: path) { programs in
      let result = try run("testapp", arguments(programs), environment: programs.environment)
      #expect(result.status == 0, "\(name): \(result.errors)")
    }
  }

  /// The path of the script's store; the two directories above it do not exist at first.
  static let store = "one/two/store"

  /// The script, with a step for everything that makes or changes a store.
  static var script: [PowerStep] {
    let saving = ["TESTAPP_SNAPSHOTS": "8"]
    return [
      session("create, and commit batches of several sizes", saving, batches),
      tool("back up", making: "one/first") { programs in
        ["backup", "\(programs.root)/one/first", "--store", programs.store]
      },
      session("continue, with commits of several blocks", saving, blocks),
      crash,
      session(
        "continue after a crash, with effects in flight",
        saving.merging(["RETRACE_TEST_DESK": "hangs"]) { $1 }, effects),
      session(
        "acknowledge before commits", saving.merging(["TESTAPP_RELAXED": "1"]) { $1 }, relaxed),
      together,
      tool("back up once more", making: "one/second") { programs in
        ["backup", "\(programs.root)/one/second", "--store", programs.store]
      },
      tool("salvage", making: "one/salvaged") { programs in
        ["salvage", "\(programs.root)/one/salvaged", "--store", programs.store]
      },
      migration,
      session("open and close", [:], [("hash", "hash")]),
      besideOthers,
    ]
  }

  /// Copies a store of version 1 of the format, which lies outside of what is recorded.
  private static var migration: PowerStep {
    let path = "one/migrated"
    return PowerStep(name: "migrate", meaning: .whole, store: path) { programs in
      try withTemporaryDirectory { folder in
        let old = "\(folder)/old"
        let golden = URL(filePath: #filePath).deletingLastPathComponent()
          .appending(path: "../../EvolutionTests/Golden/testapp-1").standardizedFileURL
        let manager = FileManager.default
        try manager.copyItem(atPath: golden.path, toPath: old)
        for (name, mode) in [("", 0o700), ("/FORMAT", 0o600), ("/data.mdb", 0o600)] {
          try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: old + name)
        }
        let result = try run(
          "testapp", ["migrate", "\(programs.root)/\(path)", "--store", old],
          environment: programs.environment)
        #expect(result.status == 0, "\(result.errors)")
      }
    }
  }

  private static var batches: [(String, String)] {
    let group = ["group 3", "note one", "batch 2", "note two", "note three", "note four"]
    return [
      ("note first", "ok 2"), ("note second", "ok 3"), ("keyed key-1 keyed", "ok 4 key key-1"),
      ("batch 3\nnote a\nnote b\nnote c", "ok"), (group.joined(separator: "\n"), "ok"),
      ("bytes\n" + String(repeating: "5a", count: 9_000), "ok"),
      (shortBytes.dropFirst().joined(separator: "\n"), "ok"),
      ("secret first\n" + String(repeating: "39", count: 16), "ok"),
      ("keyed key-1 keyed", "ok 4 key key-1"), ("effect drop dropped", "ok"), ("close", "closed"),
    ]
  }

  private static var blocks: [(String, String)] {
    // Attachments replace each other, so the log gets several blocks and the state stays small.
    let bytes = String(repeating: "5a", count: 7_000)
    let many = ["batch 10"] + (0..<4).flatMap { ["note \($0)", "bytes", bytes] } + shortBytes
    return [
      ("run 1 4 small", "done"), (many.joined(separator: "\n"), "ok"),
      ("keyed key-2 twice", "ok"), ("run 3 8 middle", "done"), ("close", "closed"),
    ]
  }

  private static var shortBytes: [String] { ["note end", "bytes", "00"] }

  private static var effects: [(String, String)] {
    [
      ("effect run again", "ok"), ("effect send ended", "ok"), ("later 3600 run later", "ok"),
      ("effects", "effects 3"), ("note beside", "ok"),
    ]
  }

  private static var relaxed: [(String, String)] {
    [
      ("note taken", "taken"), ("note taken too", "taken"), ("flush", "ok"),
      ("batch 2\nnote waits\nnote waits too", "taken"), ("note last", "taken"), ("flush", "ok"),
      ("note closes", "taken"), ("close", "closed"),
    ]
  }

  /// Creates a store in a directory that another program has just made and not synced.
  private static var besideOthers: PowerStep {
    let store = "made/store"
    return PowerStep(name: "create in a new directory", meaning: .records, store: store) {
      try $0.makeDirectory("made")
      let sender = try $0.sender([:], on: store)
      try sender.expect([("note first", "ok 2")])
      sender.close()
    }
  }

  /// A session that is killed in the middle of a batch.
  private static var crash: PowerStep {
    PowerStep(name: "end in the middle", meaning: .records, store: store) { programs in
      let sender = try programs.sender([:])
      try sender.expect([("note before the end", "ok")])
      try sender.killInPhase("reducing(0)", "note at the end")
    }
  }

  /// Two sessions that write in turn.
  private static var together: PowerStep {
    PowerStep(name: "write beside each other", meaning: .records, store: store) { programs in
      let senders = [try programs.sender([:]), try programs.sender([:])]
      for round in 0..<3 {
        for (number, sender) in senders.enumerated() {
          try sender.expect([("keyed \(number)-\(round) turn", "ok")])
        }
      }
      for sender in senders { sender.close() }
    }
  }
}

extension SenderProcess {
  /// Sends lines and checks how the answers begin.
  func expect(_ lines: [(String, String)]) throws {
    for (line, beginning) in lines {
      let answer = try ask(line)
      try #require(answer.hasPrefix(beginning), "\(line.prefix(40)): \(answer)")
    }
  }
}
