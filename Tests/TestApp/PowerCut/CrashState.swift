import RetraceAvro
import RetraceSystem

/// One of the states in which a power cut can leave a disk.
struct CrashState {
  /// A step in writing a file.
  enum Part {
    /// The durable bytes.
    case durable
    /// Bytes of the recording.
    case bytes(at: Int, Range<Int>)
    /// Foreign bytes, such as those in newly allocated blocks that were not written yet.
    case junk(at: Int, count: Int, from: Int)
    case resize(to: Int)
  }

  struct File {
    let path: String
    let node: DiskChange.Node
    let parts: [Part]
  }

  private(set) var directories: [String] = []
  private(set) var files: [File] = []

  /// Chooses a state: variant 0 has no pending change, variant 1 has all, the others are random.
  init(of disk: Disk, variant: Int, _ random: inout StateRandom) {
    let names = NameChoice(variant, &random).names(on: disk, &random)
    let shared = variant > 1 && random.isOne(in: 2) ? ByteChoice(&random) : nil
    var waiting: [(path: String, node: DiskChange.Node)] = [("", 0)]
    while let (path, node) = waiting.popLast() {
      for (name, child) in (names[node] ?? [:]).sorted(by: { $0.key < $1.key }) {
        let childPath = path.isEmpty ? name : path + "/" + name
        guard !disk.isDirectory[child] else {
          directories.append(childPath)
          waiting.append((childPath, child))
          continue
        }
        let file = disk.files[child] ?? Disk.File()
        let parts =
          switch variant {
          case 0: [Part.durable]
          case 1: [.durable] + file.pending.map(Part.init)
          default: CrashState.parts(of: file, name, shared ?? ByteChoice(&random), &random)
          }
        guard let parts else { continue }
        files.append(File(path: childPath, node: child, parts: parts))
      }
    }
  }

  /// Chooses the bytes of a file; `nil` if the file is missing.
  private static func parts(
    of file: Disk.File, _ name: String, _ choice: ByteChoice, _ random: inout StateRandom
  ) -> [Part]? {
    // LMDB writes this file through a map and never syncs it.
    if name == "lock.mdb" {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return nil
      case 1: return []
      case 2: return [junk(at: 0, Int.random(in: 1..<8192, using: &random), &random)]
      case 3, 4: return [junk(at: 0, 8192, &random)]
      default: break
      }
    }
    // Never synced: notes for the next open after the end of a process.
    if name.hasPrefix("open.") || name.hasPrefix("attempt."), random.isOne(in: 8) {
      return [junk(at: 0, Int.random(in: 0..<300, using: &random), &random)]
    }
    return choice.parts(of: file, &random)
  }

  static func junk(at offset: Int, _ count: Int, _ random: inout StateRandom) -> Part {
    .junk(at: offset, count: count, from: Int.random(in: 0..<junkBytes.count, using: &random))
  }

  /// Random bytes, the source of all foreign bytes.
  private static let junkBytes: [UInt8] = {
    var random = StateRandom(seed: 1, cut: 0, variant: 0)
    return (0..<8192).flatMap { _ in
      let number: UInt64 = random.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }()

  /// Returns a digest of the files at a path and below it; equal ones have equal bytes.
  func digest(on disk: Disk, at path: String) -> Digest {
    var writer = AvroWriter(capacity: 1024)
    for directory in directories where directory == path || directory.hasPrefix(path + "/") {
      writer.raw(Array("\(directory)/\n".utf8))
    }
    for file in files where file.path.hasPrefix(path + "/") {
      writer.raw(Array("\(file.path) \(file.node) \(disk.files[file.node]?.version ?? 0)\n".utf8))
      for part in file.parts { writer.raw(Array("\(part)\n".utf8)) }
    }
    return SHA256Hasher.digest(of: writer.bytes.span)
  }

  /// Writes the directories and files below a directory.
  func write(_ disk: Disk, _ recording: Recording, into folder: String) throws(SystemError) {
    for directory in directories { try FileSystem.makeDirectory("\(folder)/\(directory)") }
    for file in files {
      let made = try OpenFile.open(
        "\(folder)/\(file.path)", [.write, .create, .exclusive, .noFollow])
      for part in file.parts {
        switch part {
        case .durable:
          guard let durable = disk.files[file.node]?.durable, !durable.isEmpty else { break }
          try made.write(durable.span, at: 0)
        case .bytes(let offset, let data):
          try made.write(recording.bytes.span.extracting(data), at: offset)
        case .resize(let size): try made.truncate(to: size)
        case .junk(let offset, let count, let start):
          var done = 0
          while done < count {
            let from = (start + done) % CrashState.junkBytes.count
            let length = min(count - done, CrashState.junkBytes.count - from)
            let bytes = CrashState.junkBytes.span.extracting(from..<from + length)
            try made.write(bytes, at: offset + done)
            done += length
          }
        }
      }
    }
  }
}

