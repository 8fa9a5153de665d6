import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceSystem

/// What tells two builds of an app apart, as sessions record it.
struct BuildIdentity {
  /// The fingerprint of the schema of actions.
  var actionSchema: Digest
  /// The fingerprint of the schema of the state.
  var stateSchema: Digest

  /// The identity of the app of this build.
  static func of<App: ReplayableApp>(_ app: App.Type) -> BuildIdentity {
    var composer = SchemaComposer()
    return BuildIdentity(
      actionSchema: App.Action.schema.fingerprint(with: SHA256Hasher.self),
      stateSchema: App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self))
  }
}
