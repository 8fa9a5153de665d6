import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// A command that this build decides differently, as text.
enum DecisionText {
  /// Returns the command as `show` prints it, and the values that differ: the recorded ones, then
  /// those of this build.
  ///
  /// - Throws: `damaged` if the command's record cannot be read.
  static func lines(
    _ divergence: Verification.DecisionDivergence, in storage: LogStorage, limit: Int
  ) throws(StoreError) -> [String] {
    var lines: [String] = []
    try RecordDescription.forEach(
      in: storage, from: divergence.sequence, through: divergence.sequence
    ) { record in
      lines.append("  " + record.line)
      return true
    }
    return lines + ChangeText.lines(divergence.differences, limit: limit)
  }
}
