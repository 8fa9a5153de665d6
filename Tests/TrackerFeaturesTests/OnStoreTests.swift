import CivilTime
import RetraceArchitecture
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceTesting
import Testing
import ToolTestSupport
import TimeTracking
import TrackerFeatures

/// The screens on a store, as a driver runs them: keys, refusals, undo and redo, restarts, replay.
@Suite struct OnStoreTests {
  private static let scene = StoreWindow.scene
  private static let size = StoreWindow.size

  private typealias Window = StoreWindow

  @Test func `everything that was done on screens is undone one by one, and redone`() throws {
    let folder = try TemporaryDirectory()
    let window = try Window(
      at: folder.file("store"), clock: VirtualClock(at: Tracking.morning))
    try window.press("text:anna", "enter", "text:n", "text:a", "enter", "text:s")
    try window.press("text:n", "text:b", "enter", "text:s")
    var history: [[String]] = [window.entries]
    for keys in [["down", "text:e", "text:!", "enter"], ["text:d"], ["enter"], ["text:s"]] {
      for key in keys { try window.press(key) }
      history.append(window.entries)
    }
    #expect(Set(history.map { $0.joined() }).count == 5)
    // The offer of the deletion ends.
    window.clock.advance(by: .seconds(5))
    for entries in history.dropLast().reversed() {
      try window.press("text:z")
      #expect(window.entries == entries)
    }
    for entries in history.dropFirst() {
      try window.press("text:Z")
      #expect(window.entries == entries)
    }
    try window.press("text:Z")
    #expect(window.lines.contains("! There is nothing to redo."))
    try window.store.closeBlocking()
  }

  @Test func `an undo and a redo name the entry that began, not the one that it stopped`() throws {
    let folder = try TemporaryDirectory()
    let window = try Window(
      at: folder.file("store"), clock: VirtualClock(at: Tracking.morning))
    try window.press("text:anna", "enter", "text:n", "text:a", "enter")
    try window.press("text:n", "text:b @new", "enter", "enter", "text:z")
    let undone = "Undone. Z redoes it. Now deleted: #1 2026-11-23 09:00 - running b @new; 2 more"
    #expect(window.lines.contains { $0.hasPrefix(undone) }, "\(window.lines)")
    try window.press("text:Z")
    let redone = "Redone. z undoes it. Now: #1 2026-11-23 09:00 - running b @new; 2 more"
    #expect(window.lines.contains { $0.hasPrefix(redone) }, "\(window.lines)")
    try window.store.closeBlocking()
  }

  @Test func `a scene comes back as it was, and every decision is made again in replay [N11]`()
    throws
  {
    let folder = try TemporaryDirectory()
    let clock = VirtualClock(at: Tracking.morning)
    let path = folder.file("store")
    var window = try Window(at: path, clock: clock)
    try window.press("text:anna", "enter", "text:n", "text:a", "enter")
    clock.advance(by: .seconds(3_600))
    try window.press("text:n", "text:half \\#42", "tab", "tab", "tab", "text:8:00", "enter")
    let lines = window.lines
    #expect(lines.contains { $0.contains("It overlaps \"a\".") })
    try window.store.closeBlocking()

    window = try Window(at: path, clock: clock)
    #expect(window.lines == lines)
    try window.press("ctrl-x")
    #expect(window.entries == ["half #42 runs"])
    let found = try Verifier<TimeTracker>.verify(window.store.storage, decidingCommands: true)
    #expect(found.firstDivergence == nil)
    #expect(found.decisions?.divergences == 0)
    // A user, two starts of which one was refused, and the one that was confirmed.
    #expect(found.decisions?.decided == 4)
    try window.store.closeBlocking()
  }

  @Test func `what a screen said is the same after a kill and in a replay, until a change`() throws
  {
    let folder = try TemporaryDirectory()
    let clock = VirtualClock(at: Tracking.morning)
    let path = folder.file("store")
    var window = try Window(at: path, clock: clock)
    for name in ["A", "B"] {
      try window.store.performBlocking(.client(.create(Client(name: Name(name)))))
      let client = ClientID(value: name == "A" ? 0 : 1)
      try window.store.performBlocking(
        .project(.create(Project(name: Name("web"), client: client))))
    }
    try window.press("text:anna", "enter", "text:n", "text:a @web", "enter")
    let notice = "! There are 2 projects web. Type one with its client: A/web, B/web."
    let lines = window.lines
    #expect(lines.contains(notice))
    window.store.abandon()

    window = try Window(at: path, clock: clock)
    #expect(window.lines == lines)
    var replayer = try Replayer<TimeTracker>(window.store.storage)
    try replayer.seek(to: replayer.last)
    let screen = TimeTracker.screen(
      of: Self.scene, in: replayer.state, at: clock.moment, size: Self.size)
    #expect(screen.canvas.lines == lines)
    try window.store.performBlocking(.client(.create(Client(name: Name("C")))))
    #expect(!window.lines.contains(notice))
    try window.store.closeBlocking()
  }
}
