import RetraceArchitecture
public import RetraceState

/// Actions in the proportions of the reference mix, the same for the same seed.
///
/// 30 % start an entry from a draft, 25 % stop one, 12 % edit a text of 0 to 80 characters, 10 %
/// patch, 5 % continue, 5 % delete, 13 % are any of the 69 cases. An action names a live entry,
/// each as likely as any other. The first action sets the largest number of entries. Until it is
/// reached, 100 actions add about 30 entries; from then on new entries evict the oldest.
public struct ActionMix: Sendable {
  /// The random numbers.
  var random: Random
  /// Which entries live.
  var living: LivingEntries
  var projects = 0
  var tags = 0
  var clients = 0
  private var begun = false
  private var clock: Int64 = 1_700_000_000_000_000

  /// Makes a mix.
  ///
  /// - Parameters:
  ///   - seed: The seed; every value is valid.
  ///   - entries: The most entries that live.
  public init(seed: UInt64, entries: Int) {
    random = Random(seed: seed)
    living = LivingEntries(limit: entries)
  }

  /// How many entries live after the actions given so far.
  public var liveEntries: Int { living.count }

  /// The moment of the next action: up to two minutes after the one before.
  public mutating func nextMoment() -> Moment {
    clock += Int64(random.below(120_000_000))
    return Moment(microseconds: clock)
  }

  /// The next action.
  ///
  /// - Complexity: O(1) expected.
  public mutating func next() -> WorkloadAction {
    guard begun else {
      begun = true
      return .timer(.limited(to: Int64(living.limit)))
    }
    let place = random.below(100)
    // Without a live entry, only a start is possible.
    guard place >= 30, let id = living.any(&random) else { return start() }
    switch place {
    case ..<55: return .timer(.stopped(entry(id)))
    case ..<67: return .editor(.described(entry(id), text(0...80)))
    case ..<77: return .editor(.patched(entry(id), patch()))
    case ..<82:
      living.insert()
      return .timer(.continued(entry(id)))
    case ..<87:
      living.remove(id)
      return .timer(.deleted(entry(id)))
    default: return leaf(random.below(69), id)
    }
  }

  mutating func start() -> WorkloadAction {
    living.insert()
    return .timer(.started(draft()))
  }

  func entry(_ id: Int) -> EntryID { EntryID(value: Int64(id)) }
}
