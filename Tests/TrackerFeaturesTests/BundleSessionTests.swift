import Foundation
import RetraceArchitecture
import RetraceBundle
import RetracePlayer
import RetraceRecording
import RetraceReplay
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceTesting
import Testing
import ToolTestSupport
import TrackerFeatures

/// Bundles of random sessions of the screens.
@Suite struct BundleSessionTests {
  /// Words that no redacted bundle has in any encoding.
  private static let canaries = ["Zebrafink", "ocelotcorp", "Queißer", "Жираф"]

  private static let keys = [
    "text:n", "text:n", "text:n", "text:s", "text:e", "text:d", "text:Zebrafink", "text:Queißer",
    "text:ocelotcorp ", "text:@ocelotcorp", "text:#Zebrafink", "text:Жираф", "text: ", "text:7",
    "enter", "enter", "enter", "enter", "escape", "tab", "tab", "up", "down", "backspace",
    "backspace", "home", "left", "end", "text:9:00", "text:10:30", "text:z", "text:Z", "text:p",
    "text:l", "text:/", "text:h", "ctrl-s", "ctrl-u", "text:?",
  ]

  private static func record(at path: String, _ random: inout SeededGenerator) throws {
    let clock = VirtualClock(at: Tracking.morning)
    for part in 0..<2 {
      let window = try StoreWindow(at: path, clock: clock)
      if part == 0 { try window.press("text:Zebrafink", "enter") }
      for _ in 0..<60 {
        try window.press(Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)])
      }
      try window.store.closeBlocking()
    }
  }

  private static func make(
    _ storage: LogStorage, isPlain: Bool = false, _ random: inout SeededGenerator
  ) throws -> MadeBundle {
    let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return try BundleMaker<TimeTracker>.make(
      of: storage, BundleOptions(isPlain: isPlain, key: key)
    ) { _ in nil }
  }

  /// Writes a plain bundle of a session into the folder that RETRACE_SESSIONS names, where
  /// `Tools/browse` reads it; writes nothing without it.
  private static func write(
    _ storage: LogStorage, number: Int, _ random: inout SeededGenerator
  ) throws {
    guard let folder = ProcessInfo.processInfo.environment["RETRACE_SESSIONS"] else { return }
    let made = try make(storage, isPlain: true, &random)
    try Data(made.bytes).write(
      to: URL(fileURLWithPath: folder).appendingPathComponent("track-\(number).bundle"))
  }

  /// Returns the lines of what the scene shows at the end.
  private static func lines(of storage: LogStorage) throws -> [String] {
    var replayer = try Replayer<TimeTracker>(storage)
    try replayer.seek(to: replayer.last)
    return lines(of: replayer.state, at: try replayer.moment())
  }

  private static func lines(of state: TrackerState, at moment: Moment) -> [String] {
    TimeTracker.screen(
      of: StoreWindow.scene, in: state, at: moment, size: StoreWindow.size, zone: .utc
    ).canvas.lines
  }

  /// A text in which letters of a case, and digits, are the same, written without what bundles use.
  private static func masked(_ text: String) -> String {
    String(text.map { $0.isUppercase ? "X" : $0.isLetter ? "x" : $0.isNumber ? "0" : $0 })
  }

  /// Returns the paths of the routes and the lines of the screen.
  private static func shown(_ state: TrackerState, at moment: Moment) -> [String] {
    let stack = TimeTracker.backStack(of: StoreWindow.scene, in: state)
    return (stack?.routes.map { $0.path } ?? []) + lines(of: state, at: moment)
  }

  /// Returns the first batch after which the paths of the routes or the screens differ by more than
  /// letters and digits; `nil` if there is none.
  private static func firstDifference(
    _ one: LogStorage, _ other: LogStorage
  ) throws -> Difference? {
    var left = try Replayer<TimeTracker>(one)
    var right = try Replayer<TimeTracker>(other)
    var end: UInt64 = 0
    while end < left.last {
      end = try left.batchEnd(atOrAfter: end + 1)
      try left.seek(to: end)
      try right.seek(to: end)
      let moment = try left.moment()
      let (before, after) = (shown(left.state, at: moment), shown(right.state, at: moment))
      guard before.map(masked) != after.map(masked) else { continue }
      let lines = zip(before, after).filter { masked($0) != masked($1) }
      return Difference(sequence: end, lines: lines.map { "\($0)\n  \($1)" })
    }
    return nil
  }

  /// The first batch after which a log and its bundle show something else.
  private struct Difference {
    var sequence: UInt64
    /// The lines that differ, each below that of the log.
    var lines: [String]
  }

  @Test func `a redacted session has no word of the user and replays alike [L10, L13]`() throws {
    try withSeed { random throws in
      let sessions = repetitions(100, few: 8)
      var same = 0
      for number in 0..<sessions {
        let folder = try TemporaryDirectory()
        try Self.record(at: folder.file("store"), &random)
        let storage = try LogStorage.open(at: folder.file("store"), access: .read)
        defer { storage.close() }
        // The generator of its key is a copy, so that the sessions do not depend on the folder.
        var copy = random
        try Self.write(storage, number: number, &copy)
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let report = try BundleReport(
          of: storage, for: TimeTracker.self, through: storage.head().sequence,
          BundleOptions(key: key))
        let made = report.made
        #expect(made.header.contents == .redacted && !made.replaced.isEmpty)
        for canary in Self.canaries {
          for trace in Self.encodings(of: canary) {
            #expect(made.bytes.firstRange(of: trace) == nil, "session \(number): \(canary)")
          }
        }
        let bundle = try LogStorage.open(bundle: made.bytes, named: "bundle")
        let (left, right) = (
          try Verifier<TimeTracker>.verify(storage), try Verifier<TimeTracker>.verify(bundle)
        )
        #expect(right.records == left.records && right.firstDivergence == nil)
        #expect(right.compared == left.compared && right.compared > 0)
        #expect(right.chain != left.chain && right.stateHash != left.stateHash)
        let comparison = report.comparison
        let difference = try Self.firstDifference(storage, bundle)
        if comparison.isSame {
          same += 1
          #expect(difference == nil, "session \(number)")
        } else {
          print("session \(number) differs, advice \(report.advice ?? "none")")
          let shown = difference?.lines ?? []
          print("  \(difference?.sequence ?? 0): \(shown.joined(separator: "\n  "))")
          #expect(comparison.failures == [], "session \(number)")
          let told = min(comparison.firstRoute ?? .max, comparison.firstScreen ?? .max)
          #expect(told <= difference?.sequence ?? .max, "session \(number)")
        }
      }
      print("\(same) of \(sessions) sessions are the same")
      // A search for a few letters, and the order of names, may depend on the letters.
      #expect(same >= sessions * 4 / 5)
    }
  }

  /// The bytes of a text in encodings that a file could have it in.
  private static func encodings(of text: String) -> [[UInt8]] {
    let bytes = Array(text.utf8)
    var all = [bytes, Array(text.lowercased().utf8)]
    all.append(Array(bytes.map { String(format: "%02x", $0) }.joined().utf8))
    all.append(text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
    // In base64, the first and the last group depend on the neighbors.
    for shift in 0..<3 {
      let code = Array(Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedData())
      all.append(Array(code.dropFirst(4).dropLast(4)))
    }
    return all.filter { $0.count > 4 }
  }

  @Test func `a plain session keeps its states, and loses who recorded it [L13]`() throws {
    try withSeed { random throws in
      let folder = try TemporaryDirectory()
      try Self.record(at: folder.file("store"), &random)
      let storage = try LogStorage.open(at: folder.file("store"), access: .read)
      defer { storage.close() }
      let made = try Self.make(storage, isPlain: true, &random)
      #expect(made.header.contents == .anonymous && made.replaced.isEmpty)
      let same = try Self.make(storage, isPlain: true, &random)
      #expect(same.bytes == made.bytes)
      let bundle = try LogStorage.open(bundle: made.bytes, named: "bundle")
      let (left, right) = (
        try Verifier<TimeTracker>.verify(storage), try Verifier<TimeTracker>.verify(bundle)
      )
      #expect(right.stateHash == left.stateHash && right.firstDivergence == nil)
      #expect(right.compared == left.compared && right.chain != left.chain)
      #expect(try Self.lines(of: bundle) == Self.lines(of: storage))
      try bundle.withReadView { view throws(StoreError) in
        try view.forEachRecord(from: 1, through: view.head.sequence) {
          envelope, payload throws(StoreError) in
          guard envelope.kind == .sessionOpened else { return }
          let origin = (try? SessionOpened(encoded: payload))?.origin
          #expect(origin?.login == "" && origin?.host == "" && origin?.process == 0)
        }
      }
      // A bundle of a bundle has nothing more to remove.
      let again = try Self.make(bundle, isPlain: true, &random)
      #expect(again.bytes == made.bytes)
    }
  }
}
