import Foundation
import Testing
import ToolTestSupport

/// What `replay` does to the system, as `strace` sees it: no network, and no file but its output.
@Suite struct TracedReplayTests {
  /// Whether programs can be traced here; the reason is printed if not.
  static let isPossible: Bool = {
    let result = try? runProgram("/usr/bin/strace", ["-o", "/dev/null", "/bin/true"])
    if result?.status == 0 { return true }
    print("Nothing was traced: \(result.map { $0.errors } ?? "there is no strace").")
    return false
  }()

  /// The calls that make a connection, or change files.
  private static let watched = [
    "%network", "?open", "openat", "?openat2", "?creat", "?truncate", "ftruncate", "?rename",
    "?renameat", "renameat2", "?link", "linkat", "?symlink", "symlinkat", "?unlink", "unlinkat",
    "?mkdir", "mkdirat", "?rmdir", "?mknod", "mknodat", "io_uring_setup",
  ]

  /// Returns the calls of a command and of its children that change something.
  private static func changes(
    of words: [String], temporary: String, in folder: String
  ) throws -> [String] {
    let trace = "\(folder)/trace"
    let result = try RunningTool(
      "/usr/bin/strace",
      ["-f", "-s", "4096", "-o", trace, "-e", "trace=\(watched.joined(separator: ","))"]
        + [Tools.url("replay").path] + words,
      environment: ["TMPDIR": temporary]
    ).finish()
    #expect(result.status == 0, "\(words): \(result.errors)")
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains { $0.contains("openat(") }, "\(words): nothing was traced")
    return lines.map(String.init).filter { line in
      let isOpening = line.contains(" open(") || line.contains(" openat(")
      let isReading = line.contains("O_RDONLY") && !line.contains("O_CREAT")
      // Other lines are signals, ends of processes, and ends of calls that another one interrupted.
      return line.contains("(") && !line.contains(" resumed>") && !line.contains(" +++")
        && !line.contains(" --- ") && !(isOpening && isReading)
    }
  }

  @Test(.enabled(if: TracedReplayTests.isPossible), arguments: ["bundle", "store"])
  func `replay makes no connection, and writes nothing but its output`(source: String) throws {
    try RecordedSession.with { session in
      let folder = "\(session.path).traced"
      let (temporary, output) = ("\(folder)/tmp", "\(folder)/output.bundle")
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try FileManager.default.createDirectory(
        atPath: temporary, withIntermediateDirectories: true)
      let bundle = "\(folder)/bug.bundle"
      _ = try session.replay(["bundle", "--plain", "--output", bundle])
      let log = source == "bundle" ? bundle : session.path
      let data = "\(session.path)/data.mdb"
      let before = try Data(contentsOf: URL(fileURLWithPath: source == "bundle" ? bundle : data))
      for words in [
        ["verify"], ["screen", "--at", "\(RecordedSession.lastOfApp)"], ["show"],
        ["bundle", "--output", output],
      ] {
        let changes = try Self.changes(
          of: words + ["--store", log], temporary: temporary, in: folder)
        // Besides its output, a command may write its notes on reading, which it removes, and the
        // files of locks of a store.
        let others = changes.filter { line in
          !line.contains("\"\(temporary)/retrace-notes-") && !line.contains("\"/dev/null\"")
            && !(words[0] == "bundle" && line.contains("\"\(output)"))
            && !(source == "store" && line.contains("\"\(session.path)/")
              && !line.contains("data.mdb"))
        }
        #expect(others.isEmpty, "\(words): \(others.joined(separator: "\n"))")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
      }
      #expect(FileManager.default.fileExists(atPath: output))
      let after = try Data(contentsOf: URL(fileURLWithPath: source == "bundle" ? bundle : data))
      #expect(after == before)
    }
  }
}
