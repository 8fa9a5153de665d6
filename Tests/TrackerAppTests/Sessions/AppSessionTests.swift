import Foundation
import RetraceArchitecture
import RetraceRecording
import RetraceReplay
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

@testable import TrackerApp

/// Random sessions of the real app, which is killed at a random moment and opened again.
///
/// A reference session, which nothing disturbs, chooses the inputs. The app gets the same ones
/// through a pipe, and its screen is compared after each. The accounts of the app are local and
/// have no password, so no session types one.
@Suite(.serialized)
struct AppSessionTests {
  @Test
  func `a killed session comes back after its last acknowledged input or after the next [N4] [N5]`()
    async throws
  {
    var generator = withSeed { InputGenerator($0) }
    let count = repetitions(1_000)
    var (before, after) = (0, 0)
    for number in 0..<count {
      let directory = try TemporaryDirectory()
      let own = try SessionFolders(at: directory.file("reference"))
      let folders = try SessionFolders(at: directory.file("process"))
      let reference = try await ReferenceSession(in: own, for: folders, by: &generator)
      let session = KilledSession(reference: reference, folders: folders, number: number)
      if try session.run(&generator.random) { after += 1 } else { before += 1 }
    }
    print("\(before) kills came before what the last input did, and \(after) after it")
    try report(generator.coverage, sessions: count)
  }

  /// Prints what was visited, and expects each screen and all that may lie over one.
  private func report(_ coverage: SessionCoverage, sessions: Int) throws {
    print("\(sessions) sessions visited \(coverage.seen.count) places")
    for state in try coverage.unseenStates() { print("no session saw: \(state)") }
    for binding in coverage.untaken { print("no session used: \(binding)") }
    let missing = try coverage.missing()
    #expect(missing == [])
  }
}

/// A session that is killed while the app performs one of its inputs.
private struct KilledSession {
  let reference: ReferenceSession
  let folders: SessionFolders
  let number: Int

  /// Opens the app of a part.
  private func open(_ part: SessionPart, at link: String? = nil) throws -> RunningTool {
    let now = Date(timeIntervalSince1970: Double(part.now.microseconds / 1_000_000))
    let size = reference.size
    let arguments = [
      "app", "--store", folders.store, "--now", now.ISO8601Format(), "--size",
      "\(size.columns)x\(size.rows)",
    ]
    return try RunningTool(
      "track", arguments + (link.map { [$0] } ?? []), environment: folders.variables,
      in: folders.files)
  }

  /// Runs the session, and returns whether the input during which the app was killed took effect.
  func run(_ random: inout SeededGenerator) throws -> Bool {
    let last = Int.random(in: 0..<reference.parts.count, using: &random)
    for (part, places) in zip(reference.parts, reference.places).prefix(last) {
      let app = try begin(part, at: places[0])
      for (input, place) in zip(part.inputs, places.dropFirst()) {
        try send(input, to: app, expecting: place)
      }
      #expect(app.finish().status == 0, "session \(number)")
    }
    let (part, places) = (reference.parts[last], reference.places[last])
    let app = try begin(part, at: places[0])
    let target = self.target(in: part, places, &random)
    for (input, place) in zip(part.inputs, places.dropFirst()).prefix(target) {
      try send(input, to: app, expecting: place)
    }
    app.send(part.inputs[target].line)
    usleep(UInt32.random(in: 0..<12_000, using: &random))
    #expect(app.kill(), "session \(number): the app ended by itself")
    return try reopen(part, expecting: places[target], or: places[target + 1], target)
  }

  /// Chooses the input during which the app is killed: often one that has effects.
  ///
  /// The last input may leave the app, which then ends by itself.
  private func target(
    in part: SessionPart, _ places: [ReferenceSession.Place], _ random: inout SeededGenerator
  ) -> Int {
    let any = Int.random(in: 1..<part.inputs.count - 1, using: &random)
    let slow = (0..<part.inputs.count - 1).filter { places[$0 + 1].answered == nil }
    return Bool.random(using: &random) ? slow.randomElement(using: &random) ?? any : any
  }

