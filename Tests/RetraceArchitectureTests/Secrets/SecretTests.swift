import RetraceSystem
import RetraceAvro
import RetraceTesting
import Testing

@testable import RetraceArchitecture

/// A surrogate reveals what it may and nothing else of the plain value.
struct SecretTests {
  @Test("24 random bytes are found in nothing that can be shown or recorded", arguments: 1...50)
  func revealsNothing(seed: UInt64) throws {
    try withSeed(default: seed) { generator in
      let plain = (0..<24).map { _ in UInt8.random(in: 0x21...0x7e, using: &generator) }
      let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let sealer = try #require(SecretSealer<SHA256Hasher>(key: key))
      let secret = sealer.seal(plain, rules: [SecretRule("long") { $0.count > 8 }])
      var vault = SecretVault()
      vault.store(plain, for: secret)
      var shown = ["\(secret)", secret.debugDescription, "\(vault)", "\(sealer)"]
      shown += [String(reflecting: secret), String(reflecting: vault), String(reflecting: sealer)]
      for value in [secret, vault, sealer, [secret], Optional(secret) as Any] as [Any] {
        var dumped = ""
        dump(value, to: &dumped)
        shown.append(dumped)
        shown.append("\(value)")
      }
      for value in [secret, vault, sealer] as [Any] {
        #expect(Mirror(reflecting: value).children.isEmpty)
      }
      let written = secret.encoded()
      for bytes in shown.map({ Array($0.utf8) }) + [written] {
        for hidden in [plain, key] { #expect(!sharesFourBytes(bytes, hidden)) }
      }
      let decoded = try Secret(encoded: written.span)
      #expect(decoded == secret)
      #expect(vault.reveal(secret) == plain)
      #expect(vault.remove(secret) == true)
      #expect(vault.reveal(secret) == nil)
    }
  }

  @Test("A surrogate has the length, the character classes and the results of the rules")
  func tells() throws {
    let sealer = try #require(SecretSealer<SHA256Hasher>(key: [UInt8](repeating: 7, count: 32)))
    let rules = [
      SecretRule("has at") { $0.contains(0x40) }, SecretRule("empty") { $0.isEmpty },
    ]
    let secret = sealer.seal(Array("Ab1@é".utf8), rules: rules)
    #expect(secret.length == 6)
    #expect(secret.classes == [.lowercase, .uppercase, .digits, .symbols, .other])
    #expect(secret.finding("has at") == true)
    #expect(secret.finding("empty") == false)
    #expect(secret.finding("undeclared") == nil)
    let empty = sealer.seal([])
    #expect(empty.isEmpty && empty.classes == [] && empty.findings.isEmpty)
    #expect(sealer.seal([UInt8](repeating: 0x61, count: 64)).length == 64)
    #expect(sealer.seal([UInt8](repeating: 0x61, count: 65)).length == 64)
  }

  @Test("Seals agree within a key, differ between values and between keys")
  func seals() throws {
    let first = try #require(SecretSealer<SHA256Hasher>(key: [UInt8](repeating: 1, count: 32)))
    let second = try #require(SecretSealer<SHA256Hasher>(key: [UInt8](repeating: 2, count: 32)))
    #expect(first.seal([1, 2, 3]) == first.seal([1, 2, 3]))
    #expect(first.seal([1, 2, 3]).seal != first.seal([1, 2, 4]).seal)
    #expect(first.seal([1, 2, 3]).seal != second.seal([1, 2, 3]).seal)
    for count in [0, 31, 33, 64] {
      #expect(SecretSealer<SHA256Hasher>(key: [UInt8](repeating: 0, count: count)) == nil)
    }
  }

  @Test("The seal is HMAC-SHA256")
  func hmac() throws {
    // RFC 4231, case 3, has a key of 20 bytes: filled up with zeros to 32 it is the same key.
    let key = [UInt8](repeating: 0xaa, count: 20) + [UInt8](repeating: 0, count: 12)
    let sealer = try #require(SecretSealer<SHA256Hasher>(key: key))
    #expect(
      sealer.authenticationCode(of: [UInt8](repeating: 0xdd, count: 50)).hex
        == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
  }

  @Test("A surrogate with an impossible length or class is refused")
  func refuses() {
    for bytes: [UInt8] in [[130, 1, 0, 0], [1, 0, 0], [0, 64, 0], [0, 1, 0]] {
      let whole = bytes + [UInt8](repeating: 0, count: 8)
      #expect(throws: AvroError.self) { try Secret(encoded: whole.span) }
    }
  }

  /// Whether any four bytes in a row of one lie in the other.
  private func sharesFourBytes(_ bytes: [UInt8], _ hidden: [UInt8]) -> Bool {
    guard bytes.count >= 4 else { return false }
    let windows = Set((0...(hidden.count - 4)).map { Array(hidden[$0..<$0 + 4]) })
    return (0...(bytes.count - 4)).contains { windows.contains(Array(bytes[$0..<$0 + 4])) }
  }
}
