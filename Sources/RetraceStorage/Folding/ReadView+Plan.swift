public import Retrace
import RetraceSystem

extension ReadView {
  /// Returns the plan for decoding this log's records as actions of an app.
  ///
  /// - Complexity: O(bytes of the schemas in the log), and compiling the resolution of each schema
  ///   that differs from the app's own.
  /// - Throws: `damaged` if a session's schema is missing or is not the one that it names;
  ///   `incompatible`, naming the type and the field, if the app cannot read a schema.
  public func plan<App: ReplayableApp>(
    for app: App.Type
  ) throws(StoreError) -> DecodingPlan<App> {
    try plan(for: app, loadingAll: true)
  }

  /// Returns the plan for decoding this log's records as actions of an app.
  ///
  /// - Parameter loadingAll: Whether to load also the schemas whose verdict is cached. If `false`,
  ///   only the functions of this view that fold records load such a schema, at its first record.
  /// - Complexity: As ``plan(for:)``; O(schemas) if all verdicts are cached and `loadingAll` is
  ///   `false`.
  /// - Throws: As ``plan(for:)``.
  func plan<App: ReplayableApp>(
    for app: App.Type, loadingAll: Bool
  ) throws(StoreError) -> DecodingPlan<App> {
    let plan = try planWithVerdicts(for: app, loadingAll: loadingAll)
    guard let (number, verdict) = plan.firstUnreadable else { return plan }
    // A schema without the fingerprint that its session names is damage, not another version.
    let writer = try checkSchemas(plan, lookingFor: number)
    let isNewer = plan.schemas.prefix(Int(number) - 1).contains { $0.verdict == .same }
    throw StoreError.unreadable(
      schema: number, verdict, app: App.name, writer: writer, isNewer: isNewer)
  }

  /// Returns the plan even if the app cannot read the whole log, to show the verdicts.
  ///
  /// - Complexity: As ``plan(for:)``.
  /// - Throws: `damaged` if a schema cannot be parsed.
  package func planWithVerdicts<App: ReplayableApp>(
    for app: App.Type, loadingAll: Bool = true
  ) throws(StoreError) -> DecodingPlan<App> {
    let schemas = AppSchemas.of(app)
    let own = schemas.action
    var plan = DecodingPlan<App>(own.schema)
    while true {
      let number = UInt32(plan.schemas.count + 1)
      guard let text = try schemaDigest(number) else { break }
      // Nearly every log has one schema, the app's own, which need not be composed or parsed.
      if text == own.digests.text {
        plan.appendOwn(own.digests.fingerprint)
        continue
      }
      if !loadingAll, let reading = schemas.others[text] {
        plan.append(notLoaded: reading)
        continue
      }
      guard let json = try schema(number) else { break }
      do throws(AvroError) {
        try plan.append(try Schema(parsing: json), hashing: SHA256Hasher.self)
      } catch {
        throw StoreError.damaged(
          sequence: 1, detail: "schema \(number) cannot be parsed: \(error)")
      }
      if let read = plan.schemas.last, read.verdict.isReadable {
        AppSchemas.note(read.reading, of: text, for: app)
      }
    }
    return plan
  }

  /// Checks that each session's action schema has the fingerprint that the session recorded.
  ///
  /// - Returns: The opening of the first session with a schema.
  /// - Complexity: O(bytes of the log).
  private func checkSchemas<App: ReplayableApp>(
    _ plan: DecodingPlan<App>, lookingFor number: UInt32
  ) throws(StoreError) -> SessionOpened? {
    guard head.sequence > 0 else { return nil }
    var found: SessionOpened?
    try scan(from: 1, through: head.sequence) { record throws(StoreError) in
      guard record.kind == .sessionOpened, let stored = plan.schema(record.schema),
        let opened = try? record.systemPayload(as: SessionOpened.self)
      else { return }
      guard opened.actionSchema == stored.fingerprint else {
        throw StoreError(FoldError.schemaMismatch(session: record.sequence, schema: record.schema))
      }
      if found == nil, record.schema == number { found = opened }
    }
    return found
  }
}

extension StoreError {
  /// Returns the error of a schema that cannot be folded, with the remedy.
  ///
  /// - Parameters:
  ///   - schema: The number of the schema.
  ///   - verdict: The verdict on it.
  ///   - app: The name of the app that reads.
  ///   - writer: The opening of the first session with the schema.
  ///   - isNewer: Whether the log has an earlier schema that is the app's own.
  package static func unreadable(
    schema: UInt32, _ verdict: SchemaVerdict, app: String, writer: SessionOpened?, isNewer: Bool
  ) -> StoreError {
    let audit = "`audit` can read every record without folding."
    let what = "The log cannot be folded by this build of \(app)."
    if let writer, !writer.app.utf8.elementsEqual(app.utf8) {
      return StoreError(
        .incompatible, what: what, why: "This is a store of \(writer.app), not of \(app).",
        advice: "Name a store of \(app), or use the tools of \(writer.app). \(audit)")
    }
    let differences = verdict.differences
    let shown = differences.prefix(3).map(\.description).joined(separator: "; ")
    let more = differences.count > 3 ? "; and \(differences.count - 3) more" : ""
    let isHopeless = if case .impossible = verdict { true } else { false }
    var advice = "Use the build that recorded it. \(audit)"
    if !isHopeless && !isNewer {
      advice =
        "If a case was renamed, write `// recorded: was OLDNAME` after it and run "
        + "`Tools/generate/run`. If it was removed, retire it; if it changed, give `\(app)` an "
        + "upcaster for it. Until then use the build that recorded it. \(audit)"
    }
    let reason = verdict.name + (isHopeless ? " to read, even with an upcaster" : "")
    let newer = "This log is newer than the program: build \(writer?.build ?? "") wrote to it. "
    return StoreError(
      .incompatible, what: what,
      why: (isNewer ? newer : "") + "Schema \(schema): \(reason). \(shown)\(more).", advice: advice)
  }
}

extension LogStorage {
  /// Returns the actions of a range of records, as a fold would reduce them; skips other records.
  ///
  /// - Complexity: O(bytes of the records and of the schemas).
  /// - Throws: ``StoreError``; `incompatible` if this build cannot read a record.
  package func actions<App: ReplayableApp>(
    of app: App.Type, at sequences: Range<UInt64>
  ) throws(StoreError) -> [App.Action] {
    guard !sequences.isEmpty else { return [] }
    var actions: [App.Action] = []
    try withReadView { view throws(StoreError) in
      let plan = try view.plan(for: App.self)
      try view.scan(from: sequences.lowerBound, through: sequences.upperBound - 1) {
        record throws(StoreError) in
        guard record.kind == .action else { return }
        do throws(FoldError) {
          actions += try plan.actions(of: record) ?? []
        } catch {
          throw StoreError(error)
        }
      }
    }
    return actions
  }
}
