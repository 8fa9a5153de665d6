import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceSystem

/// The fingerprints by which sessions distinguish two builds of an app.
struct SchemaFingerprints {
  /// The fingerprint of the schema of actions.
  var actionSchema: Digest
  /// The fingerprint of the schema of the state.
  var stateSchema: Digest

  /// Returns the identity of this build's app.
  static func of<App: ReplayableApp>(_ app: App.Type) -> SchemaFingerprints {
    var composer = SchemaComposer()
    return SchemaFingerprints(
      actionSchema: App.Action.schema.fingerprint(with: SHA256Hasher.self),
      stateSchema: App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self))
  }
}
