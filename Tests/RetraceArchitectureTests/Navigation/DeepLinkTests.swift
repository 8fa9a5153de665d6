import RetraceArchitecture
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// Links of routes.
@Suite struct DeepLinkTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `any text in components and items is read back byte by byte [N10]`(seed: UInt64) throws {
    try withSeed(default: seed) { generator in
      for _ in 0..<repetitions(1_000) {
        let link = DeepLink(
          components: Self.texts(using: &generator),
          items: zip(Self.texts(using: &generator), Self.texts(using: &generator))
            .map { DeepLink.Item($0, $1) })
        for scheme in [nil, "track"] as [String?] {
          let text = link.text(scheme: scheme)
          #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
          let read = try DeepLink(parsing: text, scheme: scheme)
          #expect(Self.bytes(of: read) == Self.bytes(of: link))
          #expect(read.text(scheme: scheme) == text)
        }
      }
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `random text is a link or an error with a place in it, never a trap [N6, N10]`(
    seed: UInt64
  ) throws {
    withSeed(default: seed) { generator in
      let parts = ["a", "/", "?", "&", "=", "%", "%4", "%41", "%ff", "%C3%A9", " ", "é", "#", "\0"]
      for _ in 0..<repetitions(10_000) {
        let count = Int.random(in: 0...8, using: &generator)
        let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
        do throws(DeepLinkError) {
          let link = try DeepLink(parsing: text)
          #expect((try? DeepLink(parsing: link.text())) == link)
        } catch {
          switch error {
          case .unescapedCharacter(let offset), .invalidEscape(let offset), .notUTF8(let offset),
            .missingValue(let offset):
            #expect(offset >= 0 && offset <= text.utf8.count)
          default: Issue.record("\(error) for \(text)")
          }
        }
        _ = PlannerRoute(path: text)
      }
    }
  }

  @Test(
    arguments: [
      ("a b", .unescapedCharacter(offset: 1)), ("a/é", .unescapedCharacter(offset: 2)),
      ("a#b", .unescapedCharacter(offset: 1)), ("%4", .invalidEscape(offset: 0)),
      ("a/%4g", .invalidEscape(offset: 2)), ("ab%", .invalidEscape(offset: 2)),
      ("a/b%FFc", .notUTF8(offset: 2)), ("a?b=%C3", .notUTF8(offset: 4)),
      ("a?b", .missingValue(offset: 2)), ("a?b=1&", .missingValue(offset: 6)),
    ] as [(String, DeepLinkError)])
  func `malformed text is refused with its place [N10]`(text: String, expected: DeepLinkError) {
    #expect(throws: expected) { try DeepLink(parsing: text) }
    #expect(throws: DeepLinkError.otherScheme(expected: "track")) {
      try DeepLink(parsing: text, scheme: "track")
    }
  }

  @Test func `links of other programs are read, too [N10]`() throws {
    let link = try DeepLink(parsing: "track:///a%2fb/c:d?x=%c3%a9&x=1=2", scheme: "track")
    #expect(link.components == ["a/b", "c:d"])
    #expect(link.items == [DeepLink.Item("x", "é"), DeepLink.Item("x", "1=2")])
    #expect(link.text() == "a%2Fb/c%3Ad?x=%C3%A9&x=1%3D2")
    #expect(try DeepLink(parsing: "") == DeepLink() && DeepLink().text() == "")
    #expect(DeepLink("").text() == "/" && DeepLink("", "").text() == "//")
  }

  /// Returns the bytes of all parts; two texts can be equal and have other bytes.
  private static func bytes(of link: DeepLink) -> [[[UInt8]]] {
    [
      link.components.map { Array($0.utf8) }, link.items.map { Array($0.name.utf8) },
      link.items.map { Array($0.value.utf8) },
    ]
  }

  /// Returns up to three texts, some of them empty.
  private static func texts(using generator: inout SeededGenerator) -> [String] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      let scalars = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        let bounds: ClosedRange<UInt32> =
          Bool.random(using: &generator) ? 0...0x7f : 0...0x10_ffff
        return Unicode.Scalar(UInt32.random(in: bounds, using: &generator)) ?? "/"
      }
      return String(String.UnicodeScalarView(scalars))
    }
  }
}

