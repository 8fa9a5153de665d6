import RetraceArchitecture
import RetraceStorage

/// What one turn of the writer thread brought about.
struct Advance<App: ReplayableApp>: Sendable {
  /// How many batches were committed.
  var batches = 0
  /// How many actions those have.
  var actions = 0
  /// The nanoseconds for which the processor reduced them, if they were several.
  var nanoseconds: Int64 = 0
  /// Whether they were many, so that letting go of the state before them is some work.
  var isLarge = false
  /// The receipts of those that somebody waits for, in order, with the effects of their records and
  /// the position of the batch in the group.
  ///
  /// A receipt keeps the state after its batch, so that what changes next has to be copied.
  var receipts: [(position: Int, receipt: Receipt<App>)] = []
  /// What batches are answered with that the log has already, by their position in the group.
  var answers: [Int: Result<Receipt<App>, StoreError>] = [:]

  /// Says where in the group the batches are that were committed.
  mutating func move(to places: [Int]) {
    for index in receipts.indices { receipts[index].position = places[receipts[index].position] }
  }

  /// What became of batches of the group, in order; nothing of one that nobody waits for.
  var outcomes: [(position: Int, outcome: Result<Receipt<App>, StoreError>)] {
    var outcomes: [(position: Int, outcome: Result<Receipt<App>, StoreError>)] = receipts.map {
      ($0.position, .success($0.receipt))
    }
    guard !answers.isEmpty else { return outcomes }
    for (position, answer) in answers { outcomes.append((position, answer)) }
    return outcomes.sorted { $0.position < $1.position }
  }
}
