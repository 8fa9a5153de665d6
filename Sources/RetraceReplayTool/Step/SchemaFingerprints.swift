import Retrace
import RetraceSystem

/// The fingerprints of a build's schemas; `compare --with` requires equal state schemas.
struct SchemaFingerprints {
  var actionSchema: Digest
  var stateSchema: Digest

  static func of<App: ReplayableApp>(_ app: App.Type) -> SchemaFingerprints {
    var composer = SchemaComposer()
    return SchemaFingerprints(
      actionSchema: App.Action.schema.fingerprint(with: SHA256Hasher.self),
      stateSchema: App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self))
  }
}
