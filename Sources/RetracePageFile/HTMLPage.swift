import RetraceHashing

/// The file of a page: it replays and verifies a bundle in a browser, without a connection.
///
/// The file has the page's own script and style, the module of the app and the bundle. Its policy
/// forbids every request, and every script but the page's own, which it names by its hash.
///
/// ```swift
/// let page = HTMLPage(module: [UInt8](), bundle: [UInt8]())
/// var bytes: [UInt8] = []
/// page.write { part in bytes += part }
/// ```
public struct HTMLPage: Sendable {
  private let module: [UInt8]
  private let bundle: [UInt8]

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - module: The module of the app, in WebAssembly, compressed with gzip.
  ///   - bundle: The bundle; a page of another app's bundle tells so.
  public init(module: [UInt8], bundle: [UInt8]) {
    self.module = module
    self.bundle = bundle
  }

  /// Calls `body` with the parts of the file, in order.
  ///
  /// - Parameter body: Receives at most 64 KiB at a time.
  /// - Complexity: O(bytes of the module and the bundle).
  /// - Throws: What the body throws.
  public func write<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    let script =
      "'use strict';\n" + text(PackageResources.module_js)
      + text(PackageResources.page_js)
    let style = text(PackageResources.page_css)
    try body(Array(head(script: script, style: style).utf8))
    try write(module, id: "module", body)
    try write(bundle, id: "bundle", body)
    try body(Array("<script>\(script)</script>\n</body>\n</html>\n".utf8))
  }

  private func head(script: String, style: String) -> String {
    let policy = [
      "default-src 'none'", "script-src '\(Self.source(script))' 'wasm-unsafe-eval'",
      "style-src '\(Self.source(style))'", "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")
    let digest = SwiftHasher.digest(of: module.span)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width">
      <meta name="referrer" content="no-referrer">
      <meta id="digest" name="module" content="\(digest.hex)">
      <title>Replay</title>
      <style>\(style)</style>
      </head>
      <body>
      \(text(PackageResources.page_html))

      """
  }

  /// Writes bytes as Base64 in an element that is no script.
  private func write<Failure: Error>(
    _ bytes: [UInt8], id: String, _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try body(Array("<script type=\"text/plain\" id=\"\(id)\">".utf8))
    // A multiple of three, so that only the last part is padded.
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 49_152)
      try body(Base64.text(of: bytes[start..<end]))
      start = end
    }
    try body(Array("</script>\n".utf8))
  }

  /// Returns the source by which a policy names an element with a text.
  private static func source(_ text: String) -> String {
    let digest = SwiftHasher.digest(of: Array(text.utf8).span)
    return "sha256-" + String(decoding: Base64.text(of: digest.bytes[...]), as: UTF8.self)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
