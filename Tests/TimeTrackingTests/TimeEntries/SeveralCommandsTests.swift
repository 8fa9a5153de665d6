import RetraceState
import Testing
import TimeTracking

/// Commands about time entries that are carried out as one change.
@Suite struct SeveralCommandsTests {
  @Test func `each command is decided on the state that the ones before it leave`() throws {
    var world = World()
    let anna = try world.addUser()
    let first = try world.add("one", anna, -3, -2)
    let second = try world.add("two", anna, -2, -1)
    // The second entry can only move to where the first one was.
    let facts = try world.perform(
      .entry(
        .several([.delete(first, reason: nil), move(second, from: -2, to: -3, in: world)])))
    #expect(facts.count == 2 && world.entries == ["two -3.0--1.0"])
  }

  @Test func `if one command is refused, none is carried out`() throws {
    var world = World()
    let anna = try world.addUser()
    let first = try world.add("one", anna, -3, -2)
    let second = try world.add("two", anna, -2, -1)
    let before = world.state
    let refusal = #expect(throws: DomainRefusal.self) {
      try world.perform(
        .entry(
          .several([
            .correct(first, TimeEntryCorrection(), policy: .refuse, reason: nil),
            .several([move(second, from: -2, to: -2.5, in: world)]),
          ])))
    }
    #expect(refusal == .entry(.overlaps([first])) && world.state.live == before.live)
  }

  @Test func `a thousand commands are one change, and more are refused`() throws {
    var world = World()
    let anna = try world.addUser()
    let draft = TimeEntryDraft(user: .id(anna), description: "short", zone: .utc)
    let commands = (0...TimeEntries.commandsMax).map { number in
      let start = World.begin.adding(.seconds(-Int64(number) * 60 - 60))
      return TimeEntryCommand.add(
        draft, start: start, end: start.adding(.seconds(60)), policy: .refuse)
    }
    #expect(throws: DomainRefusal.entry(.invalid(field: "commands"))) {
      try world.perform(.entry(.several(commands)))
    }
    #expect(try world.perform(.entry(.several(Array(commands.dropLast())))).count == 1_000)
  }

  /// Returns a command that moves the start of an entry, in hours from the first moment.
  private func move(
    _ id: TimeEntryID, from before: Double, to after: Double, in world: World
  ) -> TimeEntryCommand {
    var correction = TimeEntryCorrection()
    correction.changes.start = Change(from: World.at(before), to: World.at(after))
    return .correct(id, correction, policy: .refuse, reason: nil)
  }
}
