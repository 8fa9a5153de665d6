import RetraceAvro
import RetraceLog
import Testing

/// What rows of records say in place of JSON, and the search in them.
@Suite struct RecordWordsTests {
  @Test(arguments: [
    ("userIsNew", "user is new"), ("externalIDs", "external IDs"), ("TimeEntry", "Time entry"),
    ("start", "start"), ("HTTPServer", "HTTPServer"), ("", ""),
  ])
  func `a name in camel case is words`(name: String, words: String) {
    #expect(RecordWords.words(name) == words)
  }

  private static let values: [(JSONValue, String?)] = [
    (.null, nil), (.string(""), nil), (.array([]), nil), (["a": .null, "b": .array([])], nil),
    (.integer(7), "7"), (.bool(true), "yes"), (.bool(false), "no"),
    (["text": "Thesis", "key": "thesis"], "Thesis"),
    (["name": ["_0": ["text": "Thesis", "key": "thesis"]]], "Thesis"),
    (
      ["user": .integer(0), "isBillable": .bool(true), "isArchived": .bool(false), "name": "mail"],
      "mail, user 0, is billable"
    ),
    (["start": ["before": "8:00", "after": "9:00"], "end": .null], "start 8:00 -> 9:00"),
    (["end": ["before": .null, "after": "9:00"], "start": .null], "end 9:00"),
    (["end": ["before": "9:00", "after": .null], "start": .null], "end no longer 9:00"),
    (.array(["a", "b"]), "a, b"),
    (
      .array([["restock": ["_0": "tea", "count": .integer(4)]], ["close": .object([])]]),
      "restock tea, count 4; close"
    ),
    ("a\nb\u{1B}[2J", "a\\u{A}b\\u{1B}[2J"),
  ]

  @Test(arguments: values)
  func `a value has no signs of JSON, and nothing that is empty`(json: JSONValue, text: String?) {
    #expect(RecordWords.value(json) == text)
  }

  @Test func `a search finds whole characters of any case`() {
    let text = "Über die Straße ÜBER"
    let search = TextSearch("über")
    #expect(search.ranges(in: text).map { String(text[$0]) } == ["Über", "ÜBER"])
    #expect(search.occurs(in: text) && !search.occurs(in: "uber"))
    #expect(TextSearch("SELL").occurs(in: "refused sell") && !TextSearch("sell").occurs(in: "sel"))
    #expect(TextSearch("aa").ranges(in: "aaaaa").count == 2)
    #expect(TextSearch("").ranges(in: "a").isEmpty && TextSearch("").occurs(in: "é"))
    #expect(!TextSearch("e").occurs(in: "e\u{301}"))
  }
}
