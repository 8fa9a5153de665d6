import RetraceArchitecture
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import TrackerFeatures

/// The screen on which a user is picked or created.
@Suite struct UsersTests {
  @Test func `a new name creates the user by a command, and opens the timer`() throws {
    var tracking = try Tracking(user: nil)
    #expect(tracking.text.contains("No users yet."))
    try tracking.press("text:anna", "enter")
    #expect(tracking.commands == [.user(.create(User(name: Name("anna"))))])
    #expect(tracking.timer == TimerRoute(user: UserID(value: 0)))
    #expect(tracking.lines.first?.hasPrefix("Timer of anna  ") == true)
  }

  @Test func `a known name in other letters and blanks opens the timer without a command`() throws {
    var tracking = try Tracking()
    try tracking.press("text:u", "text:  ANNA ", "enter")
    #expect(tracking.commands.count == 1)
    #expect(tracking.timer?.user == UserID(value: 0))
  }

  @Test func `a user is found in either form of its letters`() throws {
    var tracking = try Tracking(user: nil)
    try tracking.perform(.user(.create(User(name: Name("Zo\u{EB}")))))
    try tracking.press("text:Zoe\u{308}")
    #expect(!tracking.text.contains("There is none"))
    try tracking.press("enter")
    #expect(tracking.commands.count == 1 && tracking.domain.users.count == 1)
    #expect(tracking.timer?.user == UserID(value: 0))
  }

  @Test func `the timer is that of the name, if another process created a user meanwhile`() throws {
    var tracking = try Tracking(user: nil)
    try tracking.press("text:anna")
    tracking.paint()
    try tracking.perform(.user(.create(User(name: Name("ben")))))
    try tracking.press("enter")
    #expect(tracking.timer?.user == UserID(value: 1))
    #expect(tracking.lines.first?.hasPrefix("Timer of anna  ") == true)
  }

  @Test func `a name that another process took meanwhile is refused and shown`() throws {
    var tracking = try Tracking(user: nil)
    try tracking.press("text:anna")
    tracking.paint()
    try tracking.perform(.user(.create(User(name: Name("Anna")))))
    try tracking.press("enter")
    #expect(tracking.notice == .refused(.user(.nameTaken(Name("anna")))))
    #expect(tracking.text.contains("! The name anna is taken. Choose another one."))
    try tracking.press("enter")
    #expect(tracking.timer?.user == UserID(value: 0))
    #expect(tracking.notice == nil)
  }

  @Test func `users are listed by name and selected with the arrows`() throws {
    var tracking = try Tracking(user: nil)
    for name in ["ben", "Anna", "Émile", "carl"] {
      try tracking.perform(.user(.create(User(name: Name(name)))))
    }
    try tracking.press("down", "down", "down")
    #expect(
      tracking.lines.filter { $0.hasPrefix("  ") || $0.hasPrefix("› ") }
        == ["  Anna", "  ben", "› carl", "  Émile"])
    try tracking.press("up", "enter")
    #expect(tracking.timer?.user == UserID(value: 0))
  }

  @Test func `a list longer than the screen shows the page of the selected user`() throws {
    var tracking = try Tracking(user: nil)
    for number in 10..<60 {
      try tracking.perform(.user(.create(User(name: Name("user \(number)")))))
    }
    tracking.size = Screen.Size(columns: 40, rows: 10)
    try tracking.press("down")
    #expect(tracking.text.contains("› user 10"))
    try tracking.press("page-down", "page-down")
    #expect(tracking.text.contains("› user 20"))
    for _ in 0..<60 { try tracking.press("down") }
    #expect(tracking.text.contains("› user 59"))
  }

  @Test func `an archived user is not listed, but opens by name`() throws {
    var tracking = try Tracking()
    var changes = UserChanges()
    changes.isArchived = Change(from: false, to: true)
    try tracking.perform(.user(.change(UserID(value: 0), changes, reason: nil)))
    try tracking.press("text:u")
    #expect(!tracking.text.contains("  anna"))
    try tracking.press("text:anna", "enter")
    #expect(tracking.timer?.user == UserID(value: 0))
  }

  @Test func `a name without a user gets a note before it creates one`() throws {
    var tracking = try Tracking()
    try tracking.press("text:u", "text:ana")
    #expect(tracking.text.contains("There is none; enter twice makes one."))
    try tracking.press("left", "text:n")
    #expect(!tracking.text.contains("no such user"))
  }

  @Test func `a new name beside other users is confirmed by a second enter`() throws {
    var tracking = try Tracking()
    try tracking.press("text:u", "text:q", "enter")
    let question = "! There is no user q. Press enter again to make one."
    #expect(tracking.commands.count == 1 && tracking.text.contains(question))
    // Another key takes the question back.
    try tracking.press("text:z", "enter")
    #expect(tracking.commands.count == 1 && tracking.text.contains("no user qz."))
    try tracking.press("enter")
    #expect(tracking.commands.last == .user(.create(User(name: Name("qz")))))
    #expect(tracking.stack?.routes.map(\.path) == ["timer/1"])
  }

  @Test func `an empty name gets a message, and escape clears it`() throws {
    var tracking = try Tracking(user: nil)
    try tracking.press("enter")
    #expect(tracking.text.contains("! Type a name, or select a user with up and down."))
    try tracking.press("text:写真", "backspace")
    #expect(tracking.text.contains("Name: 写"))
    try tracking.press("escape")
    #expect(tracking.lines[2] == "Name:")
    #expect(tracking.commands.isEmpty)
  }
}
