import Foundation
import RetraceArchitecture
import RetraceRecording
import RetraceReplay
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

@testable import TrackerApp

/// Random sessions of the real app, which is killed at a random moment and opened again.
///
/// A reference session, which nothing disturbs, chooses the inputs. The app gets the same ones
/// through a pipe.
///
/// The suite is disabled, because its reference session differs from the app in two ways: it does
/// not open the rail, and a copy to the clipboard adds no notice. Random keys also save reports
/// into the working folder, so each session needs a folder of its own.
@Suite(.serialized, .disabled("the reference run has no rail, no clipboard and no folder"))
struct AppSessionTests {
  @Test
  func `a killed session comes back after its last acknowledged input or after the next [N4] [N5]`()
    async throws
  {
    var generator = withSeed { InputGenerator($0) }
    let count = repetitions(1_000)
    for number in 0..<count {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("retrace-session-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let reference = try await ReferenceSession(
        at: folder.appendingPathComponent("reference").path, by: &generator)
      let session = KilledSession(
        reference: reference, store: folder.appendingPathComponent("store").path, number: number)
      try session.run(&generator.random)
    }
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
  let store: String
  let number: Int

  private func arguments(of part: SessionPart) -> [String] {
    let now = Date(timeIntervalSince1970: Double(part.now.microseconds / 1_000_000))
    let size = reference.size
    return [
      "app", "--store", store, "--now", now.ISO8601Format(), "--size",
      "\(size.columns)x\(size.rows)",
    ]
  }

  func run(_ random: inout SeededGenerator) throws {
    let last = Int.random(in: 0..<reference.parts.count, using: &random)
    for (part, places) in zip(reference.parts, reference.places).prefix(last) {
      try part.prepare(store)
      let app = try RunningTool("track", arguments(of: part))
      for (input, place) in zip(part.inputs, places.dropFirst()) {
        try send(input, to: app, expecting: place)
      }
      #expect(app.finish().status == 0, "session \(number)")
    }
    let (part, places) = (reference.parts[last], reference.places[last])
    try part.prepare(store)
    // The last input may leave the app, which then ends by itself.
    let target = Int.random(in: 1..<part.inputs.count - 1, using: &random)
    let app = try RunningTool("track", arguments(of: part))
    for (input, place) in zip(part.inputs, places.dropFirst()).prefix(target) {
      try send(input, to: app, expecting: place)
    }
    app.send(part.inputs[target].line)
    usleep(UInt32.random(in: 0..<3_000, using: &random))
    #expect(app.kill(), "session \(number): the app ended by itself")
    print("session \(number): \(last) parts, then killed after \(target) inputs")
    try expect(part, isAt: [places[target], places[target + 1]])
  }

  private func send(
    _ input: Input, to app: RunningTool, expecting place: ReferenceSession.Place
  ) throws {
    app.send(input.line)
    let answer = app.readLine()
    #expect(answer == "ok \(place.sequence)", "session \(number): \(input.line)")
    if answer == nil { throw ToolError.noAnswer(input.line) }
  }

  /// Expects the state and the screen of one of two places, and a log that can be verified.
  private func expect(_ part: SessionPart, isAt places: [ReferenceSession.Place]) throws {
    let tracker = try TrackerStore.open(at: store, zone: .utc, now: part.now)
    let state = tracker.store.state.wholeBytes
    let found = try Verifier<TimeTracker>.verify(tracker.store.storage, decidingCommands: true)
    try tracker.close()
    #expect(found.firstDivergence == nil && found.decisions?.divergences == 0)
    let app = try RunningTool("track", arguments(of: part))
    app.send("screen")
    var screen: [String] = []
    while let line = app.readLine(), !line.hasPrefix("ok ") { screen.append(line) }
    #expect(app.finish().status == 0)
    #expect(
      places.contains { $0.state == state && $0.screen == screen },
      "session \(number): \(screen.joined(separator: "\n"))")
  }
}
