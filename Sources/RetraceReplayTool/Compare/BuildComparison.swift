import Retrace
import RetracePlayer
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// Compares this build with another one while both fold the same log: states, effects and
/// decisions.
///
/// For each stretch of records, the builds exchange digests. In the first stretch that differs,
/// binary search finds the record. A digest covers all its records, so the search finds the first
/// different one even if later records agree again. If the types of the builds differ, fields that
/// only one build has are left out.
struct BuildComparison<App: ReplayableApp>: ~Copyable {
  private var session: StepSession<App>
  private let storage: LogStorage
  private let other: OtherBuild
  private let last: UInt64
  private let limit: Int
  private var omitted: [String] = []

  /// The number of records between two exchanges.
  private static var recordsPerExchange: UInt64 { 1_024 }

  /// What the digests of an answer cover.
  private static var digests: [String] { ["digest", "states", "effects", "decisions"] }

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

  /// Returns the first record on which the builds differ, if any.
  consuming func run() throws(ToolFailure) -> ComparisonResult {
    defer { other.end() }
    if let difference = try leaveOutOtherFields() { return .different(difference) }
    var start: UInt64 = 0
    while start < last {
      let end = min(last, start + Self.recordsPerExchange)
      if try !differences(from: start, through: end).isEmpty {
        return .different(try comparison(at: try firstDifference(after: start, upTo: end)))
      }
      start = end
    }
    return .same(line: sameLine, members: sameMembers)
  }

  private var sameLine: String {
    guard other.comparesOutcomes else {
      return "The states do not differ. The other build is too old to compare effects and "
        + "decisions."
    }
    return omitted.isEmpty
      ? "There is no difference."
      : "There is no difference. Not compared: \(omitted.joined(separator: ", "))."
  }

