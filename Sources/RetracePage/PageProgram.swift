public import Retrace
import RetraceBundle

/// The part of a page that knows an app: it verifies, folds and shows the log in a bundle.
///
/// Its host, such as a browser, sends requests and gets answers, both as JSON in UTF-8:
///
/// | request | answer |
/// | --- | --- |
/// | `{"verify": records}` | the verdict so far, after looking at so many more records |
/// | `{"index": records}` | how many rows are known, after looking at so many more records |
/// | `{"select": text, "kinds": [kind]}` | begins a search in the rows |
/// | `{"search": rows}` | how many rows were found, after looking at so many more |
/// | `{"rows": place, "count": count}` | rows from a place on |
/// | `{"place": sequence}` | the place of the row of a record |
/// | `{"time": text, "near": sequence}` | the last record up to a time |
/// | `{"step": sequence, "first": sequence}` | what the records changed |
/// | `{"screen": sequence, "scene": id, "theme": "dark"}` | what a scene showed |
/// | `{"state": sequence}` | the whole state |
/// | `{"breaks": [condition], "from": sequence}` | begins a run to the next stop |
/// | `{"run": records}` | where the run stopped, after looking at so many more records |
/// | `{"batch": sequence}` | the batch of a record, and its values that can be edited |
/// | `{"change": [change]}` | begins to decide the log again, with changes |
/// | `{"decide": records}` | what came of it so far, after so many more records |
/// | `{"outcome": true}` | which commands had another outcome, and what differs in the end |
/// | `{"counterpart": sequence}` | the record of the changed log for one of the log |
/// | `{"bundle": true}` | the changed log as a bundle, in Base64 |
///
/// A request with `"isChanged": true` is about the changed log, after all of it was decided. If a
/// request fails, its answer is `{"failure": text}`.
///
/// ```swift
/// var program = PageProgram<CounterApp>()
/// print(program.open([UInt8]()), program.answer(Array(#"{"verify":4096}"#.utf8)))
/// ```
public struct PageProgram<App: ReplayableApp> {
  private var replay: PageReplay<App>?
  private var whatIf: PageWhatIf<App>?
  private var changed: PageReplay<App>?
  private var changedBundle: [UInt8] = []

  /// Creates a program without a bundle.
  public init() {}

  /// Opens a bundle, in place of the one before.
  ///
  /// - Parameter bundle: The bytes of the file, which are not trusted.
  /// - Complexity: O(bytes).
  /// - Returns: What the bundle is, as JSON.
  public mutating func open(_ bundle: [UInt8]) -> String {
    (replay, whatIf, changed, changedBundle) = (nil, nil, nil, [])
    do throws(PageFailure) {
      let opened = try PageReplay<App>(bundle)
      replay = opened
      return opened.header.text()
    } catch {
      return Self.failure(error.text)
    }
  }

  /// Answers a request.
  ///
  /// - Parameter request: The request, as JSON in UTF-8.
  /// - Returns: The answer, as JSON.
  public mutating func answer(_ request: [UInt8]) -> String {
    let parsed: JSONValue
    do throws(JSONError) {
      parsed = try JSONValue(parsing: request.span)
    } catch {
      return Self.failure(error.description)
    }
    do throws(PageFailure) {
      if let answer = try answerWhatIf(parsed) { return answer.text() }
      let answer =
        try parsed["isChanged"] == true ? changed?.answer(parsed) : replay?.answer(parsed)
      guard let answer else { return Self.failure("there is no bundle") }
      return answer.text()
    } catch {
      return Self.failure(error.text)
    }
  }

  private static func failure(_ text: String) -> String {
    (["failure": .string(text)] as JSONValue).text()
  }
}

// MARK: - What if

extension PageProgram {
  /// Answers a request about a changed log; `nil` for any other request.
  private mutating func answerWhatIf(_ request: JSONValue) throws(PageFailure) -> JSONValue? {
    if let changes = request["change"] {
      guard let replay else { throw PageFailure("there is no bundle") }
      (whatIf, changed, changedBundle) = (nil, nil, [])
      let begun = try PageWhatIf<App>(changes, of: replay.log, plan: replay.folds.plan)
      whatIf = begun
      return progress(of: begun)
    }
    guard
      request["decide"] != nil || request["outcome"] != nil || request["counterpart"] != nil
        || request["bundle"] != nil
    else { return nil }
    guard let whatIf else { throw PageFailure("nothing was changed") }
    if let records = request["decide"]?.integerValue {
      try whatIf.goOn(records: UInt64(clamping: records))
      if whatIf.isComplete, changed == nil {
        changedBundle = whatIf.bundle()
        changed = try PageReplay(changedBundle)
      }
      return progress(of: whatIf)
    }
    if let sequence = request["counterpart"]?.integerValue {
      return .integer(Int64(clamping: whatIf.place(of: UInt64(clamping: sequence))))
    }
    if request["bundle"] != nil {
      return .string(String(decoding: Base64.text(of: changedBundle[...]), as: UTF8.self))
    }
    return try outcome(of: whatIf)
  }

  private func progress(of whatIf: PageWhatIf<App>) -> JSONValue {
    [
      "isComplete": .bool(whatIf.isComplete),
      "records": .integer(Int64(clamping: whatIf.records)),
      "decided": .integer(Int64(whatIf.counts.decided)),
      "kept": .integer(Int64(whatIf.counts.kept)),
      "answersLeftOut": .integer(Int64(whatIf.counts.answersLeftOut)),
      "differences": .integer(Int64(whatIf.counts.differences)),
    ]
  }

  /// Returns the commands with another outcome, and what differs between the last states.
  private mutating func outcome(of whatIf: PageWhatIf<App>) throws(PageFailure) -> JSONValue {
    guard var original = replay, var changed else {
      throw PageFailure("the commands are not decided yet")
    }
    var rows: [JSONValue] = []
    for difference in whatIf.differences {
      let (record, place) = (difference.record, difference.changed)
      rows.append(
        [
          "record": .integer(Int64(clamping: record)),
          "changed": .integer(Int64(clamping: place)),
          "isRefused": .bool(difference.isRefused), "wasRefused": .bool(difference.wasRefused),
          "before": .string(try original.text(of: record)),
          "after": .string(try changed.text(of: place)),
        ])
    }
    let changes = try original.changes(comparedWith: &changed)
    (replay, self.changed) = (original, changed)
    return ["differences": .array(rows), "changes": changes]
  }
}
