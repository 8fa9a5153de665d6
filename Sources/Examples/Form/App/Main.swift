import Foundation
import Retrace
import RetraceRecording
import RetraceReplayTool

/// The app and its replay tool: `contacts record STORE WORD…` sends the actions in its arguments,
/// and every other command is one of the tool.
///
/// `add` opens the sheet, `name=TEXT` and `email=TEXT` type into it, `save` saves it, `dismiss`
/// closes it, and `delete=ID` deletes a contact.
@main
enum Main {
  private enum Replay: ReplayTool { typealias App = ContactsApp }

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.first == "record" else { return Replay.main() }
    do {
      guard words.count > 1 else { throw UsageError(word: "record") }
      try await send(try words.dropFirst(2).map(action), to: words[1])
    } catch let error as UsageError {
      stop(error, code: 64)
    } catch {
      stop(error, code: 1)
    }
  }

  private static func send(_ actions: [Contacts.Action], to path: String) async throws {
    // A server that saves every contact.
    let server = ContactServer { _ in }
    let store = try await Store<ContactsApp>.open(
      at: path, configuration: StoreConfiguration(), environment: server)
    for action in actions { try await store.send(action).settled() }
    try await store.close()
  }

  private static func stop(_ error: any Error, code: Int32) -> Never {
    FileHandle.standardError.write(Data("contacts: \(error)\n".utf8))
    exit(code)
  }

  private static func action(_ word: String) throws -> Contacts.Action {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("add", nil): return .addTapped
    case ("name", let text?): return .sheet(.nameEdited(typed(text)))
    case ("email", let text?): return .sheet(.emailEdited(typed(text)))
    case ("save", nil): return .sheet(.saveTapped)
    case ("dismiss", nil): return .sheetDismissed
    case ("delete", let text?):
      guard let id = Int64(text) else { throw UsageError(word: word) }
      return .deleteTapped(ContactID(value: id))
    default: throw UsageError(word: word)
    }
  }

  /// Returns the edit of a user who types a text into an empty field.
  private static func typed(_ text: String) -> TextReplacement {
    TextDraft().replacement(for: .insert(text))
  }
}

/// The error of an argument that is not understood.
struct UsageError: Error, CustomStringConvertible {
  /// The argument.
  var word: String

  /// What failed, why, and what to do, one line each.
  var description: String {
    "Nothing was recorded.\nwhy: `\(SafeText.line(word))` is not understood.\n"
      + "what to do: contacts record STORE "
      + "[add | name=TEXT | email=TEXT | save | dismiss | delete=ID]..."
  }
}