  private func begin(
    _ part: SessionPart, at place: ReferenceSession.Place
  ) throws -> RunningTool {
    try part.prepare(folders.store)
    let app = try open(part, at: part.link)
    try expect(app, shows: place, "its opening")
    return app
  }

  private func send(
    _ input: Input, to app: RunningTool, expecting place: ReferenceSession.Place
  ) throws {
    app.send(input.line)
    let answer = app.readLine()
    guard let answer, answer.hasPrefix("ok ") else {
      throw UnexpectedAnswer([input.line, answer ?? "ended"])
    }
    if let answered = place.answered {
      #expect(answer == "ok \(answered)", "session \(number): \(input.line)")
    }
    if !place.shown.isEmpty { try expect(app, shows: place, input.line) }
  }

  /// Expects the screen of a place, which effects may lead to.
  private func expect(
    _ app: RunningTool, shows place: ReferenceSession.Place, _ line: String
  ) throws {
    let expected = place.shown + ["ok \(place.sequence)"]
    var screen = try self.screen(of: app)
    let end = MonotonicClock.deadline(inMilliseconds: 60_000)
    while place.answered == nil, screen != expected, MonotonicClock.nanoseconds() < end {
      screen = try self.screen(of: app)
    }
    let difference = Self.difference(screen, from: expected)
    try #require(difference.isEmpty, "session \(number), after \(line)\n\(difference)")
  }

  /// Returns the lines in which a screen differs from an expected one; empty for none.
  private static func difference(_ screen: [String], from expected: [String]) -> String {
    var difference = ""
    for row in 0..<max(screen.count, expected.count) {
      let (line, other) = (screen.dropFirst(row).first, expected.dropFirst(row).first)
      if line != other { difference += "  is \(line ?? "")\n not \(other ?? "")\n" }
    }
    return difference
  }

  /// Returns what an app shows, with the answer.
  private func screen(of app: RunningTool) throws -> [String] {
    app.send("screen")
    var screen: [String] = []
    while let line = app.readLine() {
      screen.append(line)
      if line.hasPrefix("ok ") { return ReferenceSession.masked(screen) }
    }
    throw UnexpectedAnswer(screen + [app.finish().errors])
  }

  /// Opens the killed app, expects the state and the screen of one of two places and a log that can
  /// be verified, and returns whether they are those of the second place.
  private func reopen(
    _ part: SessionPart, expecting first: ReferenceSession.Place,
    or second: ReferenceSession.Place, _ target: Int
  ) throws -> Bool {
    var expected = [first, second].map {
      ReferenceSession.Restored(state: $0.state, screen: $0.restored)
    }
    if let interrupted = second.interrupted { expected.append(interrupted) }
    let app = try open(part)
    var screen = try Array(self.screen(of: app).dropLast())
    let end = MonotonicClock.deadline(inMilliseconds: 20_000)
    while second.answered == nil, !expected.contains(where: { $0.screen == screen }),
      MonotonicClock.nanoseconds() < end
    {
      screen = try Array(self.screen(of: app).dropLast())
    }
    #expect(app.finish().status == 0)
    let tracker = try TrackerStore.open(at: folders.store, zone: .utc, now: part.now)
    defer { try? tracker.close() }
    let found = try Verifier<TimeTracker>.verify(tracker.store.storage, decidingCommands: true)
    #expect(found.firstDivergence == nil && found.decisions?.divergences == 0)
    let restored = ReferenceSession.Restored(
      state: tracker.store.state.wholeBytes, screen: screen)
    let what = "session \(number), killed during input \(target): \(part.inputs[target].line)"
    let differences = expected.map {
      Self.difference(screen, from: $0.screen)
        + ($0.state == restored.state ? "" : "the state differs\n")
    }
    try #require(differences.contains(""), "\(what)\n\(differences.joined(separator: "or\n"))")
    return restored != expected[0]
  }
}