extension CrashState.Part {
  init(_ change: Disk.Pending) {
    switch change {
    case .write(let offset, let data): self = .bytes(at: offset, data)
    case .resize(let size): self = .resize(to: size)
    }
  }
}

/// A choice among the pending changes of names.
enum NameChoice {
  case none
  case all
  /// The first changes of each directory, up to a random one.
  case first
  /// Any subset, which no file system with a journal leaves.
  case any

  init(_ variant: Int, _ random: inout StateRandom) {
    switch variant {
    case 0: self = .none
    case 1: self = .all
    default: self = [.none, .all, .first, .any].randomElement(using: &random) ?? .any
    }
  }

  /// Returns the names in each directory.
  func names(
    on disk: Disk, _ random: inout StateRandom
  ) -> [DiskChange.Node: [String: DiskChange.Node]] {
    var names = disk.names
    let cases = [2, 4, 16].randomElement(using: &random) ?? 2
    var ended: Set<DiskChange.Node> = []
    for change in disk.pendingNames {
      switch self {
      case .none: continue
      case .all: break
      case .any: if random.isOne(in: 2) { continue }
      case .first:
        let directories = Set(change.map(\.directory))
        if !ended.isDisjoint(with: directories) || random.isOne(in: cases) {
          ended.formUnion(directories)
          continue
        }
      }
      for name in change { names[name.directory, default: [:]][name.name] = name.node }
    }
    return names
  }
}

/// A choice among the pending changes of a file.
enum ByteChoice {
  case none
  case all
  /// A subset; each change is in it with this many chances in eight.
  case some(Int)
  /// Any of the sectors of each change.
  case torn
  /// The changes before a random one.
  case first
  /// The changes from a random one on.
  case last

  /// The number of bytes that a disk writes as a whole or not at all.
  static let sectorBytes = 512

  init(_ random: inout StateRandom) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: self = .none
    case 1: self = .all
    case 2: self = .some(1)
    case 3: self = .some(4)
    case 4: self = .some(7)
    case 5: self = .first
    case 6: self = .last
    default: self = .torn
    }
  }

  /// Returns the steps in which the file is written.
  func parts(of file: Disk.File, _ random: inout StateRandom) -> [CrashState.Part] {
    guard !file.pending.isEmpty else { return [.durable] }
    let limit = Int.random(in: 0...file.pending.count, using: &random)
    var chosen: [CrashState.Part] = []
    for (index, change) in file.pending.enumerated() {
      let isKept =
        switch self {
        case .none: false
        case .all, .torn: true
        case .some(let chances): Int.random(in: 0..<8, using: &random) < chances
        case .first: index < limit
        case .last: index >= limit
        }
      guard isKept else { continue }
      if case .torn = self, case .write(let offset, let data) = change {
        chosen += tear(data, at: offset, &random)
      } else {
        chosen.append(CrashState.Part(change))
      }
    }
    return [.durable] + resized(chosen, of: file, &random)
  }

  /// Returns some of the sectors of a write.
  private func tear(
    _ data: Range<Int>, at offset: Int, _ random: inout StateRandom
  ) -> [CrashState.Part] {
    var parts: [CrashState.Part] = []
    var start = offset
    let end = offset + data.count
    while start < end {
      let next = min(end, (start / Self.sectorBytes + 1) * Self.sectorBytes)
      if random.isOne(in: 2) {
        let first = data.lowerBound + start - offset
        parts.append(.bytes(at: start, first..<first + next - start))
      }
      start = next
    }
    return parts
  }

  /// Adds foreign bytes and another size, as a disk that has not written all bytes can leave them.
  private func resized(
    _ parts: [CrashState.Part], of file: Disk.File, _ random: inout StateRandom
  ) -> [CrashState.Part] {
    let durable = file.durable.count
    let size = CrashState.size(after: parts, from: durable)
    let whole = CrashState.size(after: file.pending.map(CrashState.Part.init), from: durable)
    var resized = parts
    if whole > durable, random.isOne(in: 3) {
      resized.insert(CrashState.junk(at: durable, whole - durable, &random), at: 0)
      if size < whole, random.isOne(in: 2) { resized.append(.resize(to: size)) }
    } else if whole > size, random.isOne(in: 3) {
      resized.append(.resize(to: whole))
    }
    if size > durable, random.isOne(in: 8) {
      let sectors = (size - durable) / Self.sectorBytes
      let kept = Int.random(in: 0...sectors, using: &random) * Self.sectorBytes
      resized.append(.resize(to: durable + kept))
    }
    return resized
  }
}

extension CrashState {
  /// Returns the size of a file after some steps.
  fileprivate static func size(after parts: [Part], from size: Int) -> Int {
    parts.reduce(size) { size, part in
      switch part {
      case .durable: size
      case .bytes(let offset, let data): max(size, offset + data.count)
      case .junk(let offset, let count, _): max(size, offset + count)
      case .resize(let size): size
      }
    }
  }
}
