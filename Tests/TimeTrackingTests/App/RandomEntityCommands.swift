import RetraceArchitecture
import RetraceAvro
import RetraceState
import TimeTracking

/// Commands about all entities but time entries.
extension RandomCommands {
  /// Returns a command that creates, changes, archives, deletes, merges or links an entity.
  mutating func entityCommand(on state: DomainState) -> DomainCommand {
    switch number(0..<12) {
    case 0...2:
      return .workspace(
        command(in: state.workspaces, WorkspaceChanges.self) { commands, workspace in
          commands.changed(workspace ?? Workspace(name: commands.name()))
        })
    case 3:
      return .client(
        command(in: state.clients, ClientChanges.self, { $0.isRival(of: $1) }) { commands, client in
          commands.changed(client ?? Client(name: commands.name()), on: state)
        })
    case 4...5:
      return .project(
        command(in: state.projects, ProjectChanges.self, { $0.isRival(of: $1) }) {
          commands, project in
          commands.changed(project ?? Project(name: commands.name()), on: state)
        })
    case 6:
      return .task(
        command(in: state.tasks, ProjectTaskChanges.self, { $0.isRival(of: $1) }) {
          commands, task in
          let known = state.tasks.live(commands.id(in: state.tasks))?.project
          let project = known ?? commands.id(in: state.projects)
          return commands.changed(
            task ?? ProjectTask(name: commands.name(), project: project), on: state)
        })
    case 7:
      return .tag(
        command(in: state.tags, TagChanges.self, { $0.isRival(of: $1) }) { commands, tag in
          commands.changed(tag ?? Tag(name: commands.name()), on: state)
        })
    case 8:
      return .user(
        command(in: state.users, UserChanges.self) { commands, user in
          commands.changed(user ?? User(name: commands.name()), on: state)
        })
    case 9:
      return .preferences(
        command(in: state.preferenceSets, PreferenceSetChanges.self) { commands, set in
          let user = commands.id(in: state.users)
          return commands.changed(set ?? PreferenceSet(user: user))
        })
    case 10: return goalOrFavorite(on: state)
    default:
      return .source(
        command(in: state.externalSources, ExternalSourceChanges.self) { commands, source in
          var source = source ?? ExternalSource(name: commands.name())
          source.name = commands.name()
          return source
        })
    }
  }

  private mutating func goalOrFavorite(on state: DomainState) -> DomainCommand {
    if chance(2) {
      return .goal(
        command(in: state.goals, GoalChanges.self) { commands, goal in
          let user = commands.id(in: state.users)
          let first = Goal(name: commands.name(), user: user, target: .seconds(3_600))
          return commands.changed(goal ?? first, on: state)
        })
    }
    return .favorite(
      command(in: state.favorites, FavoriteChanges.self) { commands, favorite in
        let user = commands.id(in: state.users)
        return commands.changed(
          favorite ?? Favorite(name: commands.name(), user: user), on: state)
      })
  }

  /// Returns a command about the entities of a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - changes: The type of the changes.
  ///   - isRival: Whether an entity can be merged into another one.
  ///   - changed: Returns an entity with other fields, or a new one.
  private mutating func command<ID, Changes: EntityChanges>(
    in table: EntityTable<ID, Changes.Entity>, _ changes: Changes.Type,
    _ isRival: (Changes.Entity, Changes.Entity) -> Bool = { _, _ in true },
    _ changed: (inout RandomCommands, Changes.Entity?) -> Changes.Entity
  ) -> EntityCommand<ID, Changes> where Changes.Entity: TrackedEntity {
    let id = id(in: table)
    let reason = chance(4) ? "random" : nil
    if table.count == 0 || chance(3) { return .create(changed(&self, nil), rules: rules()) }
    switch number(0..<8) {
    case 0: return .delete(id, reason: reason)
    case 1:
      let others = (0..<8).map { _ in self.id(in: table) }
      let rival = others.first { other in
        guard let entity = table[id], let target = table[other] else { return false }
        return other != id && isRival(entity, target)
      }
      return .merge(id, into: rival ?? others[0], rules: rules(), reason: reason)
    case 2:
      let source = SourceID(value: number(0..<2))
      return .link(id, ExternalID(source: source, id: "\(number(0..<5))"))
    default:
      guard let entity = table[id] else { return .delete(id, reason: reason) }
      return .change(
        id, Changes(from: entity, to: changed(&self, entity)), rules: rules(),
        changesCurrency: chance(2), reason: reason)
    }
  }

