import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// A disk without room: an error of its own, nothing acknowledged lost, reading goes on, and
/// writing too once there is room, in the store that is open.
@Suite(.serialized) struct DiskFullTests {
  @Test(.enabled(if: SmallFileSystem.tmpfs.canBeMounted, "a mount needs root"))
  func `an open store goes on when a full tmpfs of 8 MiB has room again`() throws {
    try SmallFileSystem.tmpfs.withMounted { try fillAndFree($0, .tmpfs) }
  }

  @Test(.enabled(if: SmallFileSystem.ext4.canBeMounted, "a mount needs root and a loop device"))
  func `an open store goes on when a full ext4 of 8 MiB has room again`() throws {
    try SmallFileSystem.ext4.withMounted { try fillAndFree($0, .ext4) }
  }

  private func fillAndFree(_ place: String, _ kind: SmallFileSystem) throws {
    let path = "\(place)/store"
    let filler = "\(place)/filler"
    try Data(count: 4 << 20).write(to: URL(fileURLWithPath: filler))
    let store = try SeamStore.open(path)
    var kept: [[UInt8]] = []
    func send(_ number: Int) -> StoreError? {
      let batch = (0..<20).map { command(number, $0) }
      var failure: StoreError?
      let error = SeamStore.error { () throws(StoreError) in
        for outcome in try store.performBlocking(batch) {
          switch outcome {
          case .success(let facts): kept += facts.map { $0.encoded() }
          case .failure(.store(let error)): failure = failure ?? error
          case .failure(.refused(let refusal, _)): Issue.record("refused: \(refusal)")
          }
        }
      }
      return error ?? failure
    }
    var number = 0
    for round in 0..<2 {
      var error: StoreError?
      while error == nil && number < 4000 {
        number += 1
        error = send(number)
      }
      #expect(error?.code == .diskFull, "\(kind): \(error as Any)")
      #expect(!store.storage.isClosedForWriting)
      // Again the same error, and everything that was acknowledged can be read.
      #expect(send(number)?.code == .diskFull)
      #expect(try SweepRun.contents(of: store.storage).actions == kept)
      // Beside the entries, the first command made their user.
      #expect(store.state.domain.timeEntries.count == kept.count - 1)
      print("\(kind), round \(round): no room after \(number) batches, \(kept.count) records")
      if round == 0 { try FileSystem.unlink(filler) }
    }
    #expect(number > 20)
    try expectNoNewStore(place, kind)
    // With no room left, closing succeeds or throws; what was acknowledged is there.
    try? store.closeBlocking()
    let reader = try LogStorage.open(at: path, access: .read)
    defer { reader.close() }
    #expect(try SweepRun.contents(of: reader).actions == kept)
  }

  /// Without any room, making a store is an error that leaves nothing.
  private func expectNoNewStore(_ place: String, _ kind: SmallFileSystem) throws {
    let rest = try OpenFile.open("\(place)/rest", [.write, .create], mode: 0o600)
    let page = [UInt8](repeating: 7, count: 4096)
    var isFull = false
    while !isFull {
      do throws(SystemError) { try rest.append(page.span) } catch { isFull = true }
    }
    let error = SeamStore.error { () throws(StoreError) in try SeamStore.open("\(place)/second") }
    #expect(error?.code == .diskFull, "\(kind): \(error as Any)")
    let names = try FileSystem.list(place).filter { $0.hasPrefix(".retrace-") || $0 == "second" }
    #expect(names.isEmpty, "\(kind)")
  }

  /// A command that records an entry of a minute with a long description.
  private func command(_ number: Int, _ part: Int) -> DomainCommand {
    let text = "\(number).\(part) " + String(repeating: "long ", count: 400)
    let start = SeamStore.now.adding(.seconds(Int64(60 * (20 * number + part - 100_000))))
    return .entry(
      .add(
        TimeEntryDraft(user: .name(Name("anna")), description: text, zone: .utc), start: start,
        end: start.adding(.seconds(60)), policy: .refuse))
  }

  @Test func `an open store goes on when a limit on the size of files is raised`() throws {
    try withTemporaryDirectory { folder in
      let sender = try SenderProcess("\(folder)/store")
      func limit(_ bytes: String) throws {
        let set = try run(
          "/usr/bin/prlimit", ["--pid", "\(sender.process.pid)", "--fsize=\(bytes):unlimited"])
        try #require(set.status == 0, "\(set.errors)")
      }
      func note(_ number: Int) throws -> String {
        try sender.ask("try \(number) " + String(repeating: "long ", count: 200))
      }
      try limit("\(1 << 18)")
      var answer = ""
      var number = 0
      repeat {
        number += 1
        answer = try note(number)
      } while answer.hasPrefix("ok ") && number < 2000
      // Had the signal SIGXFSZ not been ignored, the process would be gone.
      #expect(answer == "error diskFull")
      #expect(number > 50)
      #expect(try note(number) == "error diskFull")
      try limit("unlimited")
      #expect(try note(number) == "ok \(number + 1)")
      #expect(try note(number) == "ok \(number + 2)")
      sender.close()
      let again = try SenderProcess("\(folder)/store")
      #expect(again.opening.hasPrefix("open \(number + 3) "))
      again.close()
    }
  }
}
