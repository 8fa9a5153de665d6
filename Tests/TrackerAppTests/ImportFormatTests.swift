import CivilTime
import RetraceAvro
import RetraceRecording
import RetraceState
import Testing
import TimeTracking
import TrackerFormats

@testable import TrackerApp

/// A format that no other code knows is imported as the listed formats are.
@Suite struct ImportFormatTests {
  /// A format of lines such as `2026-03-01 09:00 30 write`: a start, minutes and a description.
  private struct MinutesSource: WholeFileSource {
    static let format = ImportFormat(
      name: "minutes", summary: "minutes for a list of minutes", fileKind: "list of minutes",
      advice: "Give a file such as minutes.txt.", bytesMax: 1_000)
    let fields: Set<ImportField> = [.start, .end, .description]
    let options: ImportOptions
    var bytes: [UInt8] = []

    init(_ options: ImportOptions) { self.options = options }

    func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      guard lines.first == "minutes" else { throw .notFile("its first line is another one") }
      guard let format = try? DateFormat("yyyy-MM-dd HH:mm") else { return }
      for (index, line) in lines.enumerated().dropFirst() {
        let words = line.split(separator: " ", maxSplits: 3)
        if words.count == 3, words[2] == "?" {
          rows.running.append("\(words[0]) \(words[1])")
          continue
        }
        rows.append { repeated throws(RowRejection) in
          guard words.count == 4, let minutes = Int64(words[2]),
            let local = try? format.parse("\(words[0]) \(words[1])"),
            case .existing(let start, let offset) = options.zone.resolve(local)
          else {
            throw RowRejection(
              line: index + 1, column: nil, value: String(line), reason: .other("no minutes"))
          }
          return ImportedRow(
            id: "\(words[0]) \(words[1])", user: options.user, description: String(words[3]),
            start: start, end: start.adding(.seconds(minutes * 60)),
            zone: RecordedZone(id: options.zone.id, offsetSeconds: offset))
        }
      }
    }
  }

  private static let text = """
    minutes
    2026-03-01 09:00 30 write
    2026-03-01 09:20 10 call
    2026-03-01 soon 10 nothing
    2026-03-01 10:00 ?

    """

  private func open(_ path: String, isStrict: Bool = false) throws(Importer.Failure) -> Importer {
    try Importer.open(
      path, as: MinutesSource.self, ImportOptions(user: Name("anna"), zone: .utc),
      isStrict: isStrict)
  }

  private func run(_ path: String, into tracker: TrackerStore) throws -> ImportReport {
    try open(path).run(into: tracker, system: Name("minutes"), name: "minutes.txt")
  }

  @Test func `its rows become entries, once, as one change that is undone`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.text, to: "minutes.txt")
      try fixture.open { tracker in
        let preview = try open(path).preview(
          in: tracker.domain, system: Name("minutes"), name: "minutes.txt")
        #expect(preview.rows.created == 2 && preview.rejected.count == 1 && preview.running == 1)
        #expect(preview.rows.overlaps == 2)
        let report = try run(path, into: tracker)
        #expect(report.rows.created == 2 && report.rows.overlaps == 2 && report.running == 1)
        #expect(report.rejected.kept.map(\.line) == [4])
        #expect(report.rejected.kept.map { "\($0.reason)" } == ["no minutes"])
        #expect(tracker.domain.entries == ["write 0:30:00", "call 0:10:00"])
        let more = try fixture.write(Self.text + "2026-03-02 09:00 1 new\n", to: "more.txt")
        let again = try run(more, into: tracker)
        #expect(again.rows.created == 1 && again.rows.known == 2)
        try tracker.store.undoBlocking()
        try tracker.store.undoBlocking()
        #expect(tracker.domain.entries.isEmpty)
      }
    }
  }

  @Test func `a file of another format, a large one and a strict import are refused`() throws {
    try TrackerFixture.with { fixture in
      func failure(_ text: String, isStrict: Bool = false) throws -> Importer.Failure? {
        let path = try fixture.write(text, to: "minutes.txt")
        do throws(Importer.Failure) {
          _ = try open(path, isStrict: isStrict)
          return nil
        } catch {
          return error
        }
      }
      guard case .format(let format, .notFile(let why))? = try failure("hours\n") else {
        Issue.record("another format was read")
        return
      }
      #expect(format.fileKind == "list of minutes" && why == "its first line is another one")
      let large = Self.text + String(repeating: " ", count: 1_000)
      guard case .format(_, .notFile("it has more than 1000 bytes"))? = try failure(large) else {
        Issue.record("a large file was read")
        return
      }
      guard case .rejected(let rejected)? = try failure(Self.text, isStrict: true) else {
        Issue.record("a strict import took a rejected row")
        return
      }
      #expect(rejected.count == 1)
      #expect(try failure(Self.text) == nil)
    }
  }
}