/// Links of the planner's routes.
@Suite struct LinkedRouteTests {
  private static let texts: [(PlannerRoute, String)] = [
    (.welcome, "planner://welcome"), (.main(MainState()), "planner://timer"),
    (.settings(BackStack(root: .list)), "planner://settings"),
    (.settings(BackStack(root: .list, pushed: [.about])), "planner://settings/about"),
    (
      .settings(BackStack(root: .list, pushed: [.about, .licences])),
      "planner://settings/about/licences"
    ),
    (.main(MainState(showing: .reports(ReportRange()))), "planner://reports"),
    (
      .main(MainState(showing: .reports(ReportRange(start: -3, end: 20_000)))),
      "planner://reports?start=-3&end=20000"
    ),
    (.main(MainState(showing: .calendar(event: nil))), "planner://calendar"),
    (.main(MainState(showing: .calendar(event: 8))), "planner://calendar?event=8"),
    (.main(MainState(showing: .startEdit(EntryDraft()))), "planner://entry/start"),
    (
      .main(MainState(showing: .startEdit(draft))),
      "planner://entry/edit/7?description=50%25%20caf%C3%A9%2Ftea%3F&project=12&billable=true"
    ),
  ]

  private static var draft: EntryDraft {
    var draft = EntryDraft(entry: 7)
    draft.description = "50% café/tea?"
    draft.project = 12
    draft.isBillable = true
    return draft
  }

  @Test(arguments: texts)
  func `nested and parameterised routes have links that lead back to them [N1, N10]`(
    route: PlannerRoute, text: String
  ) throws {
    #expect(route.link.text(scheme: "planner") == text)
    let read = try PlannerRoute(DeepLink(parsing: text, scheme: "planner"))
    #expect(read == route && read.link == route.link)
  }

  @Test(arguments: texts)
  func `a path leads back to its place, without parameters [N1]`(
    route: PlannerRoute, text: String
  ) throws {
    #expect(PlannerRoute(path: route.path)?.path == route.path)
    let inner: any LinkedRoute =
      switch route {
      case .main(let main): main.tabs.shown.top
      case .settings(let stack): stack.top
      case .welcome: route
      }
    func expectSamePlace<Route: LinkedRoute>(_ route: Route) {
      #expect(Route(path: route.path)?.path == route.path && !route.path.contains("?"))
    }
    expectSamePlace(inner)
  }

  @Test(
    arguments: [
      ("planner://", .missingComponent(index: 0)),
      ("planner://nowhere", .unknownComponent("nowhere", index: 0)),
      ("planner://Timer", .unknownComponent("Timer", index: 0)),
      ("planner://timer/x", .unknownComponent("x", index: 1)),
      ("planner://timer/", .unknownComponent("", index: 1)),
      ("planner://settings/x", .unknownComponent("x", index: 1)),
      ("planner://settings/about/x", .unknownComponent("x", index: 2)),
      ("planner://entry", .missingComponent(index: 1)),
      ("planner://entry/stop", .unknownComponent("stop", index: 1)),
      ("planner://entry/edit", .missingComponent(index: 2)),
      ("planner://entry/edit/x", .invalidComponent("x", index: 2)),
      ("planner://entry/edit/07", .invalidComponent("07", index: 2)),
      (
        "planner://entry/edit/9223372036854775808",
        .invalidComponent("9223372036854775808", index: 2)
      ),
      ("planner://entry/start?billable=yes", .invalidItem("billable", value: "yes")),
      ("planner://entry/start?project=1&project=2", .repeatedItem("project")),
      ("planner://entry/start?colour=red", .unknownItem("colour")),
      ("planner://welcome?x=", .unknownItem("x")),
      ("planner://reports?start=2&end=1", .invalidItem("end", value: "1")),
      ("planner://reports?start=today", .invalidItem("start", value: "today")),
      ("planner:/timer", .otherScheme(expected: "planner")),
      ("planner://timer?%", .missingValue(offset: 16)),
    ] as [(String, DeepLinkError)])
  func `an unknown route or part is an error that names it [N6, N10]`(
    text: String, expected: DeepLinkError
  ) throws {
    #expect(throws: expected) { try PlannerRoute(DeepLink(parsing: text, scheme: "planner")) }
    // In the app: the state says so, and nothing else changes.
    var store = try PlannerTests.signedIn()
    store.send(.linkOpened(text)) { $0.problem = expected.description }
    #expect(!expected.description.isEmpty)
  }

