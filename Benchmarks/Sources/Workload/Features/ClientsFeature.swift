public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Clients.
public enum ClientsAction: Recordable, Codable {
  /// A client was added.
  case created(String)
  /// Another name.
  case renamed(ClientID, String)
  /// The client was archived.
  case archived(ClientID)
  /// Another rate, in cents an hour.
  case rated(ClientID, Int64)
  /// Other notes.
  case noted(ClientID, String)
  /// Billed an amount, in cents.
  case billed(ClientID, Int64)
}

/// A client.
public struct Client: TableEntity {
  /// The name.
  public var name: String
  /// Notes.
  public var notes: String
  /// The rate, in cents an hour.
  public var rate: Int64
  /// What was billed, in cents.
  public var billed: Int64
  /// Whether the client is archived.
  public var isArchived: Bool
}

/// The clients.
public struct Clients: RecordedState {
  /// The clients.
  public var table: EntityTable<ClientID, Client> = EntityTable()
  /// How many actions named a client that is not there.
  public var missing: Int64 = 0

  /// Makes an empty list.
  public init() {}
}

extension Clients {
  mutating func create(_ name: String) {
    table.insert(Client(name: name, notes: "", rate: 0, billed: 0, isArchived: false))
  }

  @inline(__always)
  mutating func change(_ id: ClientID, _ body: (inout Client) -> Void) {
    if table.modify(id, { body(&$0) }) == nil { missing &+= 1 }
  }
}

/// Reduces ``ClientsAction``.
public struct ClientsReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes the list.
  public func reduce(
    _ state: inout Clients, _ action: ClientsAction, at moment: Moment
  ) -> Effect<ClientsAction, Never> {
    switch action {
    case .created(let name): state.create(name)
    case .renamed(let id, let name): state.change(id) { $0.name = name }
    case .archived(let id): state.change(id) { $0.isArchived = true }
    case .rated(let id, let rate): state.change(id) { $0.rate = rate }
    case .noted(let id, let notes): state.change(id) { $0.notes = notes }
    case .billed(let id, let amount): state.change(id) { $0.billed &+= amount }
    }
    return .none
  }
}
