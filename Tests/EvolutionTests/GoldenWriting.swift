import Foundation
import RetraceSystem
import Testing

/// How the committed logs were made.
///
/// `RETRACE_GOLDEN=write swift test --filter GoldenWriting` writes those that are missing, with the
/// code of today, and the list of all sums.
///
/// A log that is there is never replaced. A new release adds a folder. Code that was removed since
/// has recorded `tracker-1` and `tracker-2`, of every kind of record that version 2 of the format
/// has. `tracker-1-long` was recorded by the command line and the app of version 0.1.0; one of its
/// processes was killed. ``TrackerRecording`` has recorded `tracker-3` before there were commands
/// that split and join entries, `tracker-4` before there was one that holds several, `tracker-5`
/// before commands asked for rules, `tracker-7` before the time that an entry runs was limited and
/// a notice told what an undo changed, `tracker-8` with version 2 of the format and before commands
/// that add an entry asked for rules, `tracker-9` before there were closed periods, `tracker-10`
/// before a key that does nothing had its reason as facts, `tracker-11` before an input was one
/// commit, and `tracker-12` before the timer had suggestions and a filter. ``RivalRecording`` has
/// recorded `tracker-6` with the library and the command line of the commit 703ebc3e, before the
/// deciders had the rules that only the command line kept then. `testapp-1` was recorded by the
/// test app of version 0.1.0.
@Suite struct GoldenWriting {
  @Test(.enabled(if: ThisProcess.environment("RETRACE_GOLDEN") == "write"))
  func `logs that are missing are written`() throws {
    let (dune, ulysses, emma) = (BookID(value: 0), BookID(value: 1), BookID(value: 2))
    try GoldenLog(name: "shelf-1").write(
      ShelfV1.self,
      [
        [
          [.placed(title: "Dune", pages: 412)], [.placed(title: "Ulysses", pages: 730)],
          [.lent(dune, to: "Ada"), .described(ulysses, remark: "long")], [.returned(dune)],
        ],
        [
          [.placed(title: "Emma", pages: 474), .lent(emma, to: "Bob")], [.lent(ulysses, to: "Cy")],
        ],
      ])
    try GoldenLog(name: "shelf-2").write(
      ShelfV2.self,
      [
        [
          [.placed(name: "Dune", pages: 412)], [.placed(name: "Ulysses", pages: 730)],
          [.described(dune, remark: "sand")],
        ], [[.lent(ulysses, to: "Cy")]],
      ])
    try GoldenLog(name: "shelf-3").write(
      ShelfV3.self,
      [
        [
          [.placed(name: "Dune", pages: 412, language: "en")],
          [.placed(name: "Ulysse", pages: 800, language: "fr"), .described(ulysses, remark: "ü")],
        ], [[.lent(dune, to: "Ada")], [.lent(ulysses, to: "Bob")], [.returned(ulysses)]],
      ])
    try GoldenLog(name: "shelf-4").write(
      ShelfV4.self,
      [
        [[.placed(name: "Archive", pages: 5_000_000_000, language: "la")]],
        [[.lent(dune, to: "Ada")]],
      ])
    try GoldenLog(name: "shelf-5").write(
      ShelfV5.self,
      [
        [
          [.placed(name: "Dune", pages: 412, language: "en")],
          [.left(dune), .borrowed(dune, by: "Ada")],
        ], [[.returned(dune)]],
      ])
    try RivalRecording.write(to: GoldenLog(name: "tracker-6"))
    try TrackerRecording.write(to: GoldenLog(name: "tracker-12"))
    let lines = try GoldenLog.all.flatMap { log in
      try GoldenLog.files.map { "\(try log.digest(of: $0))  \(log.name)/\($0)\n" }
    }
    try Data(lines.joined().utf8).write(to: GoldenLog.folder.appending(path: "SHA256SUMS"))
  }
}
