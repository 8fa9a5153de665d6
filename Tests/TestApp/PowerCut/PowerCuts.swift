import RetraceAvro
import RetraceSystem
import RetraceStorage

/// The command `testapp power-cuts`, which cuts the power at each change of a recording and checks
/// the states that the disk can then have.
///
/// | argument | meaning |
/// |---|---|
/// | `log=FILE` | the recorded calls |
/// | `claims=FILE` | what each step acknowledges; see ``Claims`` |
/// | `root=DIR` | the directory that was recorded, as it was at the end |
/// | `folder=DIR` | where states are written; failed ones stay there |
/// | `seed=N`, `states=N` | the seed, and the number of different states |
/// | `part=I/N` | only each Nth state, beginning with the Ith |
/// | `plant=NAME` | plants a fault and ends at the first state that shows it |
/// | `after=CUT.VARIANT` | goes on after this state, which ended the process |
/// | `only=CUT.VARIANT` | checks one state |
struct PowerCuts {
  private let recording: Recording
  private let changes: [DiskChange]
  private let isDirectory: [Bool]
  private let promises: [[String: Claims.Promise]]
  private let check: StateCheck
  private let folder: String
  private let options: [String: String]
  private let seed: UInt64
  private let wanted: Int
  /// The stores that were checked.
  private var seen: Set<CheckedStore> = []
  private var checked = 0
  private var failures = 0

  /// A store after a power cut, with its promise.
  private struct CheckedStore: Hashable {
    let path: String
    let promise: Claims.Promise?
    let digest: Digest
  }

  private static let failuresMax = 10

