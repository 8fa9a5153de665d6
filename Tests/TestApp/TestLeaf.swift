import RetraceArchitecture
import RetraceAvro
import RetraceSystem

/// A leaf that appends a line to a file, and sends a note.
struct TestLeaf: EffectLeaf, Hashable {
  /// What happens to the leaf if the program ends before it.
  enum Ended: String, CaseIterable, Recordable, Hashable {
    case drop
    case run
    case send
  }

  var text: String
  var ended: Ended

  func run(in desk: TestDesk) async throws -> [TestAction] {
    try desk.note(text)
    if desk.hangs { try await Task.sleep(for: .seconds(1 << 30)) }
    return [.noted("ran \(text)")]
  }

  var interruptionPolicy: InterruptionPolicy<TestAction> {
    switch ended {
    case .drop: .drop
    case .run: .run
    case .send: .send(.noted("ended \(text)"))
    }
  }
}

/// Where the effects of the tests' app run.
struct TestDesk: Sendable {
  /// The file that gets a line for each leaf that starts.
  let path: String
  /// Whether every leaf hangs.
  let hangs: Bool

  func note(_ text: String) throws(SystemError) {
    let file = try OpenFile.open(path, [.write, .create, .append], mode: 0o600)
    try file.append(Array("\(text)\n".utf8).span)
  }
}
