import Retrace
import RetraceTesting
import Testing

@testable import ContactList

@Suite struct ContactsTests {
  private static let ada = Contact(name: "Ada", email: "ada@example.org")

  private struct Offline: Error {}

  /// Returns the edit of a user who types a text into an empty field.
  private static func typed(_ text: String) -> TextReplacement {
    TextDraft().replacement(for: .insert(text))
  }

  /// Returns a store with the sheet filled in and the request sent.
  private func saving() throws -> TestStore<ContactsApp> {
    var store = TestStore<ContactsApp>()
    try store.send(.addTapped) {
      $0.sheet = ContactForm.State(name: TextDraft(), email: TextDraft())
    }
    try store.send(.sheet(.nameEdited(Self.typed("Ada")))) { $0.sheet?.name = TextDraft("Ada") }
    try store.send(.sheet(.emailEdited(Self.typed("ada@example.org")))) {
      $0.sheet?.email = TextDraft("ada@example.org")
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
      $0.sheet = ContactForm.State(name: TextDraft(), email: TextDraft())
    }
    try store.send(.sheet(.emailEdited(Self.typed("ada")))) { $0.sheet?.email = TextDraft("ada") }
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

  @Test(arguments: [ContactForm.Action.saveFailed("late"), .saved(ada)])
  func `an answer after the sheet was dismissed changes nothing in the list`(
    answer: ContactForm.Action
  ) throws {
    var store = try saving()
    try store.send(.sheetDismissed) { $0.sheet = nil }
    try store.send(.sheet(answer)) {
      $0.missing = MissingTarget(type: "ContactForm_State")
    }
  }
}
