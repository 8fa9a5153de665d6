import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceStorage
import RetraceTesting
import Testing
import ToolTestSupport

@Suite("The format page")
struct FormatPageTests {
  /// Runs the checker that was written from the format page alone.
  private func run(_ arguments: [String]) throws -> (exit: ChildProcess.Exit, output: JSONValue) {
    let script = "\(#filePath)".split(separator: "/").dropLast(2).joined(separator: "/")
    let child = try ChildProcess.run(
      "/usr/bin/env", ["python3", "/\(script)/Format/verify.py"] + arguments)
    let text = String(decoding: child.output, as: UTF8.self)
    return (child.exit, (try? JSONValue(parsing: text)) ?? .null)
  }

  @Test("A script written from it recomputes every checksum and any link of the chain")
  func chains() throws {
    try withDirectory { directory in
      var dice = SeededGenerator(seed: 77)
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      for _ in 0..<12 { try storage.write(randomNotes(60, using: &dice)) }
      let head = try storage.head()
      let wanted = (0..<3).map { _ in UInt64.random(in: 1...head.sequence, using: &dice) }
      let found = try run(
        [directory + "/store", "--json"] + wanted.flatMap { ["--at", "\($0)"] })
      #expect(found.exit == .exited(0))
      #expect(found.output["records"] == .integer(Int64(head.sequence)))
      #expect(found.output["chain"] == .string(head.chain.hex))
      #expect(found.output["store"] == .string(storage.storeID.hex))
      for sequence in wanted {
        let chain = try storage.withReadView { view throws(StoreError) in
          try view.chain(at: sequence)
        }
        #expect(found.output["chains"]?["\(sequence)"] == .string(chain.hex))
      }
    }
  }

  @Test("The script finds a flipped byte, a missing file and another version")
  func faults() throws {
    try withDirectory { directory in
      let path = directory + "/store"
      let storage = try LogStorage.open(at: path, access: .create)
      try storage.write([Note(text: [UInt8](repeating: 0x5a, count: 3000), moment: 1)])
      storage.close()
      #expect(try run([path]).exit == .exited(0))
      #expect(try run([path, "--at", "3"]).exit == .exited(3))
      let data = try FileSystem.readWhole(path + "/data.mdb", limitBytes: 1 << 24)
      let place = try #require(
        data.indices.first { data[$0] == 0x5a && data[$0 + 1] == 0x5a && data[$0 + 9] == 0x5a })
      try overwrite(path + "/data.mdb", at: place + 5, with: [0x5b])
      #expect(try run([path]).exit == .exited(3))
      try overwrite(path + "/FORMAT", at: 21, with: Array("4".utf8))
      #expect(try run([path]).exit == .exited(4))
      try FileSystem.unlink(path + "/FORMAT")
      #expect(try run([path]).exit == .exited(6))
    }
  }
}
