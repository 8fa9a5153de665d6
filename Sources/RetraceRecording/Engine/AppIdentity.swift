import Retrace
import RetraceStorage
import RetraceSystem

/// The schemas and fingerprints of an app, determined once when a store is opened.
struct AppIdentity: Sendable {
  let schemas: AppSchemas
  let reducerFingerprint: Digest

  init<App: ReplayableApp>(of app: App.Type, in log: LogStorage) {
    schemas = log.snapshots.schemas(of: app)
    reducerFingerprint = App.reducerFingerprint
  }

  var foldFingerprint: FoldFingerprint {
    FoldFingerprint(
      stateSchema: schemas.stateFingerprint, reducer: reducerFingerprint,
      decoding: schemas.action.digests.fingerprint)
  }
}
