import Retrace
import RetraceSystem
public import TrackerFeatures

extension SecretKeeper {
  /// Returns a keeper in the memory of this process, with a key of its own.
  ///
  /// - Parameter key: 32 random bytes; by default those of the system.
  public static func inMemory(key: [UInt8]? = nil) -> SecretKeeper {
    let key = key ?? Self.randomKey()
    guard let sealer = SecretSealer<SHA256Hasher>(key: key) else {
      preconditionFailure("a key has 32 bytes")
    }
    let vault = Lock(SecretVault())
    let blank = SecretRule(Secret.isBlank) { $0.allSatisfy { $0 == 0x20 } }
    return SecretKeeper(
      enter: { shown, edit in
        vault.withLock { vault in
          var plain = shown.flatMap { vault.reveal($0) } ?? []
          if let shown { vault.remove(shown) }
          edit.apply(to: &plain)
          guard !plain.isEmpty else { return nil }
          let secret = sealer.seal(plain, rules: [blank])
          vault.store(plain, for: secret)
          return secret
        }
      },
      reveal: { secret in vault.withLock { $0.reveal(secret) } },
      forget: { secret in vault.withLock { vault in _ = vault.remove(secret) } })
  }

  private static func randomKey() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<SecretSealer<SHA256Hasher>.keyByteCount).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
  }
}
