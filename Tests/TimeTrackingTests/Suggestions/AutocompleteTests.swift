import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking

/// Tokens of a description, and what is offered for them.
@Suite struct AutocompleteTests {
  @Test(arguments: [
    ("@", 1, "@", "", 0), ("@pro", 4, "@", "pro", 0), ("fix #ta", 7, "#", "ta", 4),
    ("fix @pro later", 8, "@", "pro", 4), ("@pro", 2, "@", "p", 0),
    ("a @b #c", 7, "#", "c", 5), ("a @b #c", 4, "@", "b", 2),
    ("@my project", 11, "@", "my project", 0),
    ("tab\t#x", 6, "#", "x", 4), ("fix #12 now", 11, "#", "12 now", 4),
    ("é @ü", 6, "@", "ü", 3), ("é @ü", 5, "@", "", 3), ("a +new x", 6, "+", "new", 2),
  ])
  func `a sign at the start or after a blank asks for a name up to the cursor [M10]`(
    text: String, cursor: Int, sign: String, query: String, start: Int
  ) {
    let token = AutocompleteToken(in: text, at: cursor)
    #expect(token.kind == (sign == "@" ? .project : .tag))
    #expect(token.query == query && token.range.lowerBound == start)
    #expect(token.range.upperBound == start + 1 + query.utf8.count)
  }

  @Test(arguments: [
    ("", 0), ("write", 5), ("C#", 2), ("anna@b.c", 8), ("a # b", 5), ("a @ b", 5), ("@pro", 0),
    ("@pro  more", 10), ("#x\nmore", 7), ("fix \\#12", 8), ("+", 1), ("1 + 2", 5), ("a +5", 4),
    ("C++ x", 5),
  ])
  func `a sign within a word, before a blank or far from the cursor is text [M10]`(
    text: String, cursor: Int
  ) {
    let token = AutocompleteToken(in: text, at: cursor)
    #expect(token.kind == .entry && token.query == text)
    #expect(token.range == 0..<text.utf8.count)
  }

  @Test func `the cursor is brought into the text, before a character [M10]`() {
    #expect(AutocompleteToken(in: "@é", at: 99).query == "é")
    #expect(AutocompleteToken(in: "@é", at: 2).query == "")
    #expect(AutocompleteToken(in: "@é", at: -5).kind == .entry)
  }

  @Test(arguments: [
    ("@pro", 4, "", 0), ("fix @pro", 8, "fix", 3), ("fix @pro now", 8, "fix now", 3),
    ("@pro now", 4, " now", 0), ("@projekt", 4, "jekt", 0),
  ])
  func `an accepted suggestion takes the token out of the text [M10]`(
    text: String, cursor: Int, rest: String, place: Int
  ) {
    let (left, cursor) = AutocompleteToken(in: text, at: cursor).removed(from: text)
    #expect(left == rest && cursor == place)
  }

  // MARK: Suggestions

  private func suggestions(
    _ text: String, _ desk: ReportDesk, in workspace: WorkspaceID? = nil, limit: Int = 10
  ) -> [AutocompleteSuggestion] {
    desk.state.autocomplete(
      text, at: text.utf8.count, for: desk.ann, in: workspace, limit: limit
    ).suggestions
  }

  @Test func `entries have every word, in their text or names, the last one first [M10]`() throws {
    var desk = try ReportDesk()
    desk.now = time(9_000)
    let client = try desk.client("Acme")
    let project = try desk.project("Rocket", of: client)
    let task = try desk.task("Engine", of: project)
    let tag = try desk.tag("deep")
    let old = try desk.entry("Write report", from: time(0), to: time(1))
    let long = try desk.entry(
      "Write", from: time(2), to: time(3), project: project, task: task, tags: [tag])
    let new = try desk.entry("Write report", from: time(4), to: time(5))
    try desk.entry("write", from: time(6), to: time(7), of: desk.bob)
    #expect(suggestions("write", desk) == [.entry(new), .entry(long)])
    #expect(suggestions("REPORT wri", desk) == [.entry(new)])
    #expect(suggestions("deep rocket acme engine write", desk) == [.entry(long)])
    #expect(suggestions("write nothing", desk).isEmpty)
    #expect(suggestions("", desk).isEmpty && suggestions("  ", desk).isEmpty)
    try desk.perform(.entry(.delete(new, reason: nil)))
    #expect(suggestions("report", desk) == [.entry(old)])
    // Only a bounded number of the entries recorded last is searched.
    for minute in Int64(10)..<600 {
      try desk.entry("other", from: time(minute), to: time(minute + 1))
    }
    let few = desk.state.autocomplete(
      "report", at: 6, for: desk.ann, in: nil, limit: 10, visits: 32)
    #expect(few.suggestions.isEmpty)
    #expect(suggestions("other", desk).count == 1)
  }

