import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Lists and changes clients.
struct ClientsVerb: EntityVerb {
  static let name = "clients"
  static let syntax = EntityVerbOptions.syntax(
    name, .client, "List clients, or create, rename, merge, archive and delete them.",
    """
      track clients
      track clients create "Big Bank"
      track clients rename ACME "ACME Ltd."
    """, [EntityVerbOptions.workspaceOption],
    more: """
       Two clients with projects of the same name are merged only after these projects. The names \
      of merged projects count, too.
      """)

  static let noun = "client"
  static let placeOption: CommandOption? = EntityVerbOptions.workspaceOption

  let options: EntityVerbOptions

  init(_ options: EntityVerbOptions) { self.options = options }

  func table(in domain: DomainState) -> EntityTable<ClientID, Client> { domain.clients }

  func domainCommand(_ command: EntityCommand<ClientID, ClientChanges>) -> DomainCommand {
    .client(command)
  }

  func entity(named name: Name, in domain: DomainState) throws(ToolFailure) -> Client {
    Client(name: name, workspace: try options.workspace(in: domain) ?? nil)
  }

  func details(
    of client: Client, in domain: DomainState, _ longNames: [ProjectID: String]
  ) -> [EntityDetail] { domain.details(of: client) }

  func place(in domain: DomainState) throws(ToolFailure) -> (Client) -> Bool {
    try isInWorkspace({ $0.workspace }, in: domain)
  }

  func owners(of entry: TimeEntry, _ aliases: inout AliasResolver) -> [ClientID] {
    aliases.client(of: entry.project).map { [$0] } ?? []
  }

  func target(of id: ClientID, in domain: DomainState) -> ClientID? {
    domain.clients.target(of: id)
  }

  func adviceOnMerge(
    of id: ClientID, into other: ClientID, in domain: DomainState
  ) -> String? { domain.advice(onProjectsOf: id, and: other) }
}
