import RetraceArchitecture
import RetraceAvro
import RetraceCommandLine
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// What can be done with the projects, clients, tags, tasks or workspaces of a store.
enum RecordChange {
  case create(String)
  case rename(String, to: String)
  case merge(String, into: String)
  case archive(String, isArchived: Bool)
  case delete(String)

  /// Reads the words after the name of a command; `nil` for a list.
  init?(_ words: [String]) throws(ToolFailure) {
    guard let verb = words.first else { return nil }
    let names = words.dropFirst()
    func name(_ index: Int) throws(ToolFailure) -> String {
      guard names.count > index else {
        throw .usage("The name is missing.", advice: "Write it after `\(verb)`.")
      }
      return names[names.startIndex + index]
    }
    let expected: Int
    switch verb {
    case "create": (self, expected) = (.create(try name(0)), 1)
    case "rename": (self, expected) = (.rename(try name(0), to: try name(1)), 2)
    case "merge": (self, expected) = (.merge(try name(0), into: try name(1)), 2)
    case "archive": (self, expected) = (.archive(try name(0), isArchived: true), 1)
    case "restore": (self, expected) = (.archive(try name(0), isArchived: false), 1)
    case "delete": (self, expected) = (.delete(try name(0)), 1)
    default:
      let verbs = ["create", "rename", "merge", "archive", "restore", "delete"]
      let similar = Spelling.nearest(to: verb, in: verbs).map { "Did you mean \($0)? " } ?? ""
      throw .usage(
        "\(verb) is not understood here.",
        advice: "\(similar)Write one of \(verbs.joined(separator: ", ")).")
    }
    guard names.count == expected else {
      throw .usage(
        "There are too many names.", advice: "Quote a name that has blanks.")
    }
  }
}

