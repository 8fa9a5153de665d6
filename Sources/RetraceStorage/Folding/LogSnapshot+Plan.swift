public import RetraceArchitecture
import RetraceAvro
public import RetraceLog
import RetraceSchema
import RetraceSystem

extension LogSnapshot {
  /// How the records of this log become the actions of an app.
  ///
  /// - Complexity: O(bytes of the schemas in the log); resolution is compiled for each that is not
  ///   the app's own.
  /// - Throws: `damaged` when a schema is not the one that its sessions name, or none at all;
  ///   `incompatible`, naming type and field, when the app cannot read what was recorded under one.
  public func plan<App: ReplayableApp>(for app: App.Type) throws(StoreError) -> DecodingPlan<App> {
    let plan = try planWithVerdicts(for: app)
    guard let (number, verdict) = plan.firstUnreadable else { return plan }
    // A schema that is not the one recorded is damage, not another version.
    try checkSchemas(plan)
    throw StoreError.unreadable(schema: number, verdict, app: App.name)
  }

  /// The plan of this log also where the app cannot read all of it, to show the verdicts.
  ///
  /// - Complexity: As ``plan(for:)``.
  /// - Throws: `damaged` when a schema cannot be parsed.
  public func planWithVerdicts<App: ReplayableApp>(
    for app: App.Type
  ) throws(StoreError) -> DecodingPlan<App> {
    let own = AppSchemas.of(app)
    var plan = DecodingPlan<App>(own.action)
    while let json = try schema(UInt32(plan.schemas.count + 1)) {
      // Nearly every log has been written by builds with one schema, which is not parsed.
      if json.utf8.elementsEqual(own.actionText.utf8) {
        plan.appendOwn(own.actionFingerprint)
        continue
      }
      let number = UInt32(plan.schemas.count + 1)
      do throws(AvroError) {
        try plan.append(try Schema(parsing: json), hashing: SHA256Hasher.self)
      } catch {
        throw StoreError.damaged(sequence: 1, detail: "schema \(number): \(error)")
      }
    }
    return plan
  }

  /// Checks that every session names the schema that it writes with.
  ///
  /// - Complexity: O(bytes of the log).
  private func checkSchemas<App: ReplayableApp>(
    _ plan: DecodingPlan<App>
  ) throws(StoreError) {
    guard head.sequence > 0 else { return }
    try scan(from: 1, through: head.sequence) { record throws(StoreError) in
      guard record.kind == .sessionOpened, let stored = plan.schema(record.schema),
        let opened = try? record.systemPayload(as: SessionOpened.self)
      else { return }
      guard opened.actionSchema == stored.fingerprint else {
        throw StoreError(FoldError.foreignSchema(session: record.sequence, schema: record.schema))
      }
    }
  }
}

extension StoreError {
  /// An error for a log that holds what an app cannot read.
  static func unreadable(schema: UInt32, _ verdict: SchemaVerdict, app: String) -> StoreError {
    let differences = verdict.differences
    let shown = differences.prefix(3).map(\.description).joined(separator: "; ")
    let more = differences.count > 3 ? "; and \(differences.count - 3) more" : ""
    let advice: String
    if case .needsUpcaster = verdict {
      advice =
        "Give `\(app)` an upcaster for each case that it names, or retire the case; until then use "
        + "the build that recorded it. `audit` reads every record."
    } else {
      advice = "Use the build that recorded it. `audit` reads every record."
    }
    return StoreError(
      .incompatible, what: "The log cannot be folded by this build of \(app).",
      why: "Schema \(schema): \(verdict.name). \(shown)\(more).", advice: advice)
  }
}
