import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// Entities of which everything may be changed: names, places, merges and deletions.
@Suite struct EntityRulesTests {
  @Test func `names are trimmed and compared by one rule`() throws {
    #expect(Name(" acme ") == Name("ACME") && Name(" acme ").text == "acme")
    #expect(Name("a \t\n b") == Name("A B") && Name("a \t\n b").text == "a b")
    #expect(Name(" \u{0}\u{1b} ").isEmpty && Name("Äpfel") == Name("äpfel"))
    var world = World()
    let anna = try world.addUser()
    for name in [" ", "", "\t"] {
      #expect(throws: DomainRefusal.entry(.entity(.nameEmpty))) {
        try world.start("x", anna) { $0.project = .name(Name(name)) }
      }
      #expect(throws: DomainRefusal.entry(.entity(.nameEmpty))) {
        try world.start("x", anna) { $0.tags = [.name(Name(name))] }
      }
      #expect(throws: DomainRefusal.user(.nameEmpty)) { try world.addUser(name) }
    }
    try world.start("x", anna) { draft in
      draft.project = .name(Name(" acme "))
      draft.tags = [.name(Name("dup")), .name(Name("DUP")), .name(Name("a,b"))]
    }
    world.wait(hours: 1)
    try world.start("y", anna) { draft in
      draft.project = .name(Name("Acme"))
      draft.tags = [.name(Name("Dup"))]
    }
    #expect(world.state.projects.count == 1 && world.state.tags.count == 2)
  }

  @Test func `a name has single blanks between its words, whatever the text`() {
    let parts = ["a", "B", "é", "\u{301}", " ", "  ", "\t", "\u{7f}", "\u{a0}", "~", "\u{0}"]
    withSeed("names") { random in
      for _ in 0..<2_000 {
        let count = Int.random(in: 0...6, using: &random)
        let text = (0..<count).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }
          .joined()
        let words = text.unicodeScalars.split { scalar in
          scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
        let expected = words.map { String($0) }.joined(separator: " ")
        #expect(Name(text).text.utf8.elementsEqual(expected.utf8), "\(text.debugDescription)")
        #expect(Name(text).key.utf8.elementsEqual(expected.lowercased().utf8))
      }
    }
  }

  @Test func `a name is unique in its place, and free again after a deletion [M11]`() throws {
    var world = World()
    try world.perform(.client(.create(Client(name: Name("ada")))))
    try world.perform(.client(.create(Client(name: Name("bob")))))
    let (ada, bob) = (ClientID(value: 0), ClientID(value: 1))
    try world.perform(.project(.create(Project(name: Name("site"), client: ada))))
    try world.perform(.project(.create(Project(name: Name("site"), client: bob))))
    #expect(throws: DomainRefusal.project(.nameTaken(Name("Site")))) {
      try world.perform(.project(.create(Project(name: Name("Site"), client: ada))))
    }
    var changes = ProjectChanges()
    changes.client = Change(from: bob, to: ada)
    #expect(throws: DomainRefusal.project(.nameTaken(Name("site")))) {
      try world.perform(.project(.change(ProjectID(value: 1), changes, reason: nil)))
    }
    try world.perform(.project(.delete(ProjectID(value: 0), reason: nil)))
    try world.perform(.project(.change(ProjectID(value: 1), changes, reason: nil)))
    #expect(DomainEntities.violations(of: world.state).isEmpty)
  }

  @Test func `a merge makes an alias, and what refers to it means the other`() throws {
    var world = World()
    let anna = try world.addUser()
    for name in ["a", "b", "c"] {
      try world.perform(.project(.create(Project(name: Name(name)))))
    }
    let ids = (0..<3).map { ProjectID(value: $0) }
    let entry = try world.start("x", anna) { $0.project = .id(ids[0]) }
    try world.perform(.project(.merge(ids[0], into: ids[1], reason: nil)))
    try world.perform(.project(.merge(ids[1], into: ids[2], reason: nil)))
    #expect(world.state.projects.resolve(ids[0]) == ids[2])
    #expect(world.state.timeEntries[entry]?.project == ids[0])
    for (from, to) in [(ids[2], ids[0]), (ids[2], ids[2]), (ids[0], ids[2])] {
      #expect(throws: DomainRefusal.project(.cannotMerge)) {
        try world.perform(.project(.merge(from, into: to, reason: nil)))
      }
    }
    world.wait(hours: 1)
    // A new entry of the alias, also by its name, is one of the other.
    for reference in [Reference.id(ids[0]), .name(Name("A"))] {
      let next = try world.start("y", anna) { $0.project = reference }
      #expect(world.state.timeEntries[next]?.project == ids[2])
      world.wait(hours: 1)
    }
    try world.perform(.entry(.resume(entry, at: nil, zone: .utc, policy: .refuse)))
    #expect(world.state.timeEntries[world.lastEntry]?.project == ids[2])
  }

  @Test func `equal ids of two sources stay different`() throws {
    var world = World()
    for source in ["toggl", "harvest"] {
      try world.perform(.source(.create(ExternalSource(name: Name(source)))))
    }
    let (toggl, harvest) = (SourceID(value: 0), SourceID(value: 1))
    for name in ["a", "b"] { try world.perform(.project(.create(Project(name: Name(name))))) }
    let (a, b) = (ProjectID(value: 0), ProjectID(value: 1))
    try world.perform(.project(.link(a, ExternalID(source: toggl, id: "1"))))
    try world.perform(.project(.link(b, ExternalID(source: harvest, id: "1"))))
    #expect(throws: DomainRefusal.project(.externalIDTaken(ExternalID(source: toggl, id: "1")))) {
      try world.perform(.project(.link(b, ExternalID(source: toggl, id: "1"))))
    }
  }

  @Test func `drafts from before an id of another system are valid after it [M21]`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.perform(.source(.create(ExternalSource(name: Name("toggl")))))
    try world.perform(.project(.create(Project(name: Name("a")))))
    let (toggl, a) = (SourceID(value: 0), ProjectID(value: 0))
    let entry = try world.start("work", anna)
    // The forms are open: what their users saw has no id yet.
    let seen = try #require(world.state.projects[a])
    var renamed = seen
    renamed.name = Name("renamed")
    var draft = TimeEntryDraft(user: .id(anna), description: "next", zone: .utc)
    draft.project = .id(a)
    var correction = TimeEntryCorrection()
    correction.changes.project = Change(from: nil, to: a)
    for id in ["1", "77"] {
      try world.perform(.project(.link(a, ExternalID(source: toggl, id: id))))
    }
    let changes = ProjectChanges(from: seen, to: renamed)
    try world.perform(.project(.change(a, changes, reason: nil)))
    let project = try #require(world.state.projects[a])
    #expect(project.name == Name("renamed"))
    #expect(project.externalIDs == [ExternalID(source: toggl, id: "77")])
    try world.perform(.entry(.correct(entry, correction, policy: .refuse, reason: nil)))
    world.wait(hours: 1)
    try world.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    #expect(world.state.timeEntries[entry]?.project == a)
    #expect(world.state.timeEntries[world.lastEntry]?.project == a)
  }

  @Test func `each change sets the moment of the last one`() throws {
    var world = World()
    let anna = try world.addUser()
    #expect(world.state.users[anna]?.modified == world.now)
    world.wait(hours: 1)
    var changes = UserChanges()
    changes.email = Change(from: nil, to: "anna@example.org")
    try world.perform(.user(.change(anna, changes, reason: nil)))
    #expect(world.state.users[anna]?.modified == World.at(1))
  }

  @Test func `values outside what is allowed are refused`() throws {
    var world = World()
    let anna = try world.addUser()
    var project = Project(name: Name("p"))
    project.color = 0x100_0000
    #expect(throws: DomainRefusal.project(.invalid(field: "color"))) {
      try world.perform(.project(.create(project)))
    }
    project = Project(name: Name("p"))
    project.rate = -1
    #expect(throws: DomainRefusal.project(.invalid(field: "rate"))) {
      try world.perform(.project(.create(project)))
    }
    let unknown = EntityRefusal.unknown(type: "ClientID", id: 7)
    #expect(throws: DomainRefusal.project(unknown)) {
      try world.perform(
        .project(.create(Project(name: Name("p"), client: ClientID(value: 7)))))
    }
    #expect(throws: DomainRefusal.goal(.invalid(field: "target"))) {
      try world.perform(.goal(.create(Goal(name: Name("g"), user: anna, target: .zero))))
    }
    var workspace = Workspace(name: Name("w"))
    workspace.currency = "euro"
    #expect(throws: DomainRefusal.workspace(.invalid(field: "currency"))) {
      try world.perform(.workspace(.create(workspace)))
    }
    let long = Name(String(repeating: "x", count: Name.bytesMax + 1))
    #expect(throws: DomainRefusal.tag(.nameTooLong(bytes: Int64(Name.bytesMax + 1)))) {
      try world.perform(.tag(.create(Tag(name: long))))
    }
  }

  @Test func `a favourite is started by its draft`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.perform(.project(.create(Project(name: Name("acme")))))
    var favorite = Favorite(name: Name("mail"), user: anna)
    favorite.description = "read the mail"
    favorite.project = ProjectID(value: 0)
    try world.perform(.favorite(.create(favorite)))
    let draft = try #require(world.state.favorites[FavoriteID(value: 0)]).draft(in: .utc)
    try world.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    #expect(world.entries == ["read the mail 0.0-now"])
    #expect(world.state.timeEntries[world.lastEntry]?.project == ProjectID(value: 0))
    #expect(throws: DomainRefusal.favorite(.nameTaken(Name("Mail")))) {
      try world.perform(.favorite(.create(Favorite(name: Name("Mail"), user: anna))))
    }
  }

  @Test func `a user has one set of preferences`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.perform(.preferences(.create(PreferenceSet(user: anna))))
    #expect(world.state.preferences(of: anna)?.set.firstWeekday == 1)
    #expect(throws: DomainRefusal.self) {
      try world.perform(.preferences(.create(PreferenceSet(user: anna))))
    }
  }

  @Test func `a task belongs to the project of its entry`() throws {
    var world = World()
    let anna = try world.addUser()
    for name in ["a", "b"] { try world.perform(.project(.create(Project(name: Name(name))))) }
    let (a, b) = (ProjectID(value: 0), ProjectID(value: 1))
    try world.perform(.task(.create(ProjectTask(name: Name("design"), project: a))))
    let task = TaskID(value: 0)
    #expect(throws: DomainRefusal.entry(.entity(.invalid(field: "task")))) {
      try world.start("x", anna) { ($0.project, $0.task) = (.id(b), .id(task)) }
    }
    let entry = try world.start("x", anna) { ($0.project, $0.task) = (.id(a), .id(task)) }
    // Another project without a word about the task: the task goes.
    var correction = TimeEntryCorrection()
    correction.changes.project = Change(from: a, to: b)
    try world.perform(.entry(.correct(entry, correction, policy: .refuse, reason: nil)))
    let after = try #require(world.state.timeEntries[entry])
    #expect(after.project == b && after.task == nil)
  }
}
