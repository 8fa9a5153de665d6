package import RetraceArchitecture
package import RetraceAvro
package import RetraceSchema
import RetraceState
import RetraceSystem

/// The schemas of an app, cached for the process.
///
/// Composing them and computing their fingerprints takes about as long as opening a log.
package struct AppSchemas: Sendable {
  /// The schema of the app's actions.
  package let action: Schema
  /// The JSON of that schema, as the log stores it.
  package let actionText: String
  /// The fingerprint of the actions' schema.
  package let actionFingerprint: Digest
  /// The fingerprint of the state's schema.
  package let stateFingerprint: Digest
  /// The check that rejects encoded actions beyond the limits of decoding.
  package let limits: LimitCheck

  private static let known = Lock<[ObjectIdentifier: AppSchemas]>([:])

  /// Returns the schemas of an app.
  ///
  /// - Complexity: O(bytes of the schemas) the first time, then O(1).
  package static func of<App: ReplayableApp>(_ app: App.Type) -> AppSchemas {
    known.withLock { known in
      if let schemas = known[ObjectIdentifier(app)] { return schemas }
      let schemas = AppSchemas(composing: app)
      known[ObjectIdentifier(app)] = schemas
      return schemas
    }
  }

  private init<App: ReplayableApp>(composing app: App.Type) {
    action = App.Action.schema
    actionText = action.text
    do throws(AvroError) {
      limits = try LimitCheck(action, text: actionText)
    } catch {
      preconditionFailure("AppSchemas: the actions of \(App.name) have no valid schema: \(error)")
    }
    actionFingerprint = action.fingerprint(with: SHA256Hasher.self)
    var composer = SchemaComposer()
    stateFingerprint = App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self)
  }
}

/// The schemas of an app's commands and refusals, cached for the process.
package struct CommandSchemas: Sendable {
  /// The JSON of the commands' schema, as the log stores it.
  package let commandText: String
  /// The fingerprint of the commands' schema.
  package let commandFingerprint: Digest
  /// The check that rejects encoded commands beyond the limits of decoding.
  package let limits: LimitCheck
  /// The check that rejects encoded refusals beyond the limits of decoding.
  package let refusalLimits: LimitCheck
  /// The JSON of the refusals' schema, as the log stores it.
  package let refusalText: String
  /// The fingerprint of the refusals' schema.
  package let refusalFingerprint: Digest

  private static let known = Lock<[ObjectIdentifier: CommandSchemas]>([:])

  /// Returns the schemas of an app; `nil` if the app has no commands.
  ///
  /// - Complexity: O(bytes of the schemas) the first time, then O(1).
  package static func of<App: ReplayableApp>(_ app: App.Type) -> CommandSchemas? {
    if App.Command.self == NoCommand.self { return nil }
    return known.withLock { known in
      if let schemas = known[ObjectIdentifier(app)] { return schemas }
      let schemas = CommandSchemas(composing: app)
      known[ObjectIdentifier(app)] = schemas
      return schemas
    }
  }

  private init<App: ReplayableApp>(composing app: App.Type) {
    let (command, refusal) = (App.Command.schema, App.Refusal.schema)
    (commandText, refusalText) = (command.text, refusal.text)
    do throws(AvroError) {
      limits = try LimitCheck(command, text: commandText)
      refusalLimits = try LimitCheck(refusal, text: refusalText)
    } catch {
      preconditionFailure(
        "CommandSchemas: the commands or refusals of \(App.name) have no valid schema: \(error)")
    }
    commandFingerprint = command.fingerprint(with: SHA256Hasher.self)
    refusalFingerprint = refusal.fingerprint(with: SHA256Hasher.self)
  }
}
