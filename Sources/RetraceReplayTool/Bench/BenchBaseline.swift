import Retrace
import RetraceSystem
import RetraceToolSupport

/// Reads an earlier run from a file.
enum BenchBaseline {
  static var bytesMax: Int { 64 << 20 }

  /// Reads the output of `replay bench --json`.
  ///
  /// - Throws: A usage failure if the file cannot be read or is not the output of `replay bench
  ///   --json`; `incompatible` if it measures another app.
  static func read(_ path: String, app: String) throws(ToolFailure) -> BenchRun {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.readWhole(path, limitBytes: bytesMax)
    } catch {
      throw ToolFailure(
        what: "The baseline could not be read.", why: "\(error).",
        advice: "Give a file that `\(ToolProcess.replay) bench --json` wrote.",
        exitCode: ToolExit.usage)
    }
    guard let json = try? JSONValue(parsing: bytes.span, sizeLimit: bytesMax),
      let run = BenchRun(json), run.rounds > 0
    else {
      throw ToolFailure(
        what: "The baseline could not be read.",
        why: "\(path) is not what this version's `\(ToolProcess.replay) bench --json` prints.",
        advice: "Measure the baseline again, and keep its whole output.",
        exitCode: ToolExit.usage)
    }
    guard run.app == app else {
      throw ToolFailure(
        what: "The baseline measures another app.",
        why: "\(path) measured the app \(run.app), this tool measures \(app).",
        advice: "Give a baseline of \(app).", exitCode: ToolExit.incompatible)
    }
    return run
  }

  /// Throws if a run measured other records.
  ///
  /// - Throws: `incompatible`.
  static func check(
    _ other: BenchRun, of name: String, like run: BenchRun
  ) throws(ToolFailure) {
    guard other.records != run.records || other.chain != run.chain else { return }
    let why =
      other.records == run.records
      ? "\(name) measured another log with the same number of records."
      : "\(name) measured \(other.records) records, this run \(run.records)."
    throw ToolFailure(
      what: "The two runs cannot be compared.", why: why,
      advice: other.records < run.records
        ? "If the log has grown since, use --at \(other.records)."
        : "Measure both over the same store.",
      exitCode: ToolExit.incompatible)
  }
}
