import Retrace
import RetraceSystem

/// The fingerprints of a build's schemas; `compare --with` requires equal state schemas.
struct SchemaFingerprints {
  /// The fingerprint of the schema of actions.
  var actionSchema: Digest
  /// The fingerprint of the schema of the state.
  var stateSchema: Digest

  /// Returns the fingerprints of this build.
  static func of<App: ReplayableApp>(_ app: App.Type) -> SchemaFingerprints {
    var composer = SchemaComposer()
    return SchemaFingerprints(
      actionSchema: App.Action.schema.fingerprint(with: SHA256Hasher.self),
      stateSchema: App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self))
  }
}
