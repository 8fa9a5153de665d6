import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceSystem

/// Makes actions from lines; the only type that sees plain secrets.
struct ActionReader {
  private let sealer: SecretSealer<SHA256Hasher>
  private var vault = SecretVault()

  init() throws {
    let key = (0..<SecretSealer<SHA256Hasher>.keyByteCount).map { _ in
      UInt8.random(in: .min ... .max)
    }
    guard let sealer = SecretSealer<SHA256Hasher>(key: key) else {
      throw LineError(line: "the key has a wrong size")
    }
    self.sealer = sealer
  }

  /// The action that a line stands for; the bytes it needs come on the next line.
  mutating func action(_ line: Line) throws -> TestAction {
    switch line.word {
    case "note": return .noted(line.rest)
    case "bytes": return .attached(try Line.bytes())
    case "trap": return .trapped(line.rest)
    case "effect", "later": return try effect(line)
    case "trapping-effect": return .askedToTrap(line.rest)
    case "overrun": return .overran(index: Int64(try line.count()))
    case "secret": return .sealed(label: line.rest, try secret())
    case "secret-trap": return .sealedThenTrapped(label: line.rest, try secret())
    default: throw LineError(line: line.word)
    }
  }

  /// Returns the SHA-256 of the plain bytes of the secret with a label, or the reason why it cannot
  /// be computed.
  func digest(ofPlain label: String, in state: TestState) -> String {
    var found: Secret?
    state.secrets.forEach { _, kept in
      if kept.label == label { found = kept.secret }
    }
    guard let found else { return "unknown" }
    guard let plain = vault.reveal(found) else { return "unavailable" }
    var hasher = SHA256Hasher()
    hasher.update(plain.span)
    return hasher.digest().hex
  }

  /// The effect that the words POLICY TEXT name, or SECONDS POLICY TEXT for one that is delayed.
  private func effect(_ line: Line) throws -> TestAction {
    var words = line.rest.split(separator: " ").map(String.init)
    var seconds: Int64 = 0
    if line.word == "later", let first = words.first { seconds = Int64(first) ?? 0 }
    if line.word == "later" { words.removeFirst() }
    guard words.count == 2, let ended = TestLeaf.Ended(rawValue: words[0]) else {
      throw LineError(line: line.rest)
    }
    return .asked(TestLeaf(text: words[1], ended: ended), after: .seconds(seconds))
  }

  private mutating func secret() throws -> Secret {
    let plain = try Line.bytes()
    let rules = [SecretRule("starts with a digit") { (0x30...0x39).contains($0.first ?? 0) }]
    let secret = sealer.seal(plain, rules: rules)
    vault.store(plain, for: secret)
    return secret
  }
}