  @Test func `an attempt moves the reader only if something is read`() throws {
    var reader = DeepLinkReader(DeepLink("goods", "7").item("amount", 2 as Int64))
    let nothing: Int64? = try reader.attempt { reader throws(DeepLinkError) in
      _ = reader.take("goods")
      return try reader.item("price")
    }
    #expect(nothing == nil)
    #expect(throws: DeepLinkError.invalidComponent("goods", index: 0)) {
      try reader.attempt { reader throws(DeepLinkError) -> Int64? in try reader.component() }
    }
    let number = try reader.attempt { reader throws(DeepLinkError) -> Int64? in
      reader.take("goods") ? try reader.component() : nil
    }
    #expect(number == 7)
    #expect(reader.isAtEnd)
    #expect(throws: DeepLinkError.unknownItem("amount")) { try reader.finish() }
  }

  @Test func `the description names what is wrong, as safe text that is not long`() {
    for (error, text) in [
      (.unknownComponent("stop", index: 1), #"no route with "stop" as component 2."#),
      (.invalidComponent("x\u{1b}[1m", index: 2), #"Component 3, "x\u{1B}[1m", is not"#),
      (.unknownItem("colour"), #"no item "colour"."#),
      (.invalidItem("end", value: "1"), #"The item "end" has the invalid value "1"."#),
      (.missingItem("start"), #"The item "start" is missing."#),
      (.repeatedItem("project"), #"The item "project" occurs"#),
    ] as [(DeepLinkError, String)] {
      #expect(error.description.contains(text), "\(error.description)")
    }
    let long = String(repeating: "long", count: 1_000)
    for error: DeepLinkError in [
      .unknownComponent(long, index: 0), .invalidComponent(long, index: 0), .unknownItem(long),
      .invalidItem(long, value: long), .missingItem(long), .repeatedItem(long),
      .otherScheme(expected: long),
    ] {
      #expect(error.description.utf8.count < 250 && error.description.contains("longlong"))
    }
  }

  @Test func `a name is compared by its bytes [N6]`() throws {
    // The sign of kelvin is canonically equivalent to a letter; the route has another byte.
    let kelvin = DeepLink("\u{212a}")
    #expect(kelvin.components == ["K"])
    var reader = DeepLinkReader(kelvin)
    let taken = [reader.take("K"), reader.take("\u{212a}")]
    #expect(taken == [false, true] && reader.isAtEnd)
    try reader.finish()
  }

  @Test(arguments: ["nan", "inf", "-inf", "+1.0", "1"])
  func `a number that is not finite, or printed in another way, is refused`(text: String) {
    let link = DeepLink(text).item("zoom", text)
    #expect(throws: DeepLinkError.invalidItem("zoom", value: text)) {
      var reader = DeepLinkReader(link)
      return try reader.item("zoom", as: Double.self)
    }
    #expect(throws: DeepLinkError.invalidItem("zoom", value: text)) {
      var reader = DeepLinkReader(link)
      return try reader.item("zoom", as: Float.self)
    }
    #expect(throws: DeepLinkError.invalidComponent(text, index: 0)) {
      var reader = DeepLinkReader(link)
      return try reader.component(Double.self)
    }
  }

  @Test func `a finite number is read as it is printed`() throws {
    for zoom in [1.5, 0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
      var reader = DeepLinkReader(DeepLink().item("zoom", zoom))
      let read = try reader.item("zoom", as: Double.self)
      #expect(read?.bitPattern == zoom.bitPattern)
    }
  }

  @Test(arguments: ["", "ab", "a\u{301}", "a\u{301}b"])
  func `text that is not one scalar is refused as one`(text: String) {
    let link = DeepLink(text).item("key", text)
    #expect(throws: DeepLinkError.invalidComponent(text, index: 0)) {
      var reader = DeepLinkReader(link)
      return try reader.component(Character.self)
    }
    #expect(throws: DeepLinkError.invalidItem("key", value: text)) {
      var reader = DeepLinkReader(link)
      return try reader.item("key", as: Character.self)
    }
  }

  @Test func `one scalar is read as a character`() throws {
    var reader = DeepLinkReader(DeepLink("\u{E1}"))
    let one = try reader.component(Character.self)
    #expect(one == "\u{E1}" && reader.isAtEnd)
  }

  @Test(arguments: texts)
  func `a link with items is no path [N1]`(route: PlannerRoute, text: String) {
    let path = route.link.text()
    #expect((PlannerRoute(path: path) == nil) == path.contains("?"))
    #expect(PlannerRoute(path: route.path + "?x=1") == nil)
  }

  @Test func `items and components are read as values`() throws {
    var reader = DeepLinkReader(
      DeepLink("4", "x").item("a", 1).item("b", nil as String?).item("a", "2").item("c", ""))
    let id: RouteID = try reader.id()
    let name: String = try reader.component()
    let values = reader.items("a")
    let missing: Int64? = try reader.item("b")
    let empty: String? = try reader.item("c")
    #expect(id == RouteID(value: 4) && name == "x" && values == ["1", "2"])
    #expect(missing == nil && empty == "")
    try reader.finish()
    #expect(throws: DeepLinkError.missingComponent(index: 2)) {
      var ended = reader
      return try ended.component(Int64.self)
    }
  }
}

/// Pages outside the app.
@Suite struct ExternalPageTests {
  @Test func `a page outside the app is asked for by the state until it is shown [N8]`() throws {
    var store = try PlannerTests.signedIn()
    let stack = store.state.stack
    store.send(.helpAsked(.privacy)) { $0.externalPage = .privacy }
    store.send(.externalPageShown) { $0.externalPage = nil }
    // It is no route: the way back does not lead there.
    #expect(store.state.stack == stack)
  }
}
