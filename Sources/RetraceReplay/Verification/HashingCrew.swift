import RetraceArchitecture
import RetraceState
import RetraceSystem

/// The threads that share the hashing of a verification.
struct HashingCrew: WorkSharing {
  private let crew = WorkerCrew(name: "retrace-hash", width: min(8, Machine.processors))

  var width: Int { crew.width }

  func map<Result: Sendable>(
    _ count: Int, _ piece: @Sendable (Int) -> Result
  ) -> [Result] {
    crew.map(count, piece)
  }
}
