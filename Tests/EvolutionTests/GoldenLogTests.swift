import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceSchema
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing

/// Logs that older builds wrote, read by each build after them.
@Suite struct GoldenLogTests {
  @Test func `the committed logs are those that were written`() throws {
    let sums = try String(
      contentsOf: GoldenLog.folder.appending(path: "SHA256SUMS"), encoding: .utf8)
    var known: [String: String] = [:]
    for line in sums.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: true)
      known[String(parts[1])] = String(parts[0])
    }
    #expect(known.count == GoldenLog.all.count * GoldenLog.files.count)
    for log in GoldenLog.all {
      for file in GoldenLog.files {
        #expect(try log.digest(of: file) == known["\(log.name)/\(file)"], "\(log.name)/\(file)")
      }
    }
  }

  @Test func `the log of the first release is folded by every later one [L9] [H15]`() throws {
    let books: [ShelfSummary.Book] = [
      .init("Dune", 412), .init("Ulysses", 730, holder: "Cy"), .init("Emma", 474, holder: "Bob"),
    ]
    let english = books.map { ShelfSummary.Book($0.name, $0.pages, "en", holder: $0.holder) }
    let remarks = ["1: long"]
    let lost = [CaseName("ShelfAction", "described"): UInt64(1)]
    try expect(ShelfV1.self, on: 1, verdict: "same", .init(books: books, remarks: remarks))
    try expect(ShelfV2.self, on: 1, verdict: "fine", .init(books: books, remarks: remarks))
    try expect(ShelfV3.self, on: 1, verdict: "fine", .init(books: english, remarks: remarks))
    try expect(ShelfV4.self, on: 1, verdict: "fine", .init(books: english), ignoring: lost)
    try expect(
      ShelfV5.self, on: 1, verdict: "fine", .init(books: english, departures: 3), ignoring: lost)
  }

  @Test func `the logs of later releases are folded by those after them`() throws {
    let two: [ShelfSummary.Book] = [.init("Dune", 412), .init("Ulysses", 730, holder: "Cy")]
    let english = two.map { ShelfSummary.Book($0.name, $0.pages, "en", holder: $0.holder) }
    let lost = [CaseName("ShelfAction", "described"): UInt64(1)]
    try expect(ShelfV2.self, on: 2, verdict: "same", .init(books: two, remarks: ["0: sand"]))
    try expect(ShelfV3.self, on: 2, verdict: "fine", .init(books: english, remarks: ["0: sand"]))
    try expect(ShelfV4.self, on: 2, verdict: "fine", .init(books: english), ignoring: lost)
    try expect(
      ShelfV5.self, on: 2, verdict: "fine", .init(books: english, departures: 1), ignoring: lost)

    let mixed: [ShelfSummary.Book] = [
      .init("Dune", 412, "en", holder: "Ada"), .init("Ulysse", 800, "fr"),
    ]
    try expect(ShelfV3.self, on: 3, verdict: "same", .init(books: mixed, remarks: ["1: ü"]))
    try expect(ShelfV4.self, on: 3, verdict: "fine", .init(books: mixed), ignoring: lost)
    try expect(
      ShelfV5.self, on: 3, verdict: "fine", .init(books: mixed, departures: 2), ignoring: lost)

    let archive: [ShelfSummary.Book] = [.init("Archive", 5_000_000_000, "la", holder: "Ada")]
    try expect(ShelfV4.self, on: 4, verdict: "same", .init(books: archive))
    try expect(ShelfV5.self, on: 4, verdict: "fine", .init(books: archive, departures: 1))
    try expect(
      ShelfV5.self, on: 5, verdict: "same",
      .init(books: [.init("Dune", 412, "en")], departures: 1))
  }

  @Test
  func `a renamed field, a wider number and a default are reported by type and field`() throws {
    #expect(
      try differences(ShelfV2.self, on: 1) == ["ShelfAction_placed.title: is `name` now"])
    #expect(
      try differences(ShelfV3.self, on: 2)
        == ["ShelfAction_placed.language: was not recorded and gets its default"])
    #expect(
      try differences(ShelfV4.self, on: 3) == [
        "ShelfAction_placed.pages: int was recorded, long is read",
        "ShelfAction.described: is retired, so its records are skipped",
      ])
    #expect(
      try differences(ShelfV5.self, on: 4)
        == ["ShelfAction.lent: goes through an upcaster"])
  }

  /// Reads a log with a later build: verdict, state, skipped records; nothing is rewritten.
  private func expect<App: SummarizedShelf>(
    _ app: App.Type, on version: Int, verdict: String, _ summary: ShelfSummary,
    ignoring ignored: [CaseName: UInt64] = [:]
  ) throws {
    let log = GoldenLog(name: "shelf-\(version)")
    try log.withCopy { path in
      let storage = try LogStorage.open(at: path, access: .read)
      let plan = try storage.withReadView { (view) throws(StoreError) in
        try view.plan(for: App.self)
      }
      #expect(plan.schemas.map(\.verdict.name) == [verdict], "\(App.self)")
      var replayer = try Replayer<App>(storage)
      try replayer.seek(to: replayer.last)
      #expect(App.summary(of: replayer.state) == summary, "\(App.self) on \(version)")

      let verification = try Verifier<App>.verify(storage)
      #expect(verification.skipped == ignored)
      #expect(verification.firstDivergence == nil)
      // A state with a field more has other hashes, which are no divergence.
      let isSame = App.State.self == Self.stateType(of: version)
      #expect(verification.compared == (isSame ? 2 : 0), "\(App.self) on \(version)")
      #expect(verification.notComparable == (isSame ? 0 : 2), "\(App.self) on \(version)")
      storage.close()
      #expect(try GoldenLog.digest(ofFile: path + "/data.mdb") == log.digest(of: "data.mdb"))
    }
    try log.withMigratedCopy { path in
      let content = try LogContent(at: path)
      let store = try Store<App>.openBlocking(
        at: path, creating: false, configuration: .init(clock: { Moment(microseconds: 0) }))
      #expect(App.summary(of: store.state) == summary)
      try store.closeBlocking()
      #expect(try LogContent(at: path) == content)
    }
  }

  private static func stateType(of version: Int) -> any Any.Type {
    switch version {
    case 1, 2: ShelfV1.State.self
    case 3: ShelfV3.State.self
    case 4: ShelfV4.State.self
    default: ShelfV5.State.self
    }
  }

  private func differences<App: Shelf>(_ app: App.Type, on version: Int) throws -> [String] {
    try GoldenLog(name: "shelf-\(version)").reading { storage in
      try storage.withReadView { (view) throws(StoreError) in
        try view.plan(for: App.self).schemas[0].verdict.differences.map(\.description)
      }
    }
  }
}
