import RetraceLMDB
import RetraceSystem
import RetraceStorage
import RetraceToolSupport
import Testing
import ToolTestSupport

/// One row of the table: an operation, of which the n-th call fails in one way, n growing until a
/// run meets no failure.
struct FaultSweep {
  /// What fails.
  enum Seam: String, CaseIterable {
    case lmdb = "LMDB"
    case system
  }

  /// The codes of a row, as both seams name them.
  struct Code: CustomStringConvertible {
    var description: String
    var lmdb: LMDBError.Code
    var system: SystemError.Code

    /// All codes with `RETRACE_FULL=1`, else two of them, others for the next row.
    static func ofRow(_ row: Int) -> [Code] {
      cycles(10) == 10 ? all : [all[row % all.count], all[(row + 2) % all.count]]
    }

    private static var all: [Code] {
      [
        Code(description: "ENOSPC", lmdb: .noSpace, system: .noSpace),
        Code(description: "EIO", lmdb: .inputOutput, system: .inputOutput),
        Code(description: "EINTR", lmdb: .interrupted, system: .interrupted),
        Code(description: "EMFILE", lmdb: .tooManyOpenFiles, system: .tooManyOpenFiles),
        Code(description: "EACCES", lmdb: .accessDenied, system: .accessDenied),
      ]
    }
  }

  let operation: SweptOperation
  let seam: Seam
  let code: Code
  /// Whether the call is performed before it fails.
  let isAfter: Bool

  /// What became of the runs.
  struct Outcome {
    /// The number of calls of the run that met no failure.
    var calls = 0
    var runs = 0
    /// The runs in which a call failed.
    var failures = 0
    var errors: [String: Int] = [:]
  }

  /// By how much n grows: all calls with `RETRACE_FULL=1`, else some.
  private static var stride: Int { cycles(10) == 10 ? 1 : 61 }

  /// Runs the operation with its first, second, … call failing.
  func run(in folder: String) throws -> Outcome {
    var outcome = Outcome()
    var kept: [[UInt8]] = []
    var number = 1
    while true {
      outcome.runs += 1
      let place = operation.hasOwnFolder ? "\(folder)/\(number)" : folder
      if operation.hasOwnFolder { try FileSystem.makeDirectory(place) }
      let run = SweepRun(
        folder: place, number: number, kept: operation.hasOwnFolder ? [] : kept)
      try operation.prepare(run)
      let (error, calls) = perform(run)
      let comment: Comment = "\(self), call \(number): \(error?.description ?? "no error")"
      if seam == .system && code.system == .interrupted { #expect(error == nil, comment) }
      if error != nil && operation.writes { try run.sendAgain() }
      kept = try run.check(
        after: error, crashes: operation == .recover ? outcome.runs : nil, comment)
      if operation.hasOwnFolder && error == nil {
        let names = Set(try FileSystem.list(place))
        #expect(names.isSubset(of: ["store", "backup-\(number)"]), comment)
      }
      if let error {
        outcome.errors[error.code.name, default: 0] += 1
        #expect((4...6).contains(ToolExit.code(of: error)), comment)
      }
      guard calls >= number else {
        #expect(error == nil, comment)
        outcome.calls = calls
        return outcome
      }
      outcome.failures += 1
      try #require(outcome.runs < 20_000, "\(self): each run makes more calls than the one before")
      number += number == 1 ? max(1, Self.stride - 1) : Self.stride
    }
  }

  /// Performs the operation while a call fails, and returns the number of calls.
  private func perform(_ run: SweepRun) -> (error: StoreError?, calls: Int) {
    switch seam {
    case .lmdb:
      run.lmdb.fail(code.lmdb, atCall: run.number, timing: isAfter ? .after : .before)
      let before = run.lmdb.callCount()
      let error = SeamStore.error { () throws(StoreError) in try operation.perform(run) }
      run.lmdb.removeAll()
      return (error, run.lmdb.callCount() - before)
    case .system:
      let plan = SystemFaultPlan(under: run.folder)
      plan.fail(code.system, atCall: run.number, timing: isAfter ? .after : .before)
      let error = plan.whileInstalled {
        SeamStore.error { () throws(StoreError) in try operation.perform(run) }
      }
      return (error, plan.callCount())
    }
  }
}

extension FaultSweep: CustomStringConvertible {
  var description: String {
    "\(operation.rawValue) | \(seam.rawValue) | \(code) | \(isAfter ? "after" : "before")"
  }
}

extension FaultSweep.Outcome: CustomStringConvertible {
  var description: String {
    let counts = errors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return "n = \(calls), \(failures) of \(runs) runs failed: "
      + "\(counts.joined(separator: ", ")), no error \(runs - errors.values.reduce(0, +))"
  }
}
