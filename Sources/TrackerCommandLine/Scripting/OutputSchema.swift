import Retrace

/// The JSON Schema of what the commands print with `--json`.
///
/// New members need no new version; a program skips those that it does not know. Removing a member,
/// or changing its meaning, needs one.
enum OutputSchema {
  static let version = 1

  /// The schema, in the draft of 2020-12: a definition for each command.
  static var json: JSONValue {
    var definitions = shared.map { JSONValue.Member($0.key, $0.value.json) }
    for (shape, verbs) in verbs {
      definitions += verbs.split(separator: " ").map { .init(String($0), shape.json) }
    }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:retrace:track:output:1",
      "title": .string("What the commands of track print with --json, version \(version)"),
      "description": "A command prints values of its definition, a failure on standard error.",
      "$defs": .object(definitions),
    ]
  }

  /// The definitions of outputs, each with the verbs that print it.
  private static var verbs: KeyValuePairs<Shape, String> {
    [
      .named("change"): """
      start stop switch continue cancel pause resume add edit delete annotate tag untag move \
      lengthen shorten split join fill
      """,
      .named("restoration"): "undo redo restore",
      .object([
        "user": .string,
        "running": .nullable(.entry),
      ]): "status",
      .any([.list(.entry), .named("totals")]): "log",
      .list(.entry): "search",
      .list(change): "history",
      .any([.named("sections"), .named("goalProgress")]): "report",
      .named("periodSections"): "day week month",
      .list(
        .object([
          "start": .moment,
          "end": .moment,
          "seconds": .count,
        ])): "gaps",
      .any([
        .list(.named("closing")),
        .object(nil, adding: "closing", ["sequence?": .count, "dryRun?": .always(true)]),
      ]): "close reopen",
      .named("records"): "projects clients tasks tags workspaces users goals",
      .object([
        "weekStart": .string,
        "dayStart": .string(matching: #"^\d\d:\d\d$"#),
        "zone": .text,
        "dates": .words(
          "YYYY-MM-DD MM/DD/YYYY DD-MM-YYYY MM-DD-YYYY DD/MM/YYYY DD.MM.YYYY"),
        "clock": .words("24-hour 12-hour"),
        "durations": .words("classic improved decimal"),
        "askAfter": .text,
        "policy": .words("refuse adjust allow"),
        "currency": .text,
        "groupSimilar": .boolean,
        "manual": .boolean,
        "sequence?": .count,
        "dryRun?": .always(true),
      ]): "preferences",
      .object([
        "scene": .count,
        "path": .string,
        "stack": .list(.string),
      ]): "route",
      .any([
        .named("importCounts"),
        .object("With --acknowledge, the last record of each batch.", ["ok": .count]),
        .object(
          "With --cancel, the file and its rows in the log.",
          [
            "canceled": .string,
            "rows": .count,
            "dryRun?": .always(true),
          ]),
      ]): "import",
      .object(["page": .string]): "man",
      .object([
        "store": .string,
        "entries": .count,
        "seed": .count,
        "dryRun?": .always(true),
      ]): "demo",
      .object([
        "records": .count,
        "contents": .words("original anonymous redacted"),
        "message": .string,
        "allowed": .list(.string),
        "replaced": Shape(["type": "object"]).noted("The number of texts, by the field."),
        "zones": .list(.string),
        "places": .count.noted("How many screens were compared."),
        "firstRoute": .nullable(.count),
        "firstScreen": .nullable(.count).noted("The first record after which a screen differs."),
        "failures": .list(.string),
        "advice": .text,
        "bytes": .count,
        "output": .text,
      ]): "bugreport",
      .list(
        .object([
          "name": .string,
          "path": .string,
          "executable": .boolean,
        ])
      ).noted("The list of extensions; an extension prints what it likes."): "extension",
      .any([settings, setting]): "config",
      .object([
        "line?": .positive.noted("The line of a batch."),
        "error": .object([
          "what": .string,
          "why": .string,
          "do": .string,
          "exitCode": .positive,
          "code?": .string,
        ]),
      ]): "failure",
    ]
  }

  /// The definitions to which others refer.
  private static var shared: KeyValuePairs<String, Shape> {
    [
      "moment": .string(matching: #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"#),
      "recordMoment": .string(matching: #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"#).noted(
        "The moment of a record, always with six digits of a second."),
      "text": Shape(["type": ["string", "null"]]),
      "count": .integer(from: 0),
      "notes": .list(.string, atLeast: 1),
      "entry": .object(
        "A running entry has no end; its seconds are those until now.",
        [
          "id": .count.noted("It never changes."),
          "user": .string,
          "description": .string,
          "client": .text,
          "project": .text,
          "task": .text,
          "tags": .list(.string),
          "start": .moment,
          "end": .nullable(.moment),
          "zone": .string.noted("The time zone in which it was recorded."),
          "utcOffset": .integer.noted("The offset of that zone at the start, in seconds."),
          "seconds": .count.noted("The duration, rounded down."),
          "running": .boolean.noted("Whether it has no end."),
          "planned": .boolean.noted("Whether it has no end and begins later."),
          "deleted": .boolean,
          "billable": .boolean,
          "rate": .nullable(.integer).noted(
            "The price of an hour in hundredths: 8500 for --rate 85."),
          "currency": .text.noted(
            "The currency of the rate: of the workspace, else of the preferences; or null."),
          "workspace": .text,
          "annotations": .list(.string),
          "externalIDs": .list(.object(["source": .string, "id": .string])),
        ]),
      "change": .object(
        "What a change of entries did.",
        [
          "sequence": .count.noted("The last record of the change; 0 if nothing was written."),
          "entry": .nullable(.entry).noted("The entry that was named or made."),
          "stopped": .nullable(.entry).noted("The entry that a start stopped."),
          "adjusted": .list(.entry).noted("The other entries that changed."),
          "notes?": .notes.noted("What is worth knowing about the change; absent if nothing is."),
          "dryRun?": .always(true),
        ]),
      "restoration": .object([
        "sequence": .count,
        "changes": .positive.noted("How many were taken back."),
        "entries": .list(.entry),
        "unrestored": .list(
          .object(["type": .string, "id": .count, "field": .text])
        ).noted("The fields that keep their values, because they were changed since."),
        "dryRun?": .always(true),
      ]),
      "totals": .object([
        "entries": .count,
        "running": .count,
        "seconds": .integer,
        "users": .count,
        "projects": .count,
        "secondsInRange?": .integer.noted(
          "The time in the range, if one is given; seconds count whole entries."),
      ]),
      "value": .string.noted(
        "The value as text; a start and an end are moments, or running."),
      "range": .object([
        "start": .moment,
        "end": .nullable(.moment),
        "zone": .string,
      ]),
      "closing": .object(
        "A closed period.",
        [
          "id": .count,
          "start": .moment,
          "end": .moment,
          "of": .words("all user client").noted("Whose entries are closed."),
          "name": .text.noted("The user or the client; null for all."),
          "login": .string.noted("Who closed it."),
          "closed": .named("recordMoment"),
          "reason": .text,
        ]),
      "sums": .object([
        "seconds": .integer,
        "billableSeconds": .integer,
        "amounts": .list(.object(["currency": .text, "hundredths": .integer])),
      ]),
      "figures": .object(
        nil, adding: "sums",
        [
          "entries": .count,
          "rounded": .nullable(.named("sums")),
          "difference?": .object(
            nil, adding: "sums", ["rounded": .nullable(.named("sums"))]
          ).noted(
            "What the groups lack to be this; absent if they add up, and for each-tag."),
        ]),
      "group": .object(
        nil, adding: "figures",
        [
          "by": .words(
            "workspace client project task tag each-tag user description day week month"),
          "id": .nullable(.integer),
          "name?": .text,
          "names?": .list(.string),
          "deleted?": .always(true).noted(
            "true if it, or one of several tags, is deleted; else absent."),
          "percent": .integer,
          "groups": .list(.named("group")),
        ]),
      "sections": .object([
        "version": .always(1),
        "range": .named("range"),
        "totalOf": .words("exact lines").noted("What the totals are."),
        "total": .named("figures"),
        "overlapSeconds": .integer,
        "groups": .list(.named("group")),
      ]),
      "periodSections": .object(
        nil, adding: "sections",
        [
          "period": .periods,
          "parts": .list(.named("group")).noted(
            "The days of one period, or the periods if there are several."),
        ]),
      "goalSum": .object([
        "id": .count,
        "name": .string,
        "period": .periods,
        "start": .moment,
        "end": .moment,
        "limit": .boolean,
        "seconds": .integer,
        "targetSeconds": .integer,
        "leftSeconds": .count,
        "overSeconds": .count,
        "percent": .integer,
      ]),
      "goalProgress": .object([
        "version": .always(1),
        "user": .string,
        "goals": .list(.named("goalSum")),
        "balances": .list(
          .object(
            nil, adding: "goalSum",
            [
              "periods": .positive,
              "balanceSeconds": .integer.noted(
                "The seconds beyond the target; negative if they are fewer."),
            ])
        ).noted("Of each goal with several periods, those that have ended."),
      ]),
      "hours": .string(matching: #"^\d+:\d\d$"#).noted("Hours and minutes, such as 120:00."),
      "recorded": .object([
        "sequence?": .count,
        "dryRun?": .always(true),
        "notes?": .notes,
      ]).with(["oneOf": [["required": ["sequence"]], ["required": ["dryRun"]]]]),
      "records": .any([.named("recorded"), .list(entity)]),
      "differingRow": .object([
        "entry": .count,
        "edited": .boolean.noted("Whether the entry was changed since its import."),
        "command": .list(.string).noted(
          "The words after track that take the values of the row over."),
        "refusal?": .string.noted(
          "With --update, why the command is refused; absent otherwise."),
      ]),
      "importCounts": importCounts,
    ]
  }

  private static var change: Shape {
    .object([
      "sequence": .count,
      "moment": .named("recordMoment"),
      "isClockFixed": .boolean.noted("Whether the option --now gave the moment."),
      "realTime": .nullable(.named("recordMoment")).noted(
        "The time of the machine, if that is not the moment and is known."),
      "earlierThan": .nullable(.count).noted(
        "A record before it with a later moment, so the clock was probably set back."),
      "login": .string,
      "origin": .words("commandLine scene importing undo effect program"),
      "restores": .nullable(.count),
      "change": .nullable(.count).noted(
        "The sequence of the command whose change it is, or that it undid or restored."),
      "undone": .boolean,
      "reason": .text,
      "edits": .list(
        .object([
          "kind": .string,
          "id": .count,
          "verb": .string,
          "fields": .list(
            .object(["name": .string, "before": .named("value"), "after": .named("value")])),
        ])),
    ])
  }

  private static var entity: Shape {
    .object([
      "id": .count,
      "name": .string,
      "archived": .boolean,
      "client?": .string,
      "project?": .string,
      "tag?": .string,
      "workspace?": .string,
      "currency?": .string,
      "rate?": .string(matching: #"^\d+\.\d\d$"#).noted("The price of an hour, such as 90.00."),
      "billable?": .always("yes"),
      "estimate?": .named("hours"),
      "spent?": .named("hours"),
      "color?": .string,
      "target?": .named("hours"),
      "each?": .periods,
      "limit?": .always("yes"),
    ]).noted("What is not set is absent.")
  }

  private static var importCounts: Shape {
    .object([
      "created": .count.noted("By this run."),
      "resumed": .count.noted("By an interrupted run."),
      "skipped": .count,
      "deleted": .count,
      "clashing": .count.noted(
        "Rows whose id an earlier row of the file has, with other values."),
      "differingCount": .count,
      "differing": .list(.named("differingRow")),
      "updated?": .list(.named("differingRow")).noted(
        "With --update, the rows whose values the entries got."),
      "missing?": .list(.count).noted(
        "With --update, the entries gone from the file if no row is invalid."),
      "overlaps": .count,
      "overlapping?": .list(
        .object(["entry": .count, "other": .count, "sameStart": .boolean])
      ).noted("At most 1000 overlaps; sameStart if the other entry is older and begins as it."),
      "zeroDurations": .count,
      "repeatedTimes": .object(["earlier": .count, "later": .count]),
      "zone": .text.noted(
        "In which times without an offset were read; null for a format that has zones."),
      "secondsLeftOut": .integer.noted(
        "The time of clashing rows, and of rejected ones where it is known."),
      "rejectedCount": .count,
      "rejected": .list(
        .object([
          "file?": .string.noted("Of a directory, the file in it."),
          "line": .count,
          "column": .text,
          "value": .string,
          "reason": .string,
        ])),
      "running?": .count.noted(
        "The intervals or entries without an end; absent for CSV that has none."),
      "notes?": .notes,
      "dryRun?": .always(true).noted("true with --dry-run, else absent."),
    ])
  }

  private static var settings: Shape {
    .object(
      "The settings; each says where its value comes from.",
      [
        "version": .always(1),
        "path": .text,
        "exists": .boolean,
        "settings": .list(
          .object([
            "name": .string,
            "value": .string,
            "source": .words("option environment file default"),
            "option?": .string,
            "variable?": .string,
            "line?": .positive,
          ])),
        "filters": .list(.object(["name": .string, "filter": .string, "line": .positive])),
      ])
  }

  private static var setting: Shape {
    .object(
      "What path, edit, set and unset print; unset has the value null.",
      [
        "path": .string,
        "name?": .string,
        "value?": .text,
        "notes?": .notes,
        "dryRun?": .always(true),
      ]
    ).with(["not": ["required": ["version"]]])
  }
}

/// A schema of some values.
private struct Shape {
  private var members: [JSONValue.Member]

  init(_ members: KeyValuePairs<String, JSONValue>) {
    self.members = members.map { .init($0.key, $0.value) }
  }

  var json: JSONValue { .object(members) }

  static let string = Shape(["type": "string"])
  static let boolean = Shape(["type": "boolean"])
  static let integer = Shape(["type": "integer"])
  static let positive = integer(from: 1)
  static let count = named("count")
  static let text = named("text")
  static let moment = named("moment")
  static let notes = named("notes")
  static let entry = named("entry")
  static let periods = words("day week month")

  /// Returns the schema of a definition.
  static func named(_ name: String) -> Shape { Shape(["$ref": .string("#/$defs/\(name)")]) }

  static func integer(from minimum: Int64) -> Shape {
    integer.with(["minimum": .integer(minimum)])
  }

  static func string(matching pattern: String) -> Shape {
    string.with(["pattern": .string(pattern)])
  }

  static func always(_ value: JSONValue) -> Shape { Shape(["const": value]) }

  /// Returns the schema of some words, which a text separates by blanks.
  static func words(_ text: String) -> Shape {
    Shape(["enum": .array(text.split(separator: " ").map { .string(String($0)) })])
  }

  static func any(_ shapes: [Shape]) -> Shape { Shape(["anyOf": .array(shapes.map(\.json))]) }

  static func nullable(_ shape: Shape) -> Shape { any([shape, Shape(["type": "null"])]) }

  static func list(_ items: Shape, atLeast least: Int64 = 0) -> Shape {
    let list = Shape(["type": "array", "items": items.json])
    return least > 0 ? list.with(["minItems": .integer(least)]) : list
  }

  /// Returns the schema of an object; `?` follows the names of members that may be absent.
  ///
  /// - Parameter base: The definition whose members the object has, too.
  static func object(
    _ note: String?, adding base: String? = nil, _ fields: KeyValuePairs<String, Shape>
  ) -> Shape {
    let object = base.map { Shape(["allOf": [named($0).json]]) } ?? Shape(["type": "object"])
    let required = fields.map(\.key).filter { !$0.hasSuffix("?") }
    let properties = fields.map { name, shape in
      JSONValue.Member(name.hasSuffix("?") ? String(name.dropLast()) : name, shape.json)
    }
    return object.with([
      "properties": .object(properties), "required": .array(required.map { .string($0) }),
    ]).noted(note)
  }

  static func object(_ fields: KeyValuePairs<String, Shape>) -> Shape { object(nil, fields) }

  /// Returns the schema with a description.
  func noted(_ note: String?) -> Shape {
    note.map { with(["description": .string($0)]) } ?? self
  }

  func with(_ more: KeyValuePairs<String, JSONValue>) -> Shape {
    var shape = self
    shape.members += Shape(more).members
    return shape
  }
}