/// A kind of named entities, as the commands about them need it.
struct RecordKind<Module: EntityModule, Entity: NamedEntity>
where Module.Changes: EntityChanges, Module.Changes.Entity == Entity {
  /// The name of one of them.
  let noun: String
  /// The table.
  let table: KeyPath<DomainState, EntityTable<Module.ID, Entity>>
  /// Returns a new entity.
  let make: (Name) -> Entity
  /// Returns the domain's command.
  let command: (RecordCommand<Module.ID, Module.Changes>) -> DomainCommand
  /// Returns the changes of the name and of whether it is archived.
  let changes: (_ name: Change<Name>?, _ isArchived: Change<Bool>?) -> Module.Changes
  /// Whether an entity is archived.
  let isArchived: KeyPath<Entity, Bool>
  /// Whether an entity is in the place that the options name.
  let isIn: (Entity) -> Bool
  /// What a list says of an entity besides its name.
  let details: (Entity, DomainState) -> [(name: String, value: String)]

  /// Returns the id of an entity by its name.
  func id(of text: String, in domain: DomainState) throws(ToolFailure) -> Module.ID {
    let name = Name(text)
    var found: Module.ID?
    var names: [String] = []
    domain[keyPath: table].forEach { id, entity in
      guard entity.deleted == nil, isIn(entity) else { return }
      names.append(entity.name.text)
      if found == nil, entity.name == name { found = id }
    }
    if let found { return found }
    let similar = Spelling.nearest(to: text, in: names).map { "Did you mean \($0)? " } ?? ""
    throw ToolFailure(
      what: "Nothing was changed.", why: "There is no \(noun) \(text).",
      advice: "\(similar)`track \(noun)s` lists them.", exitCode: ToolExit.refused)
  }

  /// Returns the command of a change.
  func command(
    for change: RecordChange, in domain: DomainState
  ) throws(ToolFailure) -> DomainCommand {
    let record: RecordCommand<Module.ID, Module.Changes>
    switch change {
    case .create(let name): record = .create(make(Name(name)))
    case .rename(let name, to: let new):
      let id = try id(of: name, in: domain)
      let before = domain[keyPath: table][id]?.name ?? Name(name)
      record = .change(id, changes(Change(from: before, to: Name(new)), nil), reason: nil)
    case .merge(let name, into: let other):
      record = .merge(
        try id(of: name, in: domain), into: try id(of: other, in: domain), reason: nil)
    case .archive(let name, let isArchived):
      record = .change(
        try id(of: name, in: domain),
        changes(nil, Change(from: !isArchived, to: isArchived)), reason: nil)
    case .delete(let name): record = .delete(try id(of: name, in: domain), reason: nil)
    }
    return command(record)
  }

  /// Performs the change, or lists the entities.
  func perform(
    _ change: RecordChange?, _ options: TrackerOptions, all: Bool
  ) throws(ToolFailure) {
    guard let change else { return try list(options, all: all) }
    let tracker: TrackerStore
    if case .create = change {
      tracker = try options.open(creating: true)
    } else {
      tracker = try options.open(creating: false)
    }
    let domain = tracker.domain
    do throws(ToolFailure) {
      let command = try command(for: change, in: domain)
      do throws(CommandError<TimeTracker>) {
        let performed = try tracker.performAndClose(command)
        print(change, options, performed.receipt.sequence)
      } catch {
        throw ToolFailure("Nothing was changed.", error, in: domain)
      }
    } catch {
      try? tracker.store.closeBlocking()
      throw error
    }
  }

  private func print(_ change: RecordChange, _ options: TrackerOptions, _ sequence: UInt64) {
    if options.json { return Output.print(["sequence": .integer(Int64(sequence))]) }
    switch change {
    case .create(let name): Output.print("created   \(name)")
    case .rename(let name, to: let new): Output.print("renamed   \(name) to \(new)")
    case .merge(let name, into: let other): Output.print("merged    \(name) into \(other)")
    case .archive(let name, let isArchived):
      Output.print("\(isArchived ? "archived" : "restored")  \(name)")
    case .delete(let name): Output.print("deleted   \(name)")
    }
  }

  private func list(_ options: TrackerOptions, all: Bool) throws(ToolFailure) {
    let rows: [(id: Int64, entity: Entity, details: [(name: String, value: String)])] =
      try options.read { domain in
        var rows: [(id: Int64, entity: Entity, details: [(name: String, value: String)])] = []
        domain[keyPath: table].forEach { id, entity in
          guard entity.deleted == nil, isIn(entity), all || !entity[keyPath: isArchived] else {
            return
          }
          rows.append((id.value, entity, details(entity, domain)))
        }
        return .success(rows)
      }
    let sorted = rows.sorted { $0.entity.name.key < $1.entity.name.key }
    if options.json {
      return Output.print(
        .array(
          sorted.map { row in
            .object(
              [
                .init("id", .integer(row.id)), .init("name", .string(row.entity.name.text)),
                .init("archived", .bool(row.entity[keyPath: isArchived])),
              ] + row.details.map { .init($0.name, .string($0.value)) })
          }))
    }
    if sorted.isEmpty { Output.print("There are no \(noun)s.") }
    for row in sorted {
      var line = row.entity.name.text
      for detail in row.details { line += "  \(detail.name) \(detail.value)" }
      if row.entity[keyPath: isArchived] { line += "  archived" }
      Output.print(line)
    }
  }
}

/// The parts that the commands about named entities share.
private enum Records {
  static let allOption = CommandOption("all", "List archived ones too.")
  static let operands = [
    CommandOperand(
      "words", isOptional: true, repeats: true,
      "create NAME, rename NAME NEW, merge NAME OTHER, archive NAME, restore NAME or delete NAME.")
  ]
  static let options = TrackerOptions.withClock + [allOption]

  static func syntax(_ name: String, _ summary: String, _ examples: String) -> CommandSyntax {
    CommandSyntax(
      "track \(name)", summary: summary,
      discussion: """
        Without words they are listed. What is merged is an alias of the other from then on. What \
        is archived keeps its entries, and is not listed or suggested any more.

        EXAMPLES
        \(examples)
        """,
      operands: operands, options: options)
  }
}

/// Lists and changes projects.
struct ProjectsCommand: TrackCommand {
  static let name = "projects"
  static let clientOption = CommandOption("client", value: "name", "The client of a new project.")
  static let rateOption = CommandOption(
    "rate", value: "amount", "The price of an hour of a new project, such as 85 or 85.50.")
  static let syntax: CommandSyntax = {
    let base = Records.syntax(
      name, "List projects, or create, rename, merge, archive and delete them.",
      """
        track projects
        track projects create "big project" --client ACME --rate 85
        track projects merge thesys thesis
      """)
    return CommandSyntax(
      base.name, summary: base.summary, discussion: base.discussion, operands: base.operands,
      options: base.options + [clientOption, rateOption, DraftOptions.billableOption])
  }()

