import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking

/// Lists and changes clients.
struct ClientsVerb: Verb {
  static let name = "clients"
  static let syntax = EntityVerbOptions.syntax(
    name, .client, "List clients, or create, rename, merge, archive and delete them.",
    """
      track clients
      track clients create "Big Bank"
      track clients rename ACME "ACME Ltd."
    """, [EntityVerbOptions.workspaceOption],
    more: """
       Two clients that both have a project of one name are merged only after those projects. The \
      name of a project that was merged counts, too.
      """)

  let options: EntityVerbOptions

  init(_ arguments: CommandArguments, in context: VerbContext) {
    options = EntityVerbOptions(arguments, in: context)
  }

  func perform() throws(ToolFailure) { try options.perform(Self.kind(options)) }

  /// The clients that options are about.
  static func kind(_ options: EntityVerbOptions) -> EntityKind<ClientID, ClientChanges> {
    EntityKind(
      noun: "client", table: { $0.clients }, command: DomainCommand.client,
      make: { (name, domain) throws(ToolFailure) in
        Client(name: name, workspace: try options.workspace(in: domain) ?? nil)
      },
      place: { (domain) throws(ToolFailure) in
        let workspace = try options.workspace(in: domain)
        return { entity in
          entity.mergedInto == nil && (workspace.map { entity.workspace == $0 } ?? true)
        }
      },
      placeOption: options.given([EntityVerbOptions.workspaceOption]).first?.name,
      given: [], set: { _, _ in },
      details: { client, domain, _ in
        domain.name(of: client.workspace).map { [EntityDetail("workspace", $0)] } ?? []
      },
      owners: { entry, aliases in aliases.client(of: entry.project).map { [$0] } ?? [] },
      target: { $1.clients.target(of: $0) },
      checkMerge: { (client, other, domain) throws(ToolFailure) in
        try domain.checkMerge(of: client, into: other)
      })
  }
}
