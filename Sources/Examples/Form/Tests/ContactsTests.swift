import Retrace
import RetraceTestSupport
import Testing

@testable import ContactList

@Suite struct ContactsTests {
  private static let ada = Contact(name: "Ada", email: "ada@example.org")

  private struct Offline: Error {}

  /// Returns a store with the sheet filled in and the request sent.
  private func saving() throws -> TestStore<ContactsApp> {
    var store = TestStore<ContactsApp>()
    try store.send(.addTapped) {
      $0.sheet = ContactForm.State(name: TextField(), email: TextField())
    }
    try store.send(.sheet(.nameEdited(.insert("Ada")))) { $0.sheet?.name = TextField("Ada") }
    try store.send(.sheet(.emailEdited(.insert("ada@example.org")))) {
      $0.sheet?.email = TextField("ada@example.org")
    }
    try store.send(.sheet(.saveTapped), effect: Self.request) { $0.sheet?.isSaving = true }
    return store
  }

  private static var request: EffectOf<Contacts> {
    EffectOf<ContactForm>.run(SaveContact(contact: ada))
      .map(CaseEmbedding<Contacts.Action.Parts._sheet>())
  }

  @Test func `a saved contact is in the list, and the sheet is gone`() async throws {
    var store = try saving()
    let server = ContactServer { contact in #expect(contact == Self.ada) }
    try await store.run("SaveContact", in: server, sending: [.sheet(.saved(Self.ada))]) {
      $0.contacts.insert(Self.ada)
      $0.sheet = nil
    }
    try store.send(.deleteTapped(ContactID(value: 0))) {
      $0.contacts.remove(ContactID(value: 0))
    }
    try store.finish()
  }

  @Test func `a form that is not valid sends no request`() throws {
    var store = TestStore<ContactsApp>()
    try store.send(.addTapped) {
      $0.sheet = ContactForm.State(name: TextField(), email: TextField())
    }
    try store.send(.sheet(.emailEdited(.insert("ada")))) { $0.sheet?.email = TextField("ada") }
    try store.send(.sheet(.saveTapped)) {
      $0.sheet?.problem = "Enter a name and an email address."
    }
    try store.finish()
  }

  @Test func `a failed request leaves the sheet with its problem, and can be repeated`()
    async throws
  {
    var store = try saving()
    try store.send(.sheet(.saveTapped))
    let server = ContactServer { _ in throw Offline() }
    try await store.run("SaveContact", in: server) {
      $0.sheet?.isSaving = false
      $0.sheet?.problem = "Offline()"
    }
    try store.send(.sheet(.saveTapped), effect: Self.request) {
      $0.sheet?.isSaving = true
      $0.sheet?.problem = nil
    }
  }

  @Test func `an answer after the sheet was dismissed changes nothing in the list`() async throws {
    var store = try saving()
    try store.send(.sheetDismissed) { $0.sheet = nil }
    try store.send(.sheet(.saveFailed("late"))) {
      $0.missing = MissingTarget(type: "ContactForm_State")
    }
  }
}
