import Glibc

// reducer-fingerprint OUTPUT COMPILER (MODULE PATH-IN-PACKAGE PATH)…
//
// Writes a Swift source with the SHA-256 over the compiler's version, 00, and for each file in the
// order of module and path: module, 00, path, 00, number of bytes (8, little end first), bytes.

/// One source of the reducer.
struct Source {
  var module: String
  var path: String
  var file: String
}

func run(_ arguments: [String]) throws(Failure) {
  guard arguments.count >= 3, arguments.count % 3 == 0 else {
    throw Failure(text: "usage: reducer-fingerprint OUTPUT COMPILER (MODULE PATH FILE)…")
  }
  var sources: [Source] = []
  for index in stride(from: 3, to: arguments.count, by: 3) {
    sources.append(
      Source(
        module: arguments[index], path: arguments[index + 1], file: arguments[index + 2]))
  }
  sources.sort { ($0.module, $0.path) < ($1.module, $1.path) }
  var hash = SHA256()
  hash.update(try SourceFiles.version(ofCompiler: arguments[2]).utf8)
  hash.update([0])
  for source in sources {
    hash.update(source.module.utf8)
    hash.update([0])
    hash.update(source.path.utf8)
    hash.update([0])
    let bytes = try SourceFiles.read(source.file)
    hash.update((0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) })
    hash.update(bytes)
  }
  let digits = Array("0123456789abcdef")
  let hex = String(hash.finish().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  try SourceFiles.write(
    """
    // Written by the plugin ReducerFingerprint.

    import RetraceAvro

    /// The fingerprint of this module's reducer: its sources and the compiler.
    enum ReducerFingerprint {
      static let digest = Digest(hex: "\(hex)") ?? .zero
    }

    """, to: arguments[1])
}

do throws(Failure) {
  try run(CommandLine.arguments)
} catch {
  SourceFiles.complain("reducer-fingerprint: \(error.text)\n")
  exit(1)
}
