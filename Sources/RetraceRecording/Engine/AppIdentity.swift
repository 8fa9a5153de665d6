import RetraceArchitecture
import RetraceAvro
import RetraceSystem
import RetraceStorage

/// The schemas and fingerprints of an app, computed once when a store is opened.
struct AppIdentity: Sendable {
  let actionSchema: String
  let actionFingerprint: Digest
  let stateFingerprint: Digest
  let reducerFingerprint: Digest

  init<App: ReplayableApp>(of app: App.Type) {
    let schemas = AppSchemas.of(app)
    actionSchema = schemas.actionText
    actionFingerprint = schemas.actionFingerprint
    stateFingerprint = schemas.stateFingerprint
    reducerFingerprint = App.reducerFingerprint
  }

  /// The fingerprint that snapshots are saved with.
  var foldFingerprint: FoldFingerprint {
    FoldFingerprint(
      stateSchema: stateFingerprint, reducer: reducerFingerprint, decoding: actionFingerprint)
  }
}
