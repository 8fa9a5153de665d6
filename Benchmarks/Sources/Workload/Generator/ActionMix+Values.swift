import RetraceArchitecture
import RetraceState

/// The parts of actions.
extension ActionMix {
  /// Texts are cut from this one.
  private static let prose: [UInt8] = {
    var random = Random(seed: 7)
    var bytes: [UInt8] = []
    while bytes.count < 4_096 {
      for _ in 0..<(2 + random.below(9)) { bytes.append(0x61 + UInt8(random.below(26))) }
      bytes.append(0x20)
    }
    return bytes
  }()

  /// Returns a random text with a length in `characters`; one text in sixteen ends in a character
  /// that is not ASCII.
  mutating func text(_ characters: ClosedRange<Int>) -> String {
    let count = characters.lowerBound + random.below(characters.count)
    let start = random.below(Self.prose.count - 100)
    let text = String(decoding: Self.prose[start..<start + count], as: UTF8.self)
    if count > 0 && random.below(16) == 0 { return text.dropLast() + "ü" }
    return text
  }

  mutating func draft() -> EntryDraft {
    EntryDraft(
      description: text(0...60), project: maybeProject(), task: maybeTask(), tags: someTags(),
      start: random.below(4) == 0 ? nil : moment(), isBillable: random.below(2) == 0)
  }

  /// At least one field.
  mutating func patch() -> EntryPatch {
    let fields = 1 + random.below(63)
    return EntryPatch(
      description: fields & 1 != 0 ? text(0...80) : nil,
      project: fields & 2 != 0 ? project() : nil, tags: fields & 4 != 0 ? someTags() : nil,
      start: fields & 8 != 0 ? moment() : nil, duration: fields & 16 != 0 ? time() : nil,
      isBillable: fields & 32 != 0 ? random.below(2) == 0 : nil)
  }

  mutating func moment() -> Moment {
    Moment(microseconds: 1_600_000_000_000_000 + Int64(random.below(200_000_000)) * 1_000_000)
  }

  mutating func time() -> ElapsedTime { .seconds(Int64(random.below(30_000))) }

  /// One of the first thousand; it need not exist.
  mutating func project() -> ProjectID {
    ProjectID(value: Int64(random.below(max(1, min(projects, 1_000)))))
  }

  mutating func tag() -> TagID { TagID(value: Int64(random.below(max(1, min(tags, 1_000))))) }

  mutating func client() -> ClientID {
    ClientID(value: Int64(random.below(max(1, min(clients, 1_000)))))
  }

  mutating func maybeProject() -> ProjectID? { random.below(4) == 0 ? nil : project() }

  mutating func maybeTask() -> Int64? {
    random.below(3) == 0 ? Int64(random.below(10_000)) : nil
  }

  /// Returns no tags half of the time, else one to four.
  mutating func someTags() -> [TagID] {
    guard random.below(2) == 0 else { return [] }
    return (0...random.below(4)).map { _ in tag() }
  }

  mutating func number(_ bound: Int) -> Int64 { Int64(random.below(bound)) }

  mutating func small() -> Int32 { Int32(random.below(1_000)) - 500 }
}
