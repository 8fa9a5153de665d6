import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking

/// The merge of an entity that was changed here and on a server.
@Suite struct ThreeWayMergeTests {
  private let first = Name("a")
  private let second = Name("b")
  private let third = Name("c")

  @Test func `each field follows the truth table [M20]`() {
    // Local and server, and then the result, and whether it has to be pushed.
    let rows: [(Name, Name, Name, Bool)] = [
      (first, first, first, false), (first, second, second, false), (second, first, second, true),
      (second, second, second, false), (second, third, third, false),
    ]
    let base = Client(name: first)
    for (local, server, result, isPushed) in rows {
      let merge = ClientChanges.merging(
        base: base, local: Client(name: local), server: Client(name: server))
      #expect(merge.entity.name == result, "\(local) \(server)")
      #expect(merge.isInSync == !isPushed)
      #expect(merge.unpushed.changedFields == (isPushed ? ["name"] : []))
      let isLost = local == second && server == third
      #expect(merge.overwritten == (isLost ? ["name"] : []))
      // The pushed changes lead from the server's version to the result.
      var pushed = Client(name: server)
      merge.unpushed.apply(to: &pushed)
      #expect(pushed == merge.entity)
    }
  }

  @Test func `the table holds for every field of every kind of entity [M20]`() throws {
    let workspace = WorkspaceID(value: 0)
    func client(_ set: (inout Client) -> Void) -> Client {
      var client = Client(name: Name("x"))
      set(&client)
      return client
    }
    let link = ExternalID(source: SourceID(value: 0), id: "7")
    expectTable(
      ClientChanges.self, client { _ in },
      [
        client { $0.name = Name("y") }, client { $0.workspace = workspace },
        client { $0.isArchived = true }, client { $0.mergedInto = ClientID(value: 3) },
        client { $0.externalIDs = [link] },
      ])
    let sample = try ReportDesk.sampleEntry()
    func entry(_ set: (inout TimeEntry) -> Void = { _ in }) -> TimeEntry {
      var entry = sample
      set(&entry)
      return entry
    }
    expectTable(
      TimeEntryChanges.self, entry(),
      [
        entry { $0.user = UserID(value: 1) }, entry { $0.workspace = workspace },
        entry { $0.description = "x" }, entry { $0.project = ProjectID(value: 0) },
        entry { $0.tags = [TagID(value: 0)] }, entry { $0.task = TaskID(value: 0) },
        entry { $0.start = time(1) }, entry { $0.zone.offsetSeconds = 60 }, entry { $0.end = nil },
        entry { $0.isBillable = true }, entry { $0.annotations = ["x"] }, entry { $0.rate = 5 },
        entry { $0.externalIDs = [link] }, entry { $0.allowsOverlap = true },
      ])
    let project = Project(name: Name("p"))
    var (colored, priced, long) = (project, project, project)
    colored.color = 1
    priced.rate = 7
    long.estimate = minutes(5)
    expectTable(ProjectChanges.self, project, [colored, priced, long])
  }

  /// Expects the rows of the table for each field, with another field changed on the other side.
  private func expectTable<Changes: EntityChanges>(
    _ type: Changes.Type, _ base: Changes.Entity, _ others: [Changes.Entity]
  ) where Changes.Entity: TrackedEntity {
    func merge(
      _ local: Changes.Entity, _ server: Changes.Entity
    ) -> ThreeWayMerge<Changes> { Changes.merging(base: base, local: local, server: server) }
    let fields = others.map { Changes(from: base, to: $0).changedFields }
    #expect(fields.allSatisfy { $0.count == 1 } && Set(fields).count == fields.count)
    for (index, other) in others.enumerated() {
      #expect(merge(base, base).entity == base && merge(base, base).isInSync)
      #expect(merge(base, other).entity == other && merge(base, other).isInSync)
      #expect(merge(other, base).entity == other)
      #expect(merge(other, base).unpushed.changedFields == fields[index])
      #expect(merge(other, other).entity == other && merge(other, other).isInSync)
      // Changes of different fields are both kept, and only the local one is pushed.
      let server = others[(index + 1) % others.count]
      let both = merge(other, server)
      var expected = server
      Changes(from: base, to: other).apply(to: &expected)
      #expect(both.entity == expected && both.unpushed.changedFields == fields[index])
      #expect(both.overwritten.isEmpty)
    }
  }

