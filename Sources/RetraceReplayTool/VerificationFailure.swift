import Retrace
import RetraceReplay
import RetraceToolSupport

/// The failures of a verification, each with what to do about it.
enum VerificationFailure {
  /// The fold does not reproduce a recorded state hash.
  static func states(
    _ divergence: Verification.Divergence, in result: Verification
  ) -> ToolFailure {
    ToolFailure(
      what: "The fold does not reproduce the recording.",
      why: "The state hash recorded at record \(divergence.upTo) differs from the recomputed "
        + "one; \(divergence.lastAgreementText).",
      advice: advice(on: divergence, in: result),
      exitCode: ToolExit.divergence)
  }

  /// The effects of this build are not those in the log.
  static func effects(
    _ divergence: Verification.EffectDivergence, in result: Verification
  ) -> ToolFailure {
    ToolFailure(
      what: "The effects of this build are not those in the log.",
      why: "Records with another effect in the log: \(result.effects.divergences). The first "
        + "is record \(divergence.sequence): "
        + VerificationText.description(of: divergence) + ".",
      advice: divergence.advice, exitCode: ToolExit.divergence)
  }

  /// A state breaks an invariant of the app.
  ///
  /// - Parameter isEvery: Whether the invariants were checked after every record.
  static func invariants(
    _ violations: Verification.Violations, isEvery: Bool
  ) -> ToolFailure {
    ToolFailure(
      what: "A state breaks an invariant of the app.",
      why: "Invariants broken after record \(violations.sequence): "
        + "\(violations.violations.count)."
        + (isEvery ? "" : " Without --every, an earlier state may break one too."),
      advice: isEvery
        ? "Look at the record with `\(ToolProcess.replay) show --from \(violations.sequence)`."
        : "Run `\(ToolProcess.replay) verify --every` to find the first such record.",
      exitCode: ToolExit.divergence)
  }

  /// This build decides a recorded command differently.
  static func decisions(
    _ divergence: Verification.DecisionDivergence, in result: Verification
  ) -> ToolFailure {
    ToolFailure(
      what: "This build decides some commands differently from the log.",
      why: "Commands with another decision in the log: \(result.decisions?.divergences ?? 0). "
        + "The first is record \(divergence.sequence).",
      advice: "Look at the record with `\(ToolProcess.replay) show --from "
        + "\(divergence.sequence)`, and compare the deciders with the ones of the build that "
        + "recorded it.",
      exitCode: ToolExit.divergence)
  }

  /// Returns how to find the record; a hash names only the records since the one before.
  private static func advice(
    on divergence: Verification.Divergence, in result: Verification
  ) -> String {
    let (first, last) = (divergence.after + 1, divergence.upTo)
    let show = "`\(ToolProcess.replay) show --from \(first) --to \(last)`"
    guard first < last else {
      return "Look at record \(last) with \(show), and compare with the build that recorded it."
    }
    let hashes =
      result.compared == 1
      ? "The log has only 1 state hash"
      : "The log has \(result.compared) state hashes, up to "
        + VerificationText.count(result.largestDistance, "record") + " apart"
    return "\(hashes): the first wrong state is after one of the records \(first) to \(last). "
      + "`\(ToolProcess.replay) compare --with TOOL`, with the replay tool of the build that "
      + "recorded them, finds the record and the difference. Look at the records with \(show)."
  }
}