  let arguments: CommandArguments

  init(_ arguments: CommandArguments) { self.arguments = arguments }

  func perform() throws(ToolFailure) {
    let options = TrackerOptions(arguments)
    var client: ClientID?
    if let name = arguments[Self.clientOption] {
      client = try options.read { domain in
        Result { () throws(ToolFailure) in try ClientsCommand.kind.id(of: name, in: domain) }
      }
    }
    let rate = try rate()
    let isBillable = arguments.has(DraftOptions.billableOption)
    let kind = RecordKind<Projects, Project>(
      noun: "project", table: \.projects,
      make: { name in
        var project = Project(name: name, client: client)
        project.rate = rate
        project.isBillable = isBillable || rate != nil
        return project
      },
      command: DomainCommand.project,
      changes: { name, isArchived in
        var changes = ProjectChanges()
        changes.name = name
        changes.isArchived = isArchived
        return changes
      },
      isArchived: \.isArchived, isIn: { $0.mergedInto == nil },
      details: { project, domain in
        var details: [(name: String, value: String)] = []
        if let client = project.client.flatMap({ domain.clients.resolve($0) }),
          let name = domain.clients.read(client, { $0.name.text })
        {
          details.append(("client", name))
        }
        if let rate = project.rate {
          let cents = rate % 100
          details.append(("rate", "\(rate / 100).\(cents < 10 ? "0" : "")\(cents)"))
        }
        return details
      })
    try kind.perform(
      try RecordChange(arguments.operands), options, all: arguments.has(Records.allOption))
  }

  private func rate() throws(ToolFailure) -> Int64? {
    guard let text = arguments[Self.rateOption] else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39) ~= $0 } }
    guard isNumber, parts.count <= 2, let whole = Int64(parts[0]), whole < 1_000_000_000,
      parts.count == 1 || parts[1].utf8.count <= 2
    else {
      throw .usage("--rate is no amount: \(text).", advice: "Give one such as 85 or 85.50.")
    }
    guard parts.count == 2, let cents = Int64(parts[1]) else { return whole * 100 }
    return whole * 100 + (parts[1].utf8.count == 1 ? cents * 10 : cents)
  }
}

/// Lists and changes clients.
struct ClientsCommand: TrackCommand {
  static let name = "clients"
  static let syntax = Records.syntax(
    name, "List clients, or create, rename, merge, archive and delete them.",
    """
      track clients
      track clients create ACME
      track clients rename ACME "ACME Ltd."
    """)

  static var kind: RecordKind<Clients, Client> {
    RecordKind(
      noun: "client", table: \.clients, make: { Client(name: $0) }, command: DomainCommand.client,
      changes: { name, isArchived in
        var changes = ClientChanges()
        changes.name = name
        changes.isArchived = isArchived
        return changes
      },
      isArchived: \.isArchived, isIn: { $0.mergedInto == nil }, details: { _, _ in [] })
  }

  let arguments: CommandArguments

  init(_ arguments: CommandArguments) { self.arguments = arguments }

  func perform() throws(ToolFailure) {
    try Self.kind.perform(
      try RecordChange(arguments.operands), TrackerOptions(arguments),
      all: arguments.has(Records.allOption))
  }
}

/// Lists and changes tags.
struct TagsCommand: TrackCommand {
  static let name = "tags"
  static let syntax = Records.syntax(
    name, "List tags, or create, rename, merge, archive and delete them.",
    """
      track tags
      track tags rename metting meeting
      track tags merge mtg meeting
    """)

  let arguments: CommandArguments

  init(_ arguments: CommandArguments) { self.arguments = arguments }

  func perform() throws(ToolFailure) {
    let kind = RecordKind<Tags, Tag>(
      noun: "tag", table: \.tags, make: { Tag(name: $0) }, command: DomainCommand.tag,
      changes: { name, isArchived in
        var changes = TagChanges()
        changes.name = name
        changes.isArchived = isArchived
        return changes
      },
      isArchived: \.isArchived, isIn: { $0.mergedInto == nil }, details: { _, _ in [] })
    try kind.perform(
      try RecordChange(arguments.operands), TrackerOptions(arguments),
      all: arguments.has(Records.allOption))
  }
}