  @Test func `the start and the end are those of one side, also the project and its task [M20]`()
    throws
  {
    let base = try ReportDesk.sampleEntry()
    func entry(_ set: (inout TimeEntry) -> Void) -> TimeEntry {
      var entry = base
      set(&entry)
      return entry
    }
    func merge(_ local: TimeEntry, _ server: TimeEntry) -> ThreeWayMerge<TimeEntryChanges> {
      TimeEntryChanges.merging(base: base, local: local, server: server)
    }
    // If both were merged separately, the entry would end before it begins.
    let (late, short) = (entry { $0.start = time(6) }, entry { $0.end = time(3) })
    for (local, server, lost) in [(late, short, "start"), (short, late, "end")] {
      let both = merge(local, server)
      #expect(both.entity == server && both.isInSync && both.overwritten == [lost])
    }
    let moved = entry { ($0.start, $0.end) = (time(20), time(30)) }
    #expect(merge(moved, short).entity == short)
    #expect(merge(moved, short).overwritten == ["start", "end"])
    #expect(merge(moved, moved).entity == moved && merge(moved, moved).overwritten.isEmpty)
    #expect(merge(moved, base).unpushed.changedFields == ["start", "end"])
    // If both were merged separately, the entry would have a task of another project.
    let design = entry { ($0.project, $0.task) = (ProjectID(value: 0), TaskID(value: 0)) }
    let other = entry { $0.project = ProjectID(value: 1) }
    #expect(merge(design, other).entity == other)
    #expect(merge(design, other).overwritten == ["project", "task"])
    #expect(merge(other, design).entity == design)
    // Unrelated fields are merged one by one.
    let named = entry { $0.description = "x" }
    let all = merge(named, moved)
    #expect(all.entity == entry { ($0.description, $0.start, $0.end) = ("x", time(20), time(30)) })
    #expect(all.unpushed.changedFields == ["description"])
    var favorite = Favorite(name: Name("f"), user: UserID(value: 0))
    let plain = favorite
    favorite.project = ProjectID(value: 1)
    var task = plain
    (task.project, task.task) = (ProjectID(value: 0), TaskID(value: 0))
    #expect(
      FavoriteChanges.merging(base: plain, local: task, server: favorite).entity == favorite)
  }

  @Test func `a deletion wins, on either side [M20]`() {
    let base = Client(name: first)
    func client(_ name: Name, _ deleted: Moment?) -> Client {
      var client = Client(name: name)
      client.deleted = deleted
      return client
    }
    func merge(
      _ local: Client, _ server: Client, base: Client? = nil
    ) -> ThreeWayMerge<ClientChanges> {
      ClientChanges.merging(base: base ?? client(first, nil), local: local, server: server)
    }
    let here = merge(client(first, time(1)), client(second, nil))
    #expect(here.entity == client(second, time(1)))
    #expect(here.unpushed.changedFields == ["deleted"] && here.overwritten.isEmpty)
    let there = merge(client(second, nil), client(first, time(1)))
    #expect(there.entity == client(first, time(1)) && there.isInSync)
    #expect(there.overwritten == ["name"])
    let twice = merge(client(first, time(1)), client(first, time(2)))
    #expect(twice.entity.deleted == time(2) && twice.isInSync)
    // A deletion that is undone here is undone there.
    let deleted = client(first, time(1))
    let undone = merge(base, deleted, base: deleted)
    #expect(undone.entity == base && undone.unpushed.changedFields == ["deleted"])
    let renamed = merge(base, client(second, time(1)), base: deleted)
    #expect(renamed.entity == client(second, nil))
    let restored = merge(deleted, client(second, nil), base: deleted)
    #expect(restored.entity == client(second, nil) && restored.isInSync)
  }

  @Test func `fields that facts never change are the server's [M20]`() {
    var (local, server) = (Client(name: second), Client(name: first))
    (local.modified, server.modified) = (time(5), time(3))
    let merge = ClientChanges.merging(base: Client(name: first), local: local, server: server)
    #expect(merge.entity.modified == time(3) && merge.entity.name == second)
  }
}
