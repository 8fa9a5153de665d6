import Foundation
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport
import Testing
import ToolTestSupport

/// A process that reads a log and is ended by a signal, played by a script.
@Suite struct ChildProcessReaderTests {
  /// The failure of a tool whose reading child process ends by a signal after a record.
  private func failure(signal: Int, after sequence: UInt64?) throws -> ToolFailure? {
    try withTemporaryDirectory { store in
      let mark = """
        with open("\(store)/open.77", "wb") as f:
            f.write(b"RTOPEN1\\n" + os.getpid().to_bytes(4, "little") + bytes(44)
                + (\(sequence ?? 0)).to_bytes(8, "little"))
        """
      let script = """
        import os, signal
        print("never to be seen")
        \(sequence == nil ? "" : mark)
        os.kill(os.getpid(), \(signal))
        """
      defer {
        let marks = (try? FileSystem.list(store)) ?? []
        // The mark of a process that was terminated from outside is no reason to check all pages.
        #expect(marks.isEmpty == (sequence == nil || signal == 15))
      }
      do throws(ToolFailure) {
        _ = try ChildProcessReader.run("/usr/bin/python3", ["-c", script], reading: store)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test(arguments: [6, 7, 8, 11])
  func `a signal that damage can cause is reported as damage after the record reached`(signal: Int)
    throws
  {
    let named = try #require(try failure(signal: signal, after: 41))
    #expect(named.exitCode == 3 && named.code == "damaged")
    #expect(named.what.contains("from record 42 on") && named.why.contains("signal \(signal)"))
    let unnamed = try #require(try failure(signal: signal, after: nil))
    #expect(unnamed.exitCode == 3 && unnamed.what.contains("from record 1 on"))
  }

  @Test func `a signal from outside is not reported as damage`() throws {
    let stopped = try #require(try failure(signal: 15, after: 41))
    #expect(stopped.exitCode == 6 && stopped.why.contains("signal 15"))
  }

  @Test func `exit codes are passed on`() throws {
    for code: Int32 in [0, 3, 64] {
      #expect(
        try ChildProcessReader.run("/bin/sh", ["-c", "exit \(code)"], reading: "/nowhere") == code)
    }
  }
}
