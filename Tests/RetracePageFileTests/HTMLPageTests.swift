import RetraceHashing
import RetracePageFile
import Testing

@Suite struct HTMLPageTests {
  private static func page(module: [UInt8] = [1, 2, 3], bundle: [UInt8] = [4, 5]) -> String {
    var bytes: [UInt8] = []
    HTMLPage(module: module, bundle: bundle).write { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text between two others.
  private static func part(of text: String, _ start: String, _ end: String) throws -> String {
    let tail = try #require(text.split(separator: start, maxSplits: 1).last)
    return String(try #require(tail.split(separator: end, maxSplits: 1).first))
  }

  @Test func `the policy names the page's own script and style, and allows nothing else`() throws {
    let page = Self.page()
    let policy = try Self.part(of: page, "Content-Security-Policy\" content=\"", "\"")
    for (name, start, end) in [
      ("script", "<script>", "</script>"), ("style", "<style>", "</style>"),
    ] {
      let text = try Self.part(of: page, start, end)
      let digest = SwiftHasher.digest(of: Array(text.utf8).span)
      let hash = String(decoding: Base64.text(of: digest.bytes[...]), as: UTF8.self)
      #expect(policy.contains("\(name)-src 'sha256-\(hash)'"))
    }
    #expect(policy.hasPrefix("default-src 'none'; "))
    #expect(!policy.contains("unsafe-inline") && !policy.contains(" data:"))
  }

  @Test func `the file refers to nothing outside`() {
    let page = Self.page()
    for sign in ["http:", "https:", "//", "src=", "href=", "@import", "url(", "innerHTML"] {
      // Comments of the script begin with two slashes.
      let found = page.split(separator: "\n").filter {
        $0.contains(sign) && !(sign == "//" && $0.drop { $0 == " " }.hasPrefix("//"))
      }
      #expect(found.isEmpty, "\(sign): \(found.prefix(3))")
    }
  }

  @Test(arguments: [0, 1, 2, 3, 49_151, 49_152, 49_153, 100_000])
  func `the bundle is in the page as Base64`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let page = Self.page(bundle: bytes)
    #expect(page.contains("id=\"bundle\">" + Self.base64(bytes) + "</script>"))
  }

  /// Another way to write Base64: bit by bit.
  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits: [Bool] = bytes.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 == 1 } }
    while bits.count % 6 != 0 { bits.append(false) }
    var text = ""
    for start in stride(from: 0, to: bits.count, by: 6) {
      text.append(digits[bits[start..<start + 6].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }])
    }
    while text.utf8.count % 4 != 0 { text += "=" }
    return text
  }
}
