import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSchema
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceStorage

@Suite struct SchemaDigestTests {
  private static let ids: [UInt8] = Array(1...20)

  private static func file(
    in directory: String, of app: (some ReplayableApp).Type = CounterApp.self,
    ids: [UInt8] = ids
  ) throws -> SchemaDigestFile {
    try #require(SchemaDigestFile(in: directory, of: app, buildIDs: ids))
  }

  private static func digests(
    _ random: inout some RandomNumberGenerator, commands: Bool
  ) -> SchemaDigests {
    func digest() -> Digest {
      let bytes = (0..<Digest.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
      return Digest(bytes.span) ?? .zero
    }
    func schema() -> AppSchemaDigests {
      AppSchemaDigests(
        fingerprint: digest(), text: digest(),
        minViolationByteCount: Bool.random(using: &random)
          ? .max : Int.random(in: 0...1_000_000, using: &random))
    }
    var digests = SchemaDigests(action: schema(), stateFingerprint: digest())
    if commands { digests.commands = [schema(), schema()] }
    let differences = [
      SchemaDifference(type: "A", detail: "is wider"),
      SchemaDifference(type: "B", member: "c", detail: "has a default"),
    ]
    for verdict in [.fine([]), .fine(differences), .needsChecking(differences)] as [SchemaVerdict] {
      digests.others[digest()] = SchemaReading(
        fingerprint: digest(), verdict: verdict, isDirect: Bool.random(using: &random))
    }
    return digests
  }

  @Test func `a written file is read back, and a damaged one is not used at all`() throws {
    try withSeed("SchemaDigests") { random in
      try withDirectory { directory in
        for commands in [false, true] {
          let digests = Self.digests(&random, commands: commands)
          let file = try Self.file(in: directory)
          try file.write(digests)
          #expect(file.read() == digests)
          let bytes = try FileSystem.readWhole("\(directory)/\(file.name)", limitBytes: 1 << 16)
          for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(file.decode(damaged.span) == nil, "bit \(bit)")
          }
          for count in 0..<bytes.count {
            #expect(file.decode(bytes.span.extracting(0..<count)) == nil, "\(count) bytes")
          }
        }
      }
    }
  }

  @Test func `other schemas are left out if the file would be too large to be read`() throws {
    try withSeed("SchemaDigests too large") { random in
      try withDirectory { directory in
        var digests = Self.digests(&random, commands: true)
        let many = SchemaDifference(type: String(repeating: "t", count: 1 << 16), detail: "")
        for key in digests.others.keys { digests.others[key]?.verdict = .fine([many]) }
        let file = try Self.file(in: directory)
        try file.write(digests)
        digests.others = [:]
        #expect(file.read() == digests)
      }
    }
  }

  @Test func `another build and another app with the same name have other files`() throws {
    try withDirectory { directory in
      let file = try Self.file(in: directory)
      let rebuilt = try Self.file(in: directory, ids: Self.ids.dropLast() + [0])
      let other = try Self.file(in: directory, of: KioskApp.self)
      #expect(Set([file.name, rebuilt.name, other.name]).count == 3)
      withSeed("SchemaDigests of others") { random in
        let digests = Self.digests(&random, commands: true)
        let bytes = file.encode(digests)
        #expect(file.decode(bytes.span) == digests)
        #expect(rebuilt.decode(bytes.span) == nil)
        #expect(other.decode(bytes.span) == nil)
      }
    }
    #expect(SchemaDigestFile(in: "/", of: CounterApp.self, buildIDs: nil) == nil)
  }

  @Test func `files of other builds are removed when they are many`() throws {
    try withSeed("SchemaDigests removed") { random in
      try withDirectory { directory in
        let digests = Self.digests(&random, commands: false)
        for build in 0...SchemaDigestFile.othersMax {
          try Self.file(in: directory, ids: [UInt8(build)]).write(digests)
        }
        #expect(try FileSystem.list(directory).count == SchemaDigestFile.othersMax + 1)
        let newest = try Self.file(in: directory, ids: [255])
        try newest.write(digests)
        #expect(try FileSystem.list(directory) == [newest.name])
        #expect(newest.read() == digests)
      }
    }
  }

  @Test func `schemas from digests are those that are composed`() throws {
    func check(_ app: (some ReplayableApp).Type) throws {
      let composed = AppSchemas(composing: app)
      let kept = try #require(AppSchemas(composed.digests, of: app))
      let pairs = [
        (composed.action, kept.action), (composed.commands?.command, kept.commands?.command),
        (composed.commands?.refusal, kept.commands?.refusal),
      ]
      for case (let composed?, let kept?) in pairs {
        #expect(kept.text == composed.text)
        #expect(kept.schema.fingerprint(with: SHA256Hasher.self) == kept.digests.fingerprint)
        #expect(SHA256Hasher.digest(of: kept.text.utf8.span) == kept.digests.text)
        #expect(kept.limits.minViolationByteCount == kept.digests.minViolationByteCount)
      }
      #expect(kept.stateFingerprint == composed.stateFingerprint)
      #expect((kept.commands == nil) == (composed.commands == nil))
    }
    try check(CounterApp.self)
    try check(KioskApp.self)
    #expect(AppSchemas(AppSchemas(composing: CounterApp.self).digests, of: KioskApp.self) == nil)
  }

  @Test func `this program has build identifiers`() {
    #expect((ThisProcess.buildIDs?.count ?? 0) >= 8)
  }
}
