import Retrace
import RetraceBundle
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// The check of one bundle in this process.
enum BundleChecker<App: ReplayableApp> {
  /// Verifies a bundle, decides its commands again, and reads its last routes if they are wanted.
  ///
  /// A reducer that traps ends the process.
  ///
  /// - Complexity: O(records), each hashed, decoded and reduced; reduced twice for the routes.
  static func check(_ request: BundleRequest) -> BundleAnswer {
    // A store is not taken for a bundle: many processes would open it.
    let path = request.path
    guard LogStorage.isBundle(path) else { return BundleAnswer(notABundle(path)) }
    do throws(ToolFailure) {
      return try StoreLocation.withLog(at: path) { storage throws(ToolFailure) in
        answer(storage, wantsRoutes: request.wantsRoutes)
      }
    } catch {
      // The bytes of a bundle that cannot be opened are damaged from the first record on.
      let finding: BundleFinding =
        switch error.exitCode {
        case ToolExit.damaged: BundleFinding(.damaged, at: 1)
        case ToolExit.incompatible: BundleFinding(.incompatible)
        default: BundleFinding(.unread)
        }
      return BundleAnswer(finding, error)
    }
  }

  private static func notABundle(_ path: String) -> StoreError {
    do throws(StoreError) {
      _ = try LogStorage.open(bundle: path)
    } catch {
      return error
    }
    return StoreError.damaged(sequence: 1, detail: "the file was replaced while it was read")
  }

  private static func answer(_ storage: LogStorage, wantsRoutes: Bool) -> BundleAnswer {
    var details: [JSONValue.Member] = []
    do throws(StoreError) {
      details = try BundleDetails.members(of: storage)
      let found = try Verifier<App>.verify(
        storage, decidingCommands: true, onOneThread: true)
      var finding = BundleFinding(found)
      if wantsRoutes { finding.routes = try BundleFinding.routes(of: App.self, in: storage) }
      details += counts(of: found)
      guard let difference = found.firstDifference else {
        return BundleAnswer(finding, nil, details: details)
      }
      details += [
        .init("kind", .string(difference.kind.rawValue)),
        .init("name", BundleDetails.name(of: difference.record, in: storage)),
      ]
      return BundleAnswer(finding, failure(difference.kind, in: found), details: details)
    } catch {
      return BundleAnswer(error, details: details)
    }
  }

  private static func counts(of found: Verification) -> [JSONValue.Member] {
    [
      .init("build", .string(App.build)), .init("reducer", .string(App.reducerFingerprint.hex)),
      .init("chain", .string(found.chain.hex)), .init("stateHash", .string(found.stateHash.hex)),
      .init("compared", .integer(Int64(found.compared))),
      .init("decided", .integer(Int64(found.decisions?.decided ?? 0))),
    ]
  }

  /// Returns the failure that `verify` reports for a difference.
  private static func failure(
    _ kind: Verification.DifferenceKind, in found: Verification
  ) -> ToolFailure? {
    switch kind {
    case .stateHash: found.firstDivergence.map { VerificationFailure.states($0, in: found) }
    case .effect: found.effects.firstDivergence.map { VerificationFailure.effects($0, in: found) }
    case .invariant:
      found.firstViolations.map { VerificationFailure.invariants($0, isEvery: false) }
    case .decision:
      found.decisions?.firstDivergence.map { VerificationFailure.decisions($0, in: found) }
    }
  }
}

/// What a bundle says of itself, without a fold.
enum BundleDetails {
  /// Returns the name of the app, the contents, the size, and the builds that recorded it.
  ///
  /// - Complexity: O(records), without decoding actions.
  static func members(of storage: LogStorage) throws(StoreError) -> [JSONValue.Member] {
    var builds: [JSONValue] = []
    let last = try storage.withReadView { (view) throws(StoreError) in
      guard view.head.sequence > 0 else { return UInt64(0) }
      try view.scan(from: 1, through: view.head.sequence) { record throws(StoreError) in
        guard record.kind == .sessionOpened else { return }
        let opened = try record.storedPayload(as: SessionOpened.self)
        let build: JSONValue = [
          "build": .string(opened.build), "reducer": .string(opened.reducer.hex),
        ]
        if !builds.contains(build) { builds.append(build) }
      }
      return view.head.sequence
    }
    return [
      .init("app", .string(storage.bundle?.header.app ?? "")),
      .init("contents", .string(storage.bundle?.header.contents.symbol ?? "")),
      .init("bytes", .integer(Int64(storage.bundle?.byteCount ?? 0))),
      .init("records", .integer(Int64(clamping: last))),
      .init("recordedBy", .array(builds)),
    ]
  }

  /// Returns the name of the action or the command of a record, or the kind of another record;
  /// `null` if it cannot be read.
  static func name(of record: UInt64, in storage: LogStorage) -> JSONValue {
    var name: String?
    try? RecordDescription.forEach(in: storage, from: record, through: record) { found in
      name = found.action ?? found.commandName ?? "\(found.envelope.kind)"
      return false
    }
    return name.map { .string($0) } ?? .null
  }
}
