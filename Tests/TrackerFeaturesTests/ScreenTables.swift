import Foundation
import RetraceScreen
import Testing

@testable import TrackerFeatures

/// The tables of the keys of all screens, by the names of the screens.
enum ScreenTables {
  struct Entry {
    var screen: String
    var markdown: String
    var keys: [Key]

    init<Frame: ScreenFrame>(_ screen: String, _ type: Frame.Type) {
      self.screen = screen
      markdown = type.keys.markdown
      keys = type.keys.all.flatMap(\.keys)
    }
  }

  static let all = [
    Entry("timer", TimerFrame.self), Entry("entryEditor", EntryEditorFrame.self),
    Entry("users", UsersFrame.self), Entry("reports", ReportsFrame.self),
    Entry("lists", ListsFrame.self), Entry("projectForm", ProjectFormFrame.self),
    Entry("settings", SettingsFrame.self), Entry("history", HistoryFrame.self),
    Entry("calendar", CalendarFrame.self), Entry("welcome", WelcomeFrame.self),
    Entry("account", AccountFrame.self),
  ]

  /// The folder of the package.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}

/// The keys of the question about a forgotten entry, which are asked before those of any screen.
@Suite struct ForgottenKeyTests {
  @Test func `each screen is among the tables`() throws {
    let file = ScreenTables.package.appendingPathComponent(
      "Sources/TrackerFeatures/App/TrackerScreens.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    let screens = text.matches(of: /\n  case (\w+)\(\w+Screen\)/).map { String($0.output.1) }
    #expect(screens.count > 5)
    #expect(Set(screens) == Set(ScreenTables.all.map(\.screen)))
  }

  @Test func `no screen has a key of the question about a forgotten entry`() {
    let answers = SceneKeys.forgotten.all.flatMap(\.keys)
    #expect(answers.count == 5)
    let everywhere: KeyTable<TimerFrame> = SceneKeys.everywhere()
    let tables =
      ScreenTables.all.map { ($0.screen, $0.keys) } + [
        ("everywhere", everywhere.all.flatMap(\.keys)),
        ("help", SceneKeys.help.all.flatMap(\.keys)),
        ("question", SceneKeys.question.all.flatMap(\.keys)),
      ]
    for (name, keys) in tables {
      #expect(answers.filter { keys.contains($0) } == [], "\(name)")
    }
  }
}
