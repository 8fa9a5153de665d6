import RetracePlatform

/// What the programs of a recording acknowledged.
struct Claims {
  /// What is promised of one store.
  struct Promise: Hashable {
    /// The sequence of the last record that was acknowledged; `nil` if not even the store was.
    var sequence: UInt64?
    /// The sequences of batches that were sent with a key.
    var keys: [String: UInt64] = [:]
  }

  /// What a step prints.
  private enum Meaning: String {
    /// Lines of `testapp send`: a word and a sequence.
    case records
    /// Anything, once the store is whole.
    case whole
  }

  /// The paths of the stores, without the root.
  let paths: [String]
  private var meanings: [Int: (meaning: Meaning, path: String)] = [:]
  /// The words of lines after which a record is durable.
  private var words: Set = ["open", "ok", "done", "closed"]

  /// Reads the meaning of each step: lines of its number, a word, and the path of a store.
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

  /// Takes a batch for durable when the store with relaxed durability took it.
  mutating func trustRelaxed() { words.insert("taken") }

  /// What was promised by the changes up to each of them, in order.
  ///
  /// - Parameter heads: The sequence at which each store ended.
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

  /// Takes a line such as `open 3 recovered`, `ok 5`, `ok 5 key KEY`.
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
