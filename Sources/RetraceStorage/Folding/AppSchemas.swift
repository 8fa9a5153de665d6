package import Retrace
import RetraceSystem

/// The schemas of an app, cached for the process.
///
/// Composing the schemas of a large app takes longer than opening a log. Nearly every process needs
/// only their digests, which `SchemaDigestFile` keeps beside the log.
package struct AppSchemas: Sendable {
  package let action: AppSchema
  package let stateFingerprint: Digest
  /// The schemas of commands and refusals; `nil` if the app has no commands.
  package let commands: Commands?
  /// How the app reads other, readable schemas of actions, by the SHA-256 of their JSON.
  private(set) var others: [Digest: SchemaReading] = [:]
  /// Whether this process knows something that the digest file lacks.
  private(set) var isNew: Bool

  package struct Commands: Sendable {
    package let command: AppSchema
    package let refusal: AppSchema
  }

  private static let known = Lock<[ObjectIdentifier: AppSchemas]>([:])

  /// Returns the schemas of an app.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - snapshots: The directory that may keep the digests; it is used the first time.
  /// - Complexity: O(1) with digests or after the first time, else O(bytes of the schemas).
  package static func of<App: ReplayableApp>(
    _ app: App.Type, in snapshots: SnapshotStorage? = nil
  ) -> AppSchemas {
    known.withLock { known in
      if let schemas = known[ObjectIdentifier(app)] { return schemas }
      let schemas: AppSchemas
      if let digests = snapshots?.schemaDigests(of: app), let kept = AppSchemas(digests, of: app) {
        schemas = kept
      } else {
        schemas = AppSchemas(composing: app)
      }
      known[ObjectIdentifier(app)] = schemas
      return schemas
    }
  }

  /// Notes how an app reads another schema, to be written to the digest file.
  static func note<App: ReplayableApp>(
    _ reading: SchemaReading, of text: Digest, for app: App.Type
  ) {
    known.withLock { known in
      let key = ObjectIdentifier(app)
      guard known[key]?.others[text] == nil else { return }
      known[key]?.others[text] = reading
      known[key]?.isNew = true
    }
  }

  var digests: SchemaDigests {
    var digests = SchemaDigests(action: action.digests, stateFingerprint: stateFingerprint)
    if let commands {
      digests.commands = [commands.command.digests, commands.refusal.digests]
    }
    digests.others = others
    return digests
  }

  init<App: ReplayableApp>(composing app: App.Type) {
    isNew = true
    action = AppSchema(composing: "actions of \(App.name)") { App.Action.schema }
    var composer = SchemaComposer()
    stateFingerprint = App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self)
    commands =
      App.Command.self == NoCommand.self
      ? nil
      : Commands(
        command: AppSchema(composing: "commands of \(App.name)") { App.Command.schema },
        refusal: AppSchema(composing: "refusals of \(App.name)") { App.Refusal.schema })
  }

  /// Returns `nil` if the app has commands and the digests have no schemas of commands, or the
  /// reverse.
  init?<App: ReplayableApp>(_ digests: SchemaDigests, of app: App.Type) {
    guard digests.commands.count == (App.Command.self == NoCommand.self ? 0 : 2) else {
      return nil
    }
    isNew = false
    others = digests.others
    action = AppSchema(digests.action, "actions of \(App.name)") { App.Action.schema }
    stateFingerprint = digests.stateFingerprint
    commands =
      digests.commands.isEmpty
      ? nil
      : Commands(
        command: AppSchema(digests.commands[0], "commands of \(App.name)") { App.Command.schema },
        refusal: AppSchema(digests.commands[1], "refusals of \(App.name)") { App.Refusal.schema })
  }
}

package struct AppSchemaDigests: Hashable, Sendable {
  package var fingerprint: Digest
  /// The SHA-256 of the schema's JSON, as a log stores it.
  package var text: Digest
  /// As `LimitCheck.minViolationByteCount`.
  package var minViolationByteCount: Int
}

/// One schema of an app, which is composed when more than its digests is needed.
package final class AppSchema: Sendable {
  package let digests: AppSchemaDigests
  private let name: String
  private let make: @Sendable () -> Schema
  private let composed: Lock<Composed?>

  private struct Composed {
    var schema: Schema
    var text: String
    var limits: LimitCheck

    init(_ schema: Schema, named name: String) {
      self.schema = schema
      text = schema.text
      do throws(AvroError) {
        limits = try LimitCheck(schema, text: text)
      } catch {
        preconditionFailure("AppSchema: the \(name) have no valid schema: \(error)")
      }
    }
  }

  init(composing name: String, _ make: @escaping @Sendable () -> Schema) {
    let first = Composed(make(), named: name)
    self.name = name
    self.make = make
    digests = AppSchemaDigests(
      fingerprint: first.schema.fingerprint(with: SHA256Hasher.self),
      text: SHA256Hasher.digest(of: first.text.utf8.span),
      minViolationByteCount: first.limits.minViolationByteCount)
    composed = Lock(first)
  }

  init(_ digests: AppSchemaDigests, _ name: String, _ make: @escaping @Sendable () -> Schema) {
    self.digests = digests
    self.name = name
    self.make = make
    composed = Lock(nil)
  }

  private func all() -> Composed {
    composed.withLock { composed in
      if let known = composed { return known }
      let new = Composed(make(), named: name)
      composed = new
      return new
    }
  }

  /// The schema.
  ///
  /// - Complexity: O(parts of the schema) the first time, as for ``text`` and ``limits``.
  package var schema: Schema { all().schema }
  /// The JSON of the schema, as a log stores it.
  package var text: String { all().text }
  /// The check that rejects encoded values beyond the limits of decoding.
  package var limits: LimitCheck { all().limits }
}