  /// The JSON of an equal comparison that covers less than states, effects and decisions.
  private var sameMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if !other.comparesOutcomes { members.append(.init("compared", .array(["states"]))) }
    if !omitted.isEmpty {
      members.append(.init("omitted", .array(omitted.map { .string($0) })))
    }
    return members
  }

  /// Leaves out what the states, the actions and the refusals of the builds do not have in common.
  ///
  /// - Returns: The difference of the states before the first record, if there is one.
  private mutating func leaveOutOtherFields() throws(ToolFailure) -> Comparison? {
    let fingerprints = try session.answer(.schema).json
    let isSameState = fingerprints["stateSchema"] == other.greeting["stateSchema"]
    guard other.comparesOutcomes else {
      guard !isSameState else { return nil }
      throw ToolFailure(
        what: "The two builds cannot be compared by their states.",
        why: "Their states have different fields, and the other build is too old to leave these "
          + "out.",
        advice: "Compare with a newer build, or look at both with `\(ToolProcess.replay) step`.",
        exitCode: ToolExit.incompatible)
    }
    let here = try session.answer(.schemas).json
    let there = try other.ask("schemas")
    let fields = OmittedFields(between: try schemas(in: here), and: try schemas(in: there))
    if isSameState, fields.isEmpty { return nil }
    omitted = fields.names
    let initial = (
      here: try session.answer(.omit(omitted)).json["initial"] ?? .null,
      there: try other.ask("omit " + (omitted.isEmpty ? "-" : omitted.joined(separator: ",")))[
        "initial"] ?? .null
    )
    guard initial.here.sorted != initial.there.sorted else { return nil }
    return Self.difference(ofInitial: initial.here, initial.there, limit: limit)
  }

  private func schemas(in answer: JSONValue) throws(ToolFailure) -> [Schema] {
    do throws(AvroError) {
      var schemas: [Schema] = []
      for name in ["state", "action", "refusal"] {
        schemas.append(try Schema(json: answer[name] ?? .null))
      }
      return schemas
    } catch {
      throw ToolFailure(
        what: "The two builds could not be compared.", why: "A schema cannot be read: \(error).",
        advice: "Look at both builds with `\(ToolProcess.replay) schema`.",
        exitCode: ToolExit.incompatible)
    }
  }

  private static func difference(
    ofInitial here: JSONValue, _ there: JSONValue, limit: Int
  ) -> Comparison {
    let fields = JSONDifference.between(here, there, limit: limit)
    return Comparison(
      lines: ["The states before the first record differ, in this build and in the other:"]
        + ChangeText.lines(
          JSONDifference.values(between: here.withDurationTexts, there.withDurationTexts),
          limit: limit),
      json: [
        "same": false, "first": 0, "differs": .array(["states"]), "record": .null,
        "command": .null,
        "state": .array(
          fields.map {
            [
              "field": .string($0.path), "before": .null, "here": $0.before ?? .null,
              "there": $0.after ?? .null,
            ]
          }),
      ],
      what: "The two builds fold the log to different states.",
      why: "Their states differ before the first record.",
      advice: "Look at the initial state of both builds.")
  }

  /// Returns the names of the digests of a stretch of records that differ.
  private mutating func differences(
    from start: UInt64, through end: UInt64
  ) throws(ToolFailure) -> [String] {
    let count = end - start
    // The other build folds while this one does.
    try other.send("goto \(start)")
    try other.send(other.comparesOutcomes ? "digests \(count)" : "hashes \(count)")
    _ = try session.answer(.move(.goto(.sequence(start))))
    let here = try session.answer(other.comparesOutcomes ? .digests(count) : .hashes(count)).json
    _ = try other.receive()
    let there = try other.receive()
    return Self.digests.filter { here[$0] != there[$0] }
  }

  private mutating func firstDifference(
    after start: UInt64, upTo end: UInt64
  ) throws(ToolFailure) -> UInt64 {
    var low = start
    var high = end
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try differences(from: low, through: middle).isEmpty { low = middle } else { high = middle }
    }
    return high
  }

  private mutating func comparison(at sequence: UInt64) throws(ToolFailure) -> Comparison {
    let names = try differences(from: sequence - 1, through: sequence)
    let place = try session.answer(.move(.goto(.sequence(sequence))))
    _ = try other.ask("goto \(sequence)")
    var reader = RecordReader(storage)
    let command = try orFail(try reader.command(of: sequence))
    var parts: [Part] = []
    if names.contains("digest") || names.contains("states") { parts.append(try stateDifference()) }
    if names.contains("effects") { parts.append(try effectDifference()) }
    if names.contains("decisions") { parts.append(try decisionDifference()) }
    let words = parts.map(\.noun).joined(separator: " and ")
    var lines = [
      parts.first?.noun == "states"
        ? "The first record after which the states differ is \(sequence):"
        : "The first record of which the \(words) differ is \(sequence):"
    ]
    lines += place.lines.dropFirst()
    if let command { lines.append("the command that led to it: \(command.line)") }
    for part in parts { lines += part.lines }
    let members: [JSONValue.Member] = [
      .init("same", false), .init("first", .integer(Int64(clamping: sequence))),
      .init("differs", .array(parts.map { .string($0.noun) })),
      .init("record", place.json["record"] ?? .null), .init("command", command?.json ?? .null),
      .init("state", .array([])),
    ]
    return Comparison(
      lines: lines,
      json: .object(
        members.filter { member in !parts.contains { $0.member.name == member.name } }
          + parts.map(\.member)),
      what: parts.first?.what ?? "The two builds differ.",
      why: parts.first?.noun == "states"
        ? "They agree up to record \(sequence - 1) and differ after record \(sequence)."
        : "They agree up to record \(sequence - 1); the \(words) of record \(sequence) differ.",
      advice: parts.first?.advice ?? "Look at the record with `\(ToolProcess.replay) step`.")
  }

  /// The part of a comparison at one record that is about states, effects or decisions.
  private struct Part {
    var noun: String
    var lines: [String]
    var member: JSONValue.Member
    var what: String
    var advice: String

    init(
      _ noun: String, heading: String, member: String, _ fields: [StepFields.Field],
      values: [StepFields.Field]? = nil, what: String, advice: String
    ) {
      (self.noun, self.what, self.advice) = (noun, what, advice)
      lines = [heading]
      for field in values ?? fields {
        lines.append("  \(field.path)")
        if noun == "states" {
          lines.append("    before  \(ChangeText.short(field.before))")
        }
        lines.append("    here    \(Self.text(of: field.here, at: field.path, of: noun))")
        lines.append("    there   \(Self.text(of: field.there, at: field.path, of: noun))")
      }
      self.member = JSONValue.Member(
        member,
        .array(
          fields.map {
            [
              "field": .string($0.path), "before": $0.before ?? .null, "here": $0.here ?? .null,
              "there": $0.there ?? .null,
            ]
          }))
    }

    /// Returns a value; an effect is a text without quotation marks, and is not cut: what differs
    /// may be at its end.
    private static func text(of value: JSONValue?, at path: String, of noun: String) -> String {
      guard noun == "effects" else { return ChangeText.short(value) }
      if path == "effect", let effect = value?.stringValue {
        return effect.utf8.isEmpty ? "none" : SafeText.line(effect, bytesMax: .max)
      }
      return ChangeText.short(value, limit: .max)
    }
  }

  private mutating func stateDifference() throws(ToolFailure) -> Part {
    let here = try session.answer(.diff).json
    let there = try other.ask("diff")
    let fields = StepFields(here).differences(from: StepFields(there), limit: limit)
    var values: [StepFields.Field]?
    if let here = here["shown"], let there = there["shown"] {
      values = StepFields(here).differences(from: StepFields(there), limit: limit)
    }
    return Part(
      "states",
      heading: "values by path: before the record, after it in this build (here) and in the "
        + "other (there)",
      member: "state", fields, values: values,
      what: "The two builds fold the log to different states.",
      advice: "Look at how both builds reduce this record.")
  }

  private mutating func effectDifference() throws(ToolFailure) -> Part {
    let here = try session.answer(.effects).json
    let there = try other.ask("effects")
    let fields = fields(Self.effects(in: here), Self.effects(in: there))
    // An earlier release has no texts for people.
    let areShown = here["shown"] != nil && there["shown"] != nil
    let shown = values(
      Self.effects(in: here, shown: areShown), Self.effects(in: there, shown: areShown))
    return Part(
      "effects", heading: "the effect and the leaves in flight, in this build and in the other",
      member: "effect", fields, values: shown,
      what: "The two builds return different effects.",
      advice: "Look at the effects that both builds return for this record with "
        + "`\(ToolProcess.replay) step goto N effects`.")
  }

  private mutating func decisionDifference() throws(ToolFailure) -> Part {
    let here = try session.answer(.decision).json["decision"] ?? .null
    let there = try other.ask("decision")["decision"] ?? .null
    return Part(
      "decisions", heading: "the decision on the command, in this build and in the other",
      member: "decision", fields(here, there),
      values: values(here.withDurationTexts, there.withDurationTexts),
      what: "The two builds decide a command differently.",
      advice: "Look at the deciders of both builds.")
  }

  /// Returns what is compared of an answer to `effects`.
  private static func effects(in answer: JSONValue, shown: Bool = false) -> JSONValue {
    if shown, let texts = answer["shown"] {
      return [
        "effect": texts["effect"] ?? .null, "leaves": texts["leaves"] ?? .null,
        "inFlight": answer["inFlight"] ?? .null,
      ]
    }
    return [
      "effect": answer["work"] ?? .null, "leaves": answer["started"] ?? .null,
      "inFlight": answer["inFlight"] ?? .null,
    ]
  }

  private func fields(_ here: JSONValue, _ there: JSONValue) -> [StepFields.Field] {
    JSONDifference.between(here, there, limit: limit).map(StepFields.Field.init)
  }

  /// Returns the innermost values that differ, for people.
  private func values(_ here: JSONValue, _ there: JSONValue) -> [StepFields.Field] {
    JSONDifference.values(between: here, there).prefix(limit).map(StepFields.Field.init)
  }
}

/// The changes of a step by the full path of each place, parsed from the output of `diff`.
private struct StepFields {
  struct Field {
    var path: String
    var before: JSONValue?
    var here: JSONValue?
    var there: JSONValue?

    init(path: String, before: JSONValue?, here: JSONValue?, there: JSONValue?) {
      (self.path, self.before, self.here, self.there) = (path, before, here, there)
    }

    /// A value of both builds.
    init(_ difference: ValueDifference) {
      self.init(
        path: difference.path, before: nil, here: difference.before, there: difference.after)
    }
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
