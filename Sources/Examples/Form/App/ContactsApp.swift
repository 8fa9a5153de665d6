import Retrace

/// The form as an app, so that it can be tested and recorded.
enum ContactsApp: ReplayableApp {
  typealias Environment = ContactServer

  static var name: String { "contacts" }
  static var build: String { "1" }
  static var reducer: Contacts { Contacts() }
  static var initialState: Contacts.State { Contacts.State() }

  static func screen(
    of scene: SceneID, in state: Contacts.State, at moment: Moment, size: Screen.Size
  ) -> Screen {
    var lines: [Screen.Line] = []
    state.contacts.forEach { _, contact in
      lines.append(Screen.Line("\(contact.name) <\(contact.email)>"))
    }
    if let sheet = state.sheet {
      lines.append(Screen.Line("name: \(sheet.name.text)"))
      lines.append(Screen.Line("email: \(sheet.email.text)"))
      if let problem = sheet.problem { lines.append(Screen.Line(problem)) }
    }
    return Screen(lines, size: size)
  }
}
