import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceReplay
import RetraceSchema
import RetraceStorage
import RetraceSystem
import Testing
import TrackerFeatures

/// The schemas that were released, and what becomes of logs under them.
@Suite struct SchemaHistoryTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden/Schemas").path

  @Test func `the tracker's schema is in its history, and all that was released can be read`()
    throws
  {
    let history = try SchemaHistory<TimeTracker>(folder: Self.folder)
    #expect(
      history.containsCurrent,
      "the action schema changed: run `replay schema --write Tests/EvolutionTests/Golden/Schemas`")
    #expect(history.unreadable.isEmpty, "\(history.unreadable.map(\.verdict))")
    for entry in history.entries {
      let stored = try String(contentsOfFile: "\(Self.folder)/\(entry.file)", encoding: .utf8)
      #expect(stored == entry.schema.text + "\n", "\(entry.file)")
    }
  }

  @Test(arguments: (3...11).map { "tracker-\($0)" })
  func `the schema of a committed log is in the tracker's history`(log: String) throws {
    let history = try SchemaHistory<TimeTracker>(folder: Self.folder)
    let forms = Set(history.entries.map(\.schema.canonicalForm))
    try GoldenLog(name: log).reading { storage in
      try storage.withReadView { (view) throws(StoreError) in
        #expect(forms.contains(try view.parsedSchema(1, of: 1).canonicalForm))
      }
    }
  }

  @Test func `a history holds what was written to it, with the verdict of each`() throws {
    try withFolder { folder in
      #expect(try SchemaHistory<ShelfV1>.write(to: folder).isNew)
      #expect(try SchemaHistory<ShelfV4>.write(to: folder).isNew)
      #expect(try !SchemaHistory<ShelfV4>.write(to: folder).isNew)
      let before = try SchemaHistory<ShelfV5>(folder: folder)
      #expect(before.entries.count == 2 && !before.containsCurrent && before.unreadable.isEmpty)
      try SchemaHistory<ShelfV5>.write(to: folder)
      let after = try SchemaHistory<ShelfV5>(folder: folder)
      #expect(after.entries.map(\.verdict.name).sorted() == ["fine", "fine", "same"])
      #expect(after.containsCurrent)
      // An older build cannot read what newer ones released.
      let older = try SchemaHistory<ShelfV1>(folder: folder)
      #expect(older.containsCurrent && older.unreadable.count == 2)
    }
  }

  @Test func `a schema that was changed after its release is an error`() throws {
    try withFolder { folder in
      let (file, _) = try SchemaHistory<ShelfV1>.write(to: folder)
      let path = "\(folder)/\(file)"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacingOccurrences(of: "pages", with: "leaves")
        .write(toFile: path, atomically: true, encoding: .utf8)
      #expect(throws: StoreError.self) { try SchemaHistory<ShelfV1>(folder: folder) }
    }
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-schemas-")
    defer { try? FileSystem.removeTree(directory) }
    try body(directory + "/schemas")
  }
}
