import Glibc

// reducer-fingerprint OUTPUT COMPILER (MODULE PATH FILE | MODULE -D CONDITIONS)…
//
// Writes a Swift source with a SHA-256. It covers the compiler's version, a zero byte, and the
// parts, sorted by module and path. Each part is: module, 00, path, 00, number of bytes (8,
// little-endian), bytes. The bytes of a part are the contents of a file. If the path is -D, they
// are the compilation conditions of the module, sorted and separated by spaces.
//
// Fails if a generated file states other declarations than the sources of its module have; see
// RecordedDeclarations. `reducer-fingerprint --declarations FILE…` prints the digest that the
// generated files of a module with these sources state.
//
// The build may set further conditions, such as DEBUG, which only the compiler knows. So the
// generated source checks each name that occurs in an #if of the files. For each name that is set,
// the digest above is combined by exclusive or with the SHA-256 of the digest's 32 bytes followed
// by the name.

/// A part of the reducer's sources.
struct Part {
  var module: String
  var path: String
  var bytes: [UInt8]
}

func run(_ arguments: [String]) throws(Failure) {
  if arguments.dropFirst().first == "--declarations" {
    var declarations = RecordedDeclarations()
    for file in arguments.dropFirst(2) { declarations.add(try SourceFiles.read(file)) }
    print(declarations.digest)
    return
  }
  guard arguments.count >= 3, arguments.count % 3 == 0 else {
    throw Failure(
      text: "usage: reducer-fingerprint OUTPUT COMPILER "
        + "(MODULE PATH FILE | MODULE -D CONDITIONS)…")
  }
  var parts: [Part] = []
  var conditions: Set<String> = []
  for index in stride(from: 3, to: arguments.count, by: 3) {
    let (path, content) = (arguments[index + 1], arguments[index + 2])
    let bytes = path == "-D" ? Array(content.utf8) : try SourceFiles.read(content)
    parts.append(Part(module: arguments[index], path: path, bytes: bytes))
    if path.hasSuffix(".swift") { conditions.formUnion(CompilationConditions.names(in: bytes)) }
  }
  parts.sort { ($0.module, $0.path) < ($1.module, $1.path) }
  try checkGeneratedCode(of: parts)
  var hash = SHA256()
  hash.update(try SourceFiles.version(ofCompiler: arguments[2]).utf8)
  hash.update([0])
  for part in parts {
    hash.update(part.module.utf8)
    hash.update([0])
    hash.update(part.path.utf8)
    hash.update([0])
    hash.update((0..<8).map { UInt8(truncatingIfNeeded: part.bytes.count >> (8 * $0)) })
    hash.update(part.bytes)
  }
  let digest = hash.finish()
  let source = text(digest, conditions.sorted())
  // A file that stays as it is is not compiled again.
  guard (try? SourceFiles.read(arguments[1])) != Array(source.utf8) else { return }
  try SourceFiles.write(source, to: arguments[1])
}

/// Fails if a module has generated code that was made from other declarations.
func checkGeneratedCode(of parts: [Part]) throws(Failure) {
  var folders: [String: (folder: String, digest: String)] = [:]
  for part in parts {
    let names = part.path.split(separator: "/", omittingEmptySubsequences: false)
    guard names.dropLast().last == "Generated",
      let digest = RecordedDeclarations.digest(statedIn: part.bytes)
    else { continue }
    folders[part.module] = (names.dropLast(2).joined(separator: "/"), digest)
  }
  for (module, stated) in folders.sorted(by: { $0.key < $1.key }) {
    var declarations = RecordedDeclarations()
    for part in parts where part.module == module && part.path.hasSuffix(".swift") {
      guard !"/\(part.path)".contains("/Generated/") else { continue }
      declarations.add(part.bytes)
    }
    guard declarations.digest != stated.digest else { continue }
    throw Failure(
      text: "\(stated.folder)/Generated: error: the recorded declarations of \(module) have "
        + "changed since its code was generated; run `Tools/generate/run \(stated.folder)`, the "
        + "tool of the package retrace")
  }
}

/// Returns the source with the fingerprint, which depends on the conditions that the compiler sets.
func text(_ digest: [UInt8], _ conditions: [String]) -> String {
  let digits = Array("0123456789abcdef")
  let hex = String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  let head = """
    // Written by the plugin ReducerFingerprint.

    import RetraceAvro

    /// The fingerprint of this module's reducer: its sources, how they are compiled, the compiler.
    enum ReducerFingerprint {

    """
  if conditions.isEmpty {
    return head + "  static let digest = Digest(hex: \"\(hex)\") ?? .zero\n}\n"
  }
  let masks = conditions.map { name in
    var hash = SHA256()
    hash.update(digest)
    hash.update(name.utf8)
    return """
          #if \(name)
            masks.append(\(hash.finish()))
          #endif

      """
  }
  return head + """
      static let digest = Digest(hex: hex) ?? .zero

      private static var hex: String {
        let bytes: [UInt8] = \(digest)
        var masks: [[UInt8]] = []
    \(masks.joined())    let mixed = masks.reduce(bytes) { zip($0, $1).map { $0 ^ $1 } }
        return mixed.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
      }
    }

    """
}

@main enum Main {
  static func main() {
    do throws(Failure) {
      try run(CommandLine.arguments)
    } catch {
      SourceFiles.printError("reducer-fingerprint: \(error.text)\n")
      exit(1)
    }
  }
}
