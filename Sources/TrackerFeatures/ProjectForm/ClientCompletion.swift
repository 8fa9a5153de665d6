import Retrace
import TimeTracking

/// The clients that the text of a form may mean, and the one that was chosen.
struct ClientCompletion {
  /// The most suggestions.
  private static var suggestionsMax: Int { 9 }

  /// The names of the suggested clients, with that of a new one last.
  let names: [String]
  /// The place of the chosen one.
  let chosen: Int
  /// Whether the last one is a new client.
  private let hasNew: Bool

  /// Finds the clients; `nil` if the focus is elsewhere, or if the text is the only one.
  ///
  /// - Complexity: O(clients log clients).
  init?(_ route: ProjectFormRoute, in domain: DomainState) {
    guard route.field == .client else { return nil }
    let (text, typed) = (route.client.text, Name(route.client.text))
    // No client has a name that long.
    guard typed.text.utf8.count <= Name.bytesMax else { return nil }
    var (names, hasNew) = ([String](), false)
    for suggestion in domain.clientSuggestions(for: text, in: route.workspace(in: domain)) {
      switch suggestion {
      case .client(let id?):
        let name = domain.clients.read(id) { $0.name.text }
        if let name, names.count < Self.suggestionsMax, !name.hasBytes(of: text) {
          names.append(name)
        }
      case .createClient(let name):
        names.append(name.text)
        hasNew = true
      case .client(nil), .workspace: break
      }
    }
    if names.isEmpty { return nil }
    (self.names, self.hasNew) = (names, hasNew)
    chosen = Int(clamping: max(0, route.suggestion)) % names.count
  }

  /// Whether the chosen one is a new client.
  var isNew: Bool { hasNew && chosen == names.count - 1 }

  /// Returns the steps that accept the chosen client; a new one is made.
  func steps(in route: ProjectFormRoute, _ domain: DomainState) -> [KeyStep] {
    let name = names[chosen]
    let edit = KeyStep.screen(.projectForm(.edited(.client, route.client.replacing(with: name))))
    guard isNew else { return [edit] }
    let client = Client(name: Name(name), workspace: route.workspace(in: domain))
    return [.command(.client(.create(client))), edit]
  }

  /// Returns the line that shows the chosen client.
  func line(fitting columns: Int) -> Screen.Line {
    let rest = names.count > 1 ? ", ctrl-n: next of \(names.count)" : ""
    let keys = isNew ? "  a new client; right makes it\(rest)" : "  right: accept\(rest)"
    let room = max(0, columns - TextWidth.of(keys) - 2)
    return Screen.Line([
      Screen.Run("→ \(TextWidth.cut(SafeText.line(names[chosen]), to: room))", .strong),
      Screen.Run(keys, .faint),
    ])
  }
}
