import RetraceSystem

/// The acknowledgements in the output of the recorded programs.
struct Claims {
  /// The acknowledged part of one store.
  struct Promise: Hashable {
    /// The last acknowledged sequence; `nil` before the store itself is acknowledged.
    var sequence: UInt64?
    /// The sequences of batches that were sent with a key.
    var keys: [String: UInt64] = [:]
  }

  /// How the output of a step is read.
  private enum Meaning: String {
    /// Lines of `testapp send`, each a word and a sequence.
    case records
    /// Any output says that the store is whole.
    case whole
  }

  /// The paths of the stores, without the root.
  let paths: [String]
  private var meanings: [Int: (meaning: Meaning, path: String)] = [:]
  /// The first words of lines that acknowledge a sequence.
  private var words: Set = ["open", "ok", "done", "closed"]

  /// Reads a file with one line for each step: its number, a meaning, and the path of a store.
  init(_ path: String) throws {
    let text = String(decoding: try FileSystem.readWhole(path, limitBytes: 1 << 20), as: UTF8.self)
    var paths: [String] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 3, let step = Int(words[0]), let meaning = Meaning(rawValue: words[1])
      else { throw LineError(line: String(line)) }
      meanings[step] = (meaning, words[2])
      if !paths.contains(words[2]) { paths.append(words[2]) }
    }
    self.paths = paths
  }

  /// Counts the line that a store with relaxed durability prints before a commit as an
  /// acknowledgement.
  mutating func trustRelaxed() { words.insert("taken") }

  /// Returns, for each change, the promises that were made up to it.
  ///
  /// - Parameters:
  ///   - changes: The recorded changes, in order.
  ///   - heads: The last sequence of each store at the end of the recording.
  func promises(
    of changes: [DiskChange], endingAt heads: [String: UInt64]
  ) throws -> [[String: Promise]] {
    var current: [String: Promise] = [:]
    return try changes.map { change in
      guard case .output(let step, let text) = change.action, let (meaning, path) = meanings[step]
      else { return current }
      var promise = current[path] ?? Promise()
      switch meaning {
      case .whole: promise.sequence = heads[path]
      case .records:
        for line in text.split(separator: "\n") { try take(line, into: &promise) }
      }
      current[path] = promise
      return current
    }
  }

  /// Reads a line such as `open 3 recovered`, `ok 5`, `ok 5 key KEY`.
  private func take(_ line: Substring, into promise: inout Promise) throws {
    let parts = line.split(separator: " ").map(String.init)
    guard let word = parts.first, words.contains(word) else { return }
    guard parts.count > 1, let sequence = UInt64(parts[1]) else {
      throw LineError(line: String(line))
    }
    promise.sequence = max(promise.sequence ?? 0, sequence)
    if parts.count == 4, parts[2] == "key" { promise.keys[parts[3]] = sequence }
  }
}
