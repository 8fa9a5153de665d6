import Retrace

struct Contacts: UpdatingReducer {
  struct State: RecordedState, Composed, ReportsMissingTarget, SingleScene {
    var contacts: EntityTable<ContactID, Contact> = EntityTable()
    var sheet: ContactForm.State?
    var missing: MissingTarget?

    mutating func targetWasMissing(_ target: MissingTarget) { missing = target }
  }

  enum Action: Recordable, Equatable, Composed {
    case addTapped
    case deleteTapped(ContactID)
    case sheet(ContactForm.Action)
    case sheetDismissed
  }

  var body: some Reducer<State, Action, ContactServer> {
    Update(self)
      .ifLet({ $0.sheet }, action: { $0.sheet }) { ContactForm() }
  }

  func update(_ state: inout State, _ action: Action, at moment: Moment) -> EffectOf<Self> {
    switch action {
    case .addTapped: state.sheet = ContactForm.State(name: TextDraft(), email: TextDraft())
    case .deleteTapped(let id): state.contacts.remove(id)
    case .sheet(.saved(let contact)):
      guard case .some = state.sheet else { break }
      state.contacts.insert(contact)
      state.sheet = nil
    case .sheet: break
    case .sheetDismissed: state.sheet = nil
    }
    return .none
  }
}

struct ContactForm: Reducer {
  struct State: Recordable, Equatable {
    var name: TextDraft
    var email: TextDraft
    var isSaving: Bool = false
    var problem: String?

    var isValid: Bool { !name.text.isEmpty && email.text.utf8.contains(UInt8(ascii: "@")) }
  }

  enum Action: Recordable, Equatable {
    case nameEdited(TextReplacement)
    case emailEdited(TextReplacement)
    case saveTapped
    case saved(Contact)
    case saveFailed(String)
  }

  func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, ContactServer> {
    switch action {
    case .nameEdited(let edit): state.name.apply(edit)
    case .emailEdited(let edit): state.email.apply(edit)
    case .saveTapped:
      state.problem = state.isValid ? nil : "Enter a name and an email address."
      guard state.isValid, !state.isSaving else { return .none }
      state.isSaving = true
      let contact = Contact(name: state.name.text, email: state.email.text)
      return .run(SaveContact(contact: contact))
    case .saved: state.isSaving = false
    case .saveFailed(let reason):
      state.isSaving = false
      state.problem = reason
    }
    return .none
  }
}

struct SaveContact: EffectLeaf {
  var contact: Contact

  func run(in server: ContactServer) async throws -> [ContactForm.Action] {
    do {
      try await server.save(contact)
      return [.saved(contact)]
    } catch {
      return [.saveFailed("\(error)")]
    }
  }
}

struct ContactID: EntityID { var value: Int64 }

struct Contact: TableEntity {
  var name: String
  var email: String
}

struct ContactServer: Sendable {
  var save: @Sendable (Contact) async throws -> Void
}