  init(_ arguments: [String]) throws {
    var options: [String: String] = [:]
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw LineError(line: argument) }
      options[parts[0]] = parts[1]
    }
    func option(_ name: String) throws -> String {
      guard let value = options[name] else { throw LineError(line: "\(name)=") }
      return value
    }
    self.options = options
    folder = try option("folder")
    seed = UInt64(options["seed"] ?? "1") ?? 1
    wanted = Int(options["states"] ?? "1") ?? 1
    let root = try option("root")
    recording = try Recording(option("log"))
    let reader = try ChangeReader(recording, below: root)
    isDirectory = reader.isDirectory
    var claims = try Claims(option("claims"))
    let end = "\(folder)/end-\(ThisProcess.identifier)"
    try FileSystem.makeDirectory(end)
    try Self.writeEnd(of: recording, reader, into: end)
    try Comparison.compare(end, root)
    var references: [String: StateCheck.Reference] = [:]
    for path in claims.paths { references[path] = try StateCheck.Reference("\(end)/\(path)") }
    try FileSystem.removeTree(end)
    check = StateCheck(references: references)
    let fault = try options["plant"].map { name in
      guard let fault = PlantedFault(rawValue: name) else { throw LineError(line: name) }
      return fault
    }
    if fault == .trustedRelaxed { claims.trustRelaxed() }
    changes = fault?.plant(in: reader.changes, on: claims.paths) ?? reader.changes
    promises = try claims.promises(of: changes, endingAt: references.mapValues(\.head))
  }

  /// Writes the state of the disk at the end of the recording.
  private static func writeEnd(
    of recording: Recording, _ reader: ChangeReader, into folder: String
  ) throws {
    var disk = Disk(recording.bytes, isDirectory: reader.isDirectory)
    for change in reader.changes { disk.perform(change) }
    var random = StateRandom(seed: 0, cut: 0, variant: 1)
    let state = CrashState(of: disk, variant: 1, &random)
    try state.write(disk, recording, into: folder)
  }

  /// Checks states until the number is reached, and returns whether none failed.
  mutating func run() throws -> Bool {
    if let only = options["only"] {
      guard let place = Place(only) else { throw LineError(line: only) }
      try pass(through: place.variant...place.variant) { $0 == place }
      return failures == 0
    }
    let part = (options["part"] ?? "1/1").split(separator: "/").compactMap { Int($0) }
    guard part.count == 2 else { throw LineError(line: "part=") }
    let after = options["after"].flatMap(Place.init)
    // The first pass checks variants 0 to 2 of each cut, each later pass one more random variant.
    var variants = 0...2
    while checked < wanted, failures < Self.failuresMax {
      let before = checked
      try pass(through: variants) { place in
        guard (place.cut + place.variant) % part[1] == part[0] - 1 else { return false }
        return after.map { $0 < place } ?? true
      }
      let isResuming = after.map { $0.variant > variants.upperBound } ?? false
      guard isResuming || checked > before else { break }
      variants = variants.upperBound + 1...variants.upperBound + 1
    }
    Answer.line("checked \(checked) states at \(changes.count) changes, \(failures) failed")
    return failures == 0
  }

  /// The number of a state: the change at which the power is cut, and the variant.
  struct Place: Comparable, CustomStringConvertible {
    var cut: Int
    var variant: Int

    init(cut: Int, variant: Int) {
      self.cut = cut
      self.variant = variant
    }

    init?(_ text: String) {
      let numbers = text.split(separator: ".").compactMap { Int($0) }
      guard numbers.count == 2 else { return nil }
      self.init(cut: numbers[0], variant: numbers[1])
    }

    var description: String { "\(cut).\(variant)" }

    /// Orders states as they are checked.
    static func < (a: Place, b: Place) -> Bool {
      let (first, second) = (max(a.variant, 2), max(b.variant, 2))
      return (first, a.cut, a.variant) < (second, b.cut, b.variant)
    }
  }

  /// Cuts the power at each change and checks some variants.
  private mutating func pass(
    through variants: ClosedRange<Int>, _ isWanted: (Place) -> Bool
  ) throws {
    var disk = Disk(recording.bytes, isDirectory: isDirectory)
    for (cut, change) in changes.enumerated() {
      if case .output = change.action { continue }
      var state = disk
      state.begin(change)
      for variant in variants where isWanted(Place(cut: cut, variant: variant)) {
        try checkState(state, Place(cut: cut, variant: variant))
        if failures >= Self.failuresMax || (failures > 0 && options["plant"] != nil) { return }
        // The first pass visits all cuts.
        if variants.lowerBound > 0, checked >= wanted { return }
      }
      disk.perform(change)
    }
  }

  private mutating func checkState(_ disk: Disk, _ place: Place) throws {
    var random = StateRandom(seed: seed, cut: place.cut, variant: place.variant)
    let state = CrashState(of: disk, variant: place.variant, &random)
    let promised = place.cut > 0 ? promises[place.cut - 1] : [:]
    // Most states differ in one store only; the others were checked before.
    let paths = check.references.keys.sorted().filter { path in
      let digest = state.digest(on: disk, at: path)
      return seen.insert(CheckedStore(path: path, promise: promised[path], digest: digest)).inserted
    }
    guard !paths.isEmpty else { return }
    checked += 1
    // If the check ends the process, the directory names the state.
    let path = "\(folder)/state-\(place)"
    try FileSystem.makeDirectory(path)
    try state.write(disk, recording, into: path)
    do {
      try check.check(path, paths, promised: promised)
      try FileSystem.removeTree(path)
    } catch {
      failures += 1
      Answer.line("failed \(place), at \(changes[place.cut]): \(error)")
      try FileSystem.removeTree(path)
      try FileSystem.makeDirectory(path)
      try state.write(disk, recording, into: path)
    }
  }
}

/// Compares the files that a recording leads to with the files that the programs left, so that no
/// call can be missing in the recording.
private enum Comparison {
  static func compare(_ made: String, _ real: String) throws {
    let names = try FileSystem.list(made)
    guard try names == FileSystem.list(real) else {
      throw LineError(line: "\(names) recorded, \(try FileSystem.list(real)) found in \(real)")
    }
    for name in names {
      let (made, real) = ("\(made)/\(name)", "\(real)/\(name)")
      if try FileSystem.linkInfo(made).isDirectory {
        try compare(made, real)
      } else if name != "lock.mdb" {
        let bytes = try FileSystem.readWhole(made, limitBytes: 1 << 30)
        guard try bytes == FileSystem.readWhole(real, limitBytes: 1 << 30) else {
          throw LineError(line: "other bytes recorded than are in \(real)")
        }
      }
    }
  }
}
