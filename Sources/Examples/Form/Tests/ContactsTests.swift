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
    store.send(.addTapped) {
      $0.sheet = ContactForm.State(name: TextDraft(), email: TextDraft())
    }
    store.send(.sheet(.nameEdited(Self.typed("Ada")))) { $0.sheet?.name = TextDraft("Ada") }
    store.send(.sheet(.emailEdited(Self.typed("ada@example.org")))) {
      $0.sheet?.email = TextDraft("ada@example.org")
    }
    store.send(.sheet(.saveTapped), effect: Self.request) { $0.sheet?.isSaving = true }
    return store
  }

  @Test func `a store with an environment receives what effects answer`() async {
    let server = ContactServer { _ in }
    let form = ContactForm.State(name: TextDraft("Ada"), email: TextDraft("ada@example.org"))
    var store = TestStore<ContactsApp>(environment: server)
    store.send(.addTapped) { $0.sheet = ContactForm.State(name: TextDraft(), email: TextDraft()) }
    store.send(.sheetDismissed) { $0.sheet = nil }
    store = TestStore<ContactsApp>(state: Contacts.State(sheet: form), environment: server)
    store.send(.sheet(.saveTapped)) { $0.sheet?.isSaving = true }
    await store.receive(.sheet(.saved(Self.ada)), after: .seconds(1)) {
      $0.contacts.insert(Self.ada)
      $0.sheet = nil
    }
    store.environment = ContactServer { _ in throw Offline() }
    store.isExhaustive = false
    store.send(.addTapped)
    store.finish()
  }

  @Test func `an answer is named by its case or by a predicate, skipped or awaited`() async {
    let form = ContactForm.State(name: TextDraft("Ada"), email: TextDraft("ada@example.org"))
    let server = ContactServer { _ in throw Offline() }
    var store = TestStore<ContactsApp>(state: Contacts.State(sheet: form), environment: server)
    store.isExhaustive = false
    store.send(.sheet(.saveTapped))
    await store.receive(case: "sheet.saveFailed") { $0.sheet?.problem = "Offline()" }
    store.send(.sheet(.saveTapped))
    await store.receive(where: { $0 == .sheet(.saveFailed("Offline()")) })
    store.send(.sheet(.saveTapped))
    await store.settle()
    await store.skipReceivedActions()
    store.assert { $0.sheet?.isSaving = false }
    store.finish()
  }

  @Test func `a form is tested alone, in one line or step by step`() async {
    let form = ContactForm.State(name: TextDraft("Ada"), email: TextDraft("ada@example.org"))
    ContactForm().testReduce(form, .saveFailed("late")) { $0.problem = "late" }
    await assert(
      initialValue: form, reducer: ContactForm(), environment: ContactServer { _ in },
      steps: .send(.saveTapped) { $0.isSaving = true },
      .receive(.saved(Self.ada)) { $0.isSaving = false })
  }

  private static var request: EffectOf<Contacts> {
    EffectOf<ContactForm>.run(SaveContact(contact: ada))
      .map(CaseEmbedding<Contacts.Action.Parts._sheet>())
  }

  @Test func `a saved contact is in the list, and the sheet is gone`() async throws {
    var store = try saving()
    let server = ContactServer { contact in #expect(contact == Self.ada) }
    await store.run("SaveContact", in: server, sending: [.sheet(.saved(Self.ada))]) {
      $0.contacts.insert(Self.ada)
      $0.sheet = nil
    }
    store.send(.deleteTapped(ContactID(value: 0))) {
      $0.contacts.remove(ContactID(value: 0))
    }
    store.finish()
  }

  @Test func `a form that is not valid sends no request`() throws {
    var store = TestStore<ContactsApp>()
    store.send(.addTapped) {
      $0.sheet = ContactForm.State(name: TextDraft(), email: TextDraft())
    }
    store.send(.sheet(.emailEdited(Self.typed("ada")))) { $0.sheet?.email = TextDraft("ada") }
    store.send(.sheet(.saveTapped)) {
      $0.sheet?.problem = "Enter a name and an email address."
    }
    store.finish()
  }

  @Test func `a failed request leaves the sheet with its problem, and can be repeated`()
    async throws
  {
    var store = try saving()
    store.send(.sheet(.saveTapped))
    let server = ContactServer { _ in throw Offline() }
    await store.run("SaveContact", in: server) {
      $0.sheet?.isSaving = false
      $0.sheet?.problem = "Offline()"
    }
    store.send(.sheet(.saveTapped), effect: Self.request) {
      $0.sheet?.isSaving = true
      $0.sheet?.problem = nil
    }
  }

  @Test(arguments: [ContactForm.Action.saveFailed("late"), .saved(ada)])
  func `an answer after the sheet was dismissed changes nothing in the list`(
    answer: ContactForm.Action
  ) throws {
    var store = try saving()
    store.send(.sheetDismissed) { $0.sheet = nil }
    store.send(.sheet(answer)) {
      $0.missing = MissingTarget(type: "ContactForm_State")
    }
  }
}