  private mutating func rate() -> Int64? { chance(2) ? number(-1..<9) * 1_000 : nil }

  private mutating func workspace(on state: DomainState) -> WorkspaceID? {
    chance(3) ? id(in: state.workspaces) : nil
  }

  private mutating func changed(_ old: Workspace) -> Workspace {
    var new = old
    if chance(2) { new.name = name() }
    if chance(3) { new.currency = ["EUR", "USD", "euro"][Int(number(0..<3))] }
    if chance(3) { new.rate = rate() }
    if chance(4) { new.isArchived.toggle() }
    return new
  }

  private mutating func changed(_ old: Client, on state: DomainState) -> Client {
    var new = old
    if chance(2) { new.name = name() }
    if chance(3) { new.workspace = workspace(on: state) }
    if chance(4) { new.isArchived.toggle() }
    return new
  }

  private mutating func changed(_ old: Project, on state: DomainState) -> Project {
    var new = old
    if chance(2) { new.name = name() }
    if chance(3) { new.workspace = workspace(on: state) }
    if chance(3) { new.client = chance(2) ? id(in: state.clients) : nil }
    if chance(3) { new.color = Int32(number(-1..<0x100_0001)) }
    if chance(3) { new.rate = rate() }
    if chance(4) { new.estimate = chance(2) ? .seconds(number(-1..<9) * 3_600) : nil }
    if chance(3) { new.isBillable.toggle() }
    if chance(4) { new.isArchived.toggle() }
    return new
  }

  private mutating func changed(_ old: ProjectTask, on state: DomainState) -> ProjectTask {
    var new = old
    if chance(2) { new.name = name() }
    if chance(3) { new.project = id(in: state.projects) }
    if chance(3) { new.estimate = chance(2) ? .seconds(number(-1..<9) * 3_600) : nil }
    if chance(4) { new.isArchived.toggle() }
    return new
  }

  private mutating func changed(_ old: Tag, on state: DomainState) -> Tag {
    var new = old
    if chance(2) { new.name = name() }
    if chance(3) { new.workspace = workspace(on: state) }
    if chance(4) { new.isArchived.toggle() }
    return new
  }

  private mutating func changed(_ old: User, on state: DomainState) -> User {
    var new = old
    if chance(2) { new.name = name() }
    if chance(3) { new.email = chance(2) ? "\(number(0..<9))@example.org" : nil }
    if chance(3) { new.workspace = workspace(on: state) }
    if chance(3) { new.rate = rate() }
    if chance(4) { new.isArchived.toggle() }
    if chance(3) { new.confirmed = chance(2) ? World.at(Double(number(0..<9))) : nil }
    return new
  }

  private mutating func changed(_ old: PreferenceSet) -> PreferenceSet {
    var new = old
    if chance(2) { new.firstWeekday = Int32(number(-1..<8)) }
    if chance(3) { new.dayStart = .seconds(number(0..<25) * 3_600) }
    if chance(3) { new.policy = Policy.allCases[Int(number(0..<3))] }
    if chance(3) { new.zone = chance(2) ? "Europe/Berlin" : nil }
    if chance(3) { new.dateFormat = DateStyle.allCases[Int(number(0..<6))] }
    if chance(3) { new.durationFormat = RecordedDurationStyle.allCases[Int(number(0..<3))] }
    if chance(4) { new.is24Hours.toggle() }
    if chance(4) { new.groupsSimilar.toggle() }
    if chance(4) { new.isManual.toggle() }
    if chance(3) { new.asksAfter = [nil, .seconds(-1), .seconds(36_000)][Int(number(0..<3))] }
    if chance(3) { new.currency = [nil, "EUR", "USD", "euro"][Int(number(0..<4))] }
    return new
  }

