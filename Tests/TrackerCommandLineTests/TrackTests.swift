import RetraceCommandLine
import RetraceToolSupport
import Testing

@testable import TrackerCommandLine

/// The words before and after a verb.
@Suite struct TrackTests {
  @Test("Each verb has a name of its own and its syntax says so")
  func names() {
    let names = Track.verbs.map { $0.name }
    #expect(Set(names).count == names.count)
    for verb in Track.verbs { #expect(verb.syntax.name == "track \(verb.name)") }
    for name in names { #expect(Track.verb(named: name)?.name == name) }
  }

  @Test(
    "Options before the verb are taken with their values",
    arguments: [
      (["start", "--json"], []), (["--json", "status"], ["--json"]),
      (["--user", "anna", "start"], ["--user", "anna"]),
      (["--user=anna", "start"], ["--user=anna"]),
      (["--user=", "anna", "start"], ["--user="]), (["--user", "--json"], ["--user", "--json"]),
      (["--yes", "start"], []), (["--", "start"], []),
    ])
  func leadingOptions(words: [String], options: [String]) {
    let (found, rest) = Track.leadingOptions(of: words[...])
    #expect(Array(found) == options)
    #expect(Array(found + rest) == words)
  }

  @Test(
    "An unknown word is answered with the verb that is probably meant",
    arguments: [
      ("stat", "Did you mean start?"), ("sotp", "Did you mean stop?"),
      ("rm", "Use `track delete`."),
      ("--yes", "Name a command first, such as `track status`."),
      ("zebra", "`track help` lists the commands."),
    ])
  func unknown(word: String, advice: String) {
    #expect(Track.unknown(word).advice.hasPrefix(advice), "\(Track.unknown(word))")
  }
}
