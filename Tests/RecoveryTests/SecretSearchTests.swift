import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// A secret of 24 random bytes that was put into actions is nowhere to be found.
@Suite(.serialized) struct SecretSearchTests {
  /// What kind of bytes a secret has.
  enum Kind: String, CaseIterable { case anyBytes, password }

  private func plain(_ kind: Kind, _ random: inout SeededGenerator) -> [UInt8] {
    (0..<24).map { _ in
      switch kind {
      case .anyBytes: UInt8.random(in: 0...255, using: &random)
      // Typed characters, without the two that JSON escapes.
      case .password:
        (0x21...0x7e).filter { $0 != 0x22 && $0 != 0x5c }.randomElement(using: &random) ?? 0x21
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `no byte of store, attempt, export, output or standard error reveals a secret [H14]`(
    kind: Kind
  ) throws {
    try withSeed("SecretSearchTests, \(kind)") { random in
      for _ in 0..<cycles(10) {
        let plain = plain(kind, &random)
        try withTemporaryDirectory { folder in
          let run = try SecretRun(plain, .secret, in: folder)
          let search = LeakSearch(plain)
          #expect(run.places.count > 60)
          for (place, bytes) in run.places {
            let forms = search.forms(in: bytes)
            #expect(forms.isEmpty, "\(place): \(forms.map(\.rawValue).sorted())")
          }
        }
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `the same search finds what is planted in plain fields, in every place and form`(
    kind: Kind
  ) throws {
    try withSeed("SecretSearchTests, \(kind), control") { random in
      let plain = plain(kind, &random)
      try withTemporaryDirectory { folder in
        let run = try SecretRun(plain, .control, in: folder)
        let search = LeakSearch(plain)
        let all = Set(LeakForm.allCases)
        // A text cannot hold bytes that are not UTF-8.
        let texts = String(validating: plain, as: UTF8.self) == nil ? all.subtracting([.raw]) : all
        let traps = SecretRun.backtraces.keys.map { "backtrace \($0)" }
        let binary =
          ["closed store/data.mdb", "reopened store/data.mdb", "held store/open", "export"]
          + traps.flatMap { ["\($0) store/open", "\($0) store/data.mdb"] }
        for place in binary {
          let bytes = try #require(run.places.first { $0.key.hasPrefix(place) }?.value, "\(place)")
          #expect(search.forms(in: bytes) == all, "\(place)")
        }
        let commands = [
          "testapp show", "testapp state", "audit list", "audit list --kind crashed",
        ].flatMap { ["\($0) output", "\($0) --json output"] }
        for place in commands + traps.map({ "\($0) errors" }) {
          let bytes = try #require(run.places[place], "\(place)")
          #expect(search.forms(in: bytes) == texts, "\(place)")
        }
        for place in ["testapp screen output", "testapp screen --json output"] {
          #expect(search.forms(in: try #require(run.places[place])).isEmpty == false, "\(place)")
        }
      }
    }
  }

  @Test func `each form of each part is found wherever it stands`() {
    withSeed("SecretSearchTests, search") { random in
      for _ in 0..<repetitions(200) {
        let plain = plain(.anyBytes, &random)
        let search = LeakSearch(plain)
        let start = Int.random(in: 0...16, using: &random)
        let part = Array(plain[start..<Int.random(in: start + 8...24, using: &random)])
        let noise = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        #expect(search.forms(in: noise + noise).isEmpty)
        #expect(search.forms(in: noise + part + noise).contains(.raw))
        for form in LeakForm.allCases where form != .raw {
          // A register shows eight bytes, so only the first eight are written.
          let shown = form == .register ? Array(part.prefix(8)) : part
          for alignment in 0..<3 {
            let text = LeakSearch.text(of: shown, in: form, alignment: alignment) ?? ""
            let found = search.forms(in: noise + Array(text.utf8) + noise)
            #expect(found.contains(form), "\(form) \(alignment)")
          }
        }
        for length in 0..<8 {
          #expect(search.forms(in: Array(part.prefix(length)) + [0, 0, 0, 0, 0, 0, 0, 0]).isEmpty)
        }
      }
    }
  }
}
