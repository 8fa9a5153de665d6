import Retrace
package import RetraceStorage

/// What a check of a bundle finds: whether this build replays it as it was recorded.
package struct BundleFinding: Hashable, Sendable {
  /// The verdict on a bundle.
  package enum Verdict: String, CaseIterable, Sendable {
    /// The states, effects, invariants and decisions of this build are those of the log.
    case same
    /// A state, an effect or a decision differs, or an invariant is broken.
    case divergence
    /// The reducer or a decider ends the process.
    case crash
    /// This build cannot read the log.
    case incompatible
    /// The bytes are not those that were written.
    case damaged
    /// The file could not be read to its end.
    case unread
  }

  /// The verdict.
  package var verdict: Verdict
  /// The first record that differs, that ends the process, or that is damaged, if it is known.
  package var record: UInt64?
  /// The path of each scene after the last record, as in `0 timer/3`; `nil` if they were not read.
  package var routes: [String]?

  /// Creates a finding.
  package init(_ verdict: Verdict, at record: UInt64? = nil, routes: [String]? = nil) {
    self.verdict = verdict
    self.record = record
    self.routes = routes
  }

  /// Creates the finding of a verification.
  package init(_ verification: Verification) {
    record = verification.firstDifference?.record
    verdict = record == nil ? .same : .divergence
  }

  /// Creates the finding of a failed verification.
  package init(_ error: StoreError) {
    switch error.code {
    case .damaged(let sequence): self.init(.damaged, at: sequence)
    case .reducerTrapped(let sequence): self.init(.crash, at: sequence)
    case .incompatible: self.init(.incompatible)
    default: self.init(.unread)
    }
  }

  /// Returns the path of each scene after the last record of a log.
  ///
  /// - Complexity: O(records), each decoded and reduced.
  /// - Throws: The errors of `Replayer.seek`.
  package static func routes<App: ReplayableApp>(
    of app: App.Type, in storage: LogStorage
  ) throws(StoreError) -> [String] {
    var replayer = try Replayer<App>(storage)
    try replayer.seek(to: replayer.last)
    let state = replayer.state
    return App.scenes(in: state).map { scene in
      "\(scene.value) \(App.backStack(of: scene, in: state)?.routes.last?.path ?? "")"
    }
  }
}

extension Verification {
  /// What differs at a record.
  package enum DifferenceKind: String, Sendable {
    case effect
    case decision
    case stateHash
    case invariant
  }

  /// The first record at which anything differs; `nil` if nothing does.
  ///
  /// Of several differences there, it is the one that names the record most exactly.
  package var firstDifference: (kind: DifferenceKind, record: UInt64)? {
    // A hash names an interval of records; an effect or a decision in it names the record.
    let found: [(kind: DifferenceKind, record: UInt64?)] = [
      (.effect, effects.firstDivergence?.sequence),
      (.decision, decisions?.firstDivergence?.sequence),
      (.stateHash, firstDivergence?.upTo),
      (.invariant, firstViolations?.sequence),
    ]
    var first: (kind: DifferenceKind, record: UInt64)?
    for (kind, record) in found {
      if let record, record < first?.record ?? .max { first = (kind, record) }
    }
    return first
  }
}