  private mutating func changed(_ old: Goal, on state: DomainState) -> Goal {
    var new = old
    if chance(2) { new.name = name() }
    if chance(4) { new.user = id(in: state.users) }
    if chance(2) { new.target = .seconds(number(0..<9) * 3_600) }
    if chance(3) { new.period = GoalPeriod.allCases[Int(number(0..<3))] }
    if chance(3) { new.isLimit.toggle() }
    if chance(3) { new.project = chance(2) ? id(in: state.projects) : nil }
    if chance(3) { new.tag = chance(2) ? id(in: state.tags) : nil }
    if chance(4) { new.isArchived.toggle() }
    return new
  }

  private mutating func changed(_ old: Favorite, on state: DomainState) -> Favorite {
    var new = old
    if chance(2) { new.name = name() }
    if chance(2) { new.description = "favorite \(number(0..<9))" }
    if chance(3) { new.project = chance(2) ? id(in: state.projects) : nil }
    if chance(4) { new.task = chance(2) ? id(in: state.tasks) : nil }
    if chance(3) { new.tags = chance(2) ? [id(in: state.tags)] : [] }
    if chance(3) { new.isBillable = chance(2) ? chance(2) : nil }
    return new
  }
}

/// Commands about imports.
extension RandomCommands {
  /// Returns the next command of an import.
  mutating func importing(on state: DomainState, at now: Moment) -> ImportCommand {
    let last = state.importRuns.nextID.value
    let id = ImportRunID(value: number(max(0, last - 2)..<last + 1))
    guard let run = state.importRuns[id], !chance(5) else {
      let digest = Digest([UInt8](repeating: UInt8(number(0..<100)), count: 32).span) ?? .zero
      return .begin(source: source(on: state), file: "\(number(0..<9)).csv", digest: digest)
    }
    switch number(0..<8) {
    case 0...3:
      let first = chance(8) ? number(0..<9) : run.rows
      let count = number(1..<4)
      return .rows(id, ImportedRows(from: first, (0..<count).map { _ in row(on: state, at: now) }))
    case 4...6: return .finish(id)
    default: return .cancel(id)
    }
  }

  /// Returns a name that nothing else ever has.
  ///
  /// What an import creates stays when the import is undone. With a name that something else had
  /// before, it would keep that from being brought back.
  private mutating func importedName() -> Name {
    importedNames += 1
    return Name("imported \(importedNames)")
  }

  private mutating func source(on state: DomainState) -> Name {
    state.externalSources.live(id(in: state.externalSources))?.name ?? importedName()
  }

  private mutating func row(on state: DomainState, at now: Moment) -> ImportedRow {
    let user = state.users.live(id(in: state.users))?.name ?? importedName()
    let start = now.adding(.seconds(-number(0..<90_000)))
    var row = ImportedRow(
      id: chance(2) ? "\(number(0..<99))" : nil, user: user,
      description: "imported \(number(0..<9))", start: start,
      end: start.adding(.seconds(number(0..<9_000))), zone: .utc)
    if chance(2) {
      let project = state.projects.live(id(in: state.projects))
      let isPlain = project.map { $0.workspace == nil && $0.client == nil } ?? false
      row.project = isPlain ? project?.name : importedName()
      if !isPlain, chance(3) { row.client = importedName() }
      // Undo leaves the tasks that imports created, and what they use: here an imported project.
      if !isPlain, chance(3) { row.task = importedName() }
    }
    if chance(3) {
      let tag = state.tags.live(id(in: state.tags))
      row.tags = [tag?.workspace == nil ? tag?.name ?? importedName() : importedName()]
    }
    row.isBillable = chance(2)
    row.rate = chance(2) ? number(0..<9) * 1_000 : nil
    if chance(3) { row.annotations = ["note"] }
    return row
  }
}

/// Commands about closed periods.
extension RandomCommands {
  /// Returns a command that closes some hours of the last day, or reopens a period.
  mutating func closing(on state: DomainState, at now: Moment) -> ClosingCommand {
    if chance(2) { return .reopen(id(in: state.closings), reason: chance(2) ? "random" : nil) }
    let end = now.adding(.seconds(-number(-600..<60_000)))
    let start = end.adding(.seconds(-number(0..<30_000)))
    let scope: ClosingScope =
      switch number(0..<3) {
      case 0: .all
      case 1: .user(id(in: state.users))
      default: .client(id(in: state.clients))
      }
    return .close(
      Closing(scope, from: start, to: end, login: "anna", reason: chance(2) ? "random" : nil))
  }
}