  @Test func `projects come by name or client, with tasks, and a new one last [M10]`() throws {
    var desk = try ReportDesk()
    let client = try desk.client("Acme")
    let web = try desk.project("Web site", of: client)
    let app = try desk.project("App")
    let appendix = try desk.project("Appendix")
    let snappy = try desk.project("Snapper")
    let task = try desk.task("Approve", of: web)
    #expect(
      suggestions("@app", desk) == [
        .project(app, task: nil), .project(appendix, task: nil), .project(web, task: task),
        .project(snappy, task: nil),
      ])
    #expect(
      suggestions("go @acme", desk) == [.project(web, task: nil), .createProject(Name("acme"))])
    #expect(suggestions("@approve acme", desk).first == .project(web, task: task))
    #expect(
      suggestions("@", desk, limit: 3) == [
        .project(app, task: nil), .project(appendix, task: nil), .project(snappy, task: nil),
      ])
    #expect(suggestions("@ APP ", desk).isEmpty)
    #expect(suggestions("@new thing", desk) == [.createProject(Name("new thing"))])
  }

  @Test func `nothing new is offered under a name that is taken, archived or not [M10]`() throws {
    var desk = try ReportDesk()
    let (old, new) = (try desk.project("Old"), try desk.project("New"))
    let (done, tag) = (try desk.project("Done"), try desk.tag("Deep"))
    try desk.perform(.project(.merge(old, into: new, reason: nil)))
    var archive = ProjectChanges()
    archive.isArchived = Change(from: false, to: true)
    try desk.perform(.project(.change(done, archive, reason: nil)))
    // The name of a merged project finds the other one.
    #expect(suggestions("@OLD", desk) == [.project(new, task: nil)])
    #expect(suggestions("@done", desk).isEmpty)
    #expect(suggestions("#DEEP", desk) == [.tag(tag)])
    try desk.perform(.tag(.delete(tag, reason: nil)))
    #expect(suggestions("#DEEP", desk) == [.createTag(Name("deep"))])
    let long = String(repeating: "x", count: Name.bytesMax + 1)
    #expect(suggestions("#" + long, desk).isEmpty)
  }

  @Test func `a project is found with its client, and a task with its project [M10]`() throws {
    var desk = try ReportDesk()
    let client = try desk.client("Acme")
    let web = try desk.project("Web", of: client)
    try desk.project("Web")
    let task = try desk.task("Engine", of: web)
    #expect(suggestions("@acme/w", desk).first == .project(web, task: nil))
    #expect(suggestions("@web/en", desk) == [.project(web, task: task)])
    // The name of a project and a new task is no new project.
    #expect(suggestions("@web/other", desk).isEmpty)
    #expect(suggestions("@other/web", desk) == [.createProject(Name("other/web"))])
  }

  @Test func `contents are read once, and again after a change [M10]`() throws {
    var desk = try ReportDesk()
    desk.now = time(9_000)
    for minute in Int64(0)..<600 {
      try desk.entry("task \(minute % 3)", from: time(minute), to: time(minute + 1))
    }
    var contents = RecentContents(of: desk.ann, desk.state)
    let found = contents.matching(WordQuery("task"), limit: 8)
    #expect(found.map { $0.newest.entry.description } == ["task 2", "task 1", "task 0"])
    #expect(found.map { $0.count } == [200, 200, 200])
    #expect(found.first?.start == time(599))
    #expect(contents.matching(WordQuery("task"), limit: 1).count == 1)
    #expect(contents.matching(WordQuery(" "), limit: 8).isEmpty)
    // Only a bounded number of the newest records is read, here those of the ids from 512 on.
    var few = RecentContents(of: desk.ann, desk.state, visits: 1)
    #expect(few.matching(WordQuery("task 0"), limit: 8).first?.count == 29)
    try desk.entry("task 3", from: time(700), to: time(701))
    contents.follow(desk.state)
    #expect(contents.matching(WordQuery("3"), limit: 8).count == 1)
    #expect(contents.matching(WordQuery("task"), limit: 8).count == 4)
  }

  @Test func `contents are found by each of their texts, whatever the letter case [M10]`() throws {
    var desk = try ReportDesk()
    desk.now = time(9_000)
    let project = try desk.project("Web", of: try desk.client("ACME"))
    let tag = try desk.tag("Deep")
    try desk.entry("Fix Login", from: time(0), to: time(1), project: project, tags: [tag])
    try desk.entry("Großer Umbau", from: time(2), to: time(3), project: project)
    var contents = RecentContents(of: desk.ann, desk.state)
    func found(_ words: String) -> [String] {
      contents.matching(WordQuery(words), limit: 8).map { $0.newest.entry.description }
    }
    #expect(found("LOG") == ["Fix Login"])
    #expect(found("deep fix acm") == ["Fix Login"])
    #expect(found("web") == ["Großer Umbau", "Fix Login"])
    #expect(found("GROSSER acme") == ["Großer Umbau"])
    // The end of one text and the beginning of the next are no word.
    #expect(found("loginweb").isEmpty && found("webacme").isEmpty)
    #expect(found("login deep blue").isEmpty)
  }

  @Test(arguments: [
    "fix #42 for @bob", "+1 for it", "a @ b # c", "C# a@b +x", "plain  text", "#", "\\ @x",
  ])
  func `a description is written in a form so that it is read as text`(text: String) throws {
    let desk = try ReportDesk()
    let words = try EntryWords(text: EntryWords.text(ofDescription: text), in: desk.state)
    #expect(words.description == text && words.project == nil && words.tags == [])
  }

  @Test func `tags are those of the workspace, projects of others come last [M10]`() throws {
    var desk = try ReportDesk()
    let home = try desk.workspace("Home")
    let (mine, other) = (try desk.tag("blue", in: home), try desk.tag("blue"))
    let far = try desk.project("Blue")
    let near = try desk.project("Light blue", in: home)
    #expect(suggestions("#blue", desk, in: home) == [.tag(mine)])
    #expect(suggestions("#blue", desk) == [.tag(other)])
    #expect(
      suggestions("@blue", desk, in: home) == [
        .project(near, task: nil), .project(far, task: nil), .createProject(Name("blue")),
      ])
  }

  @Test func `words after an @ that no project has may be plain text [M10]`() throws {
    var desk = try ReportDesk()
    desk.now = time(9_000)
    let entry = try desk.entry("met @anna about the plan", from: time(0), to: time(1))
    #expect(
      suggestions("met @anna about", desk) == [
        .entry(entry), .createProject(Name("anna about")),
      ])
    #expect(suggestions("met @anna", desk) == [.createProject(Name("anna"))])
  }
}
