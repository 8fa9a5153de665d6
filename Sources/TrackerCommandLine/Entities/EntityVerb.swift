import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// A verb about a kind of named entities, such as `projects`: it lists them, or creates or changes
/// one of them.
protocol EntityVerb: Verb {
  associatedtype ID: EntityID
  associatedtype Changes: EntityChanges where Changes.Entity: NamedEntity & Archivable
  typealias Entity = Changes.Entity

  /// The name of one of the entities.
  static var noun: String { get }
  /// Whether entities can be merged.
  static var canMerge: Bool { get }
  /// The option that takes a duration, if any.
  static var durationOption: CommandOption? { get }
  /// The options that set fields.
  static var fields: [CommandOption] { get }
  /// The option that names the place of an entity: its workspace, its project or its user; `nil` if
  /// the entities have no place.
  static var placeOption: CommandOption? { get }
  /// The option that chooses among entities of one name.
  static var choosingOption: CommandOption { get }

  /// The options that are given.
  var options: EntityVerbOptions { get }

  /// Creates the verb from options, which may belong to another verb that names an entity of this
  /// kind.
  init(_ options: EntityVerbOptions)

  /// Returns the table of the entities.
  func table(in domain: DomainState) -> EntityTable<ID, Entity>
  /// Returns a command about one of the entities as a command of the domain.
  func domainCommand(_ command: EntityCommand<ID, Changes>) -> DomainCommand
  /// Returns a new entity.
  func entity(named name: Name, in domain: DomainState) throws(ToolFailure) -> Entity
  /// Sets the fields that the options give.
  func setFields(of entity: inout Entity, in domain: DomainState) throws(ToolFailure)
  /// Returns the entity that setting its fields creates; `nil` if the entity has to exist.
  func created(bySetting name: String, in domain: DomainState) throws(ToolFailure) -> Entity?
  /// Returns the details of an entity in a list, besides its name.
  ///
  /// - Parameter longNames: The long names of projects that share their names.
  func details(
    of entity: Entity, in domain: DomainState, _ longNames: [ProjectID: String]
  ) -> [EntityDetail]
  /// Returns the project whose name is among the details; `nil` if none is.
  func project(of entity: Entity) -> ProjectID?

  /// Returns the test whether an entity is in the place that the options name.
  func place(in domain: DomainState) throws(ToolFailure) -> (Entity) -> Bool
  /// Returns the entities that another form of a name means, such as CLIENT/PROJECT.
  func others(named text: String, in domain: DomainState) -> [ID]
  /// Returns the name that distinguishes an entity from others of its name; `nil` without one.
  func qualifiedName(of entity: Entity, in domain: DomainState) -> String?
  /// Returns the entities that an entry refers to, after all merges.
  func owners(of entry: TimeEntry, _ aliases: inout AliasResolver) -> [ID]
  /// Returns the entity that another one was merged into; `nil` if it was not merged.
  func target(of id: ID, in domain: DomainState) -> ID?

  /// Returns the command that creates the entity to which a new or a changed one refers; `nil` if
  /// it exists, or for other operations.
  func needed(
    for operation: EntityOperation, in domain: DomainState
  ) throws(ToolFailure) -> DomainCommand?
  /// Returns the notes to print about an entity that was created or whose fields were set.
  ///
  /// - Parameters:
  ///   - id: The id of the entity.
  ///   - before: The entity before; `nil` for a new one.
  ///   - after: The entity after it.
  ///   - domain: The entities after it.
  func remarks(
    on id: ID, from before: Entity?, to after: Entity, in domain: DomainState
  ) -> [String]
  /// Refuses to delete an entity to which entries refer and will refer; does nothing by default.
  func checkDeletion(of id: ID, in domain: DomainState) throws(ToolFailure)
  /// Returns advice for a merge that is refused because parts have the same names; `nil` if none
  /// do.
  func adviceOnMerge(of id: ID, into other: ID, in domain: DomainState) -> String?
}

extension EntityVerb {
  static var canMerge: Bool { true }
  static var durationOption: CommandOption? { nil }
  static var fields: [CommandOption] { [] }
  static var placeOption: CommandOption? { nil }
  static var choosingOption: CommandOption { EntityVerbOptions.workspaceOption }

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.init(EntityVerbOptions(arguments, in: context))
  }

  func setFields(of entity: inout Entity, in domain: DomainState) throws(ToolFailure) {}
  func created(bySetting name: String, in domain: DomainState) throws(ToolFailure) -> Entity? {
    nil
  }
  func project(of entity: Entity) -> ProjectID? { nil }
  func place(in domain: DomainState) throws(ToolFailure) -> (Entity) -> Bool { { _ in true } }
  func others(named text: String, in domain: DomainState) -> [ID] { [] }
  func qualifiedName(of entity: Entity, in domain: DomainState) -> String? { nil }
  func owners(of entry: TimeEntry, _ aliases: inout AliasResolver) -> [ID] { [] }
  func target(of id: ID, in domain: DomainState) -> ID? { nil }
  func needed(
    for operation: EntityOperation, in domain: DomainState
  ) throws(ToolFailure) -> DomainCommand? { nil }
  func remarks(
    on id: ID, from before: Entity?, to after: Entity, in domain: DomainState
  ) -> [String] { [] }
  func checkDeletion(of id: ID, in domain: DomainState) throws(ToolFailure) {}
  func adviceOnMerge(of id: ID, into other: ID, in domain: DomainState) -> String? { nil }

  /// Returns the test whether an entity that was not merged is in the workspace of the options.
  func isInWorkspace(
    _ workspace: @escaping (Entity) -> WorkspaceID?, in domain: DomainState
  ) throws(ToolFailure) -> (Entity) -> Bool where Entity: MergeableEntity {
    let wanted = try options.workspace(in: domain)
    return { entity in
      entity.mergedInto == nil && (wanted.map { workspace(entity) == $0 } ?? true)
    }
  }
}

/// An entity that can be archived.
protocol Archivable {
  /// Whether it is archived: kept, but no longer offered.
  var isArchived: Bool { get set }
}

extension Project: Archivable {}
extension Client: Archivable {}
extension Tag: Archivable {}
extension ProjectTask: Archivable {}
extension User: Archivable {}
extension Workspace: Archivable {}
extension Goal: Archivable {}

extension EntityTable where Entity: MergeableEntity, Entity.ID == ID {
  /// Returns the entity that an entity was merged into, after all merges; `nil` if it was not.
  func target(of id: ID) -> ID? { read(id) { $0.mergedInto != nil } == true ? resolve(id) : nil }
}
