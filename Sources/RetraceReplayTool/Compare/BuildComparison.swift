import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Compares this build with another one while both fold the same log.
///
/// For each stretch of records, the builds exchange a digest of the state hashes. In the first
/// stretch that differs, binary search finds the record. A digest covers the hashes of all its
/// records, so the search finds the first different one even if later states agree again.
struct BuildComparison<App: ReplayableApp>: ~Copyable {
  private var session: StepSession<App>
  private let storage: LogStorage
  private let other: OtherBuild
  private let last: UInt64
  private let limit: Int

  /// The number of records between two exchanges.
  private static var recordsPerExchange: UInt64 { 1_024 }

  init(
    _ storage: LogStorage, at path: String, tool: String, limit: Int
  ) throws(ToolFailure) {
    let other = try OtherBuild(tool, store: path)
    let last = try orFail(try storage.head().sequence)
    // A place that one build's changes lack counts as unchanged there, so no list may be cut.
    let session = try orFail(try StepSession<App>(storage, limit: .max))
    self.limit = limit
    self.last = last
    self.session = session
    self.storage = storage
    self.other = other
  }

  /// Returns the first record after which the states differ, if any.
  consuming func run() throws(ToolFailure) -> Comparison? {
    defer { other.end() }
    try requireSameFields()
    var start: UInt64 = 0
    while start < last {
      let end = min(last, start + Self.recordsPerExchange)
      if try !agrees(from: start, through: end) {
        return try comparison(at: try firstDifference(after: start, upTo: end))
      }
      start = end
    }
    return nil
  }

  private mutating func requireSameFields() throws(ToolFailure) {
    let here = try session.answer(.schema).json
    let there = try other.ask("schema")
    guard here["stateSchema"] != there["stateSchema"] else { return }
    throw ToolFailure(
      what: "The two builds cannot be compared by their states.",
      why: "Their states have different fields, so every state hash differs.",
      advice: "Compare with a build whose state has the same fields, or look at both with "
        + "`replay step`.",
      exitCode: ToolExit.incompatible)
  }

  private mutating func agrees(
    from start: UInt64, through end: UInt64
  ) throws(ToolFailure) -> Bool {
    // The other build folds while this one does.
    try other.send("goto \(start)")
    try other.send("hashes \(end - start)")
    _ = try session.answer(.move(.goto(start)))
    let here = try session.answer(.hashes(end - start)).json
    _ = try other.receive()
    let there = try other.receive()
    return here["digest"] == there["digest"]
  }

  private mutating func firstDifference(
    after start: UInt64, upTo end: UInt64
  ) throws(ToolFailure) -> UInt64 {
    var low = start
    var high = end
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try agrees(from: low, through: middle) { low = middle } else { high = middle }
    }
    return high
  }

  private mutating func comparison(at sequence: UInt64) throws(ToolFailure) -> Comparison {
    let place = try session.answer(.move(.goto(sequence)))
    let here = StepFields(try session.answer(.diff).json)
    _ = try other.ask("goto \(sequence)")
    let there = StepFields(try other.ask("diff"))
    let fields = here.differences(from: there, limit: limit)
    var reader = RecordReader(storage)
    let command = try orFail(try reader.command(of: sequence))
    var lines = ["The first record after which the states differ is \(sequence):"]
    lines += place.lines.dropFirst()
    if let command { lines.append("the command that led to it: \(command.line)") }
    lines.append(
      "values by path: before the record, after it in this build (here) and in the other (there)")
    for field in fields {
      lines.append("  \(field.path)")
      lines.append("    before  \(ChangeText.short(field.before))")
      lines.append("    here    \(ChangeText.short(field.here))")
      lines.append("    there   \(ChangeText.short(field.there))")
    }
    return Comparison(
      lines: lines,
      json: [
        "same": false, "first": .integer(Int64(clamping: sequence)),
        "record": place.json["record"] ?? .null,
        "command": command?.json ?? .null,
        "state": .array(
          fields.map {
            [
              "field": .string($0.path), "before": $0.before ?? .null, "here": $0.here ?? .null,
              "there": $0.there ?? .null,
            ]
          }),
      ],
      what: "The two builds fold the log to different states.",
      why: "They agree up to record \(sequence - 1) and differ after record \(sequence).",
      advice: "Look at how both builds reduce this record.")
  }
}

/// The changes of a step by the full path of each place, parsed from the output of `diff`.
private struct StepFields {
  struct Field {
    var path: String
    var before: JSONValue?
    var here: JSONValue?
    var there: JSONValue?
  }

  private var fields: [(path: String, before: JSONValue?, after: JSONValue?)] = []

  init(_ answer: JSONValue) {
    for change in answer["changes"]?.arrayValue ?? [] {
      let kind = change["change"]?.stringValue
      let place = change["table"]?.stringValue.map {
        "\($0)[\(change["id"]?.integerValue ?? 0)]."
      }
      for field in change["fields"]?.arrayValue ?? [] {
        fields.append(
          (
            path: (place ?? "") + (field["field"]?.stringValue ?? ""),
            before: kind == "created" ? Optional.none : field["before"],
            after: kind == "removed" ? Optional.none : field["after"]
          ))
      }
    }
  }

  /// Returns the places in which two steps from equal states differ.
  func differences(from other: StepFields, limit: Int) -> [Field] {
    var theirs: [String: JSONValue?] = [:]
    for field in other.fields { theirs[field.path] = .some(field.after) }
    var found: [Field] = []
    for field in fields {
      let there = theirs.removeValue(forKey: field.path) ?? field.before
      if there != field.after {
        found.append(
          Field(path: field.path, before: field.before, here: field.after, there: there))
      }
    }
    for field in other.fields where theirs[field.path] != nil {
      found.append(
        Field(path: field.path, before: field.before, here: field.before, there: field.after))
    }
    return Array(found.prefix(limit))
  }
}
