/// A command that both trackers have.
struct TimewarriorCommand {
  /// The verbs that are compared.
  enum Verb: String, CaseIterable {
    case start, stop, track, `continue`, move, lengthen, shorten, split, join, tag, untag, annotate
    case delete, undo
  }

  /// What is continued.
  enum Target: Hashable {
    case newest
    case position(Int)
    case tags([String])
  }

  /// What the command does.
  ///
  /// Positions count from the newest interval, which has 1.
  enum Action {
    case start(LocalStamp?, [String])
    case stop(LocalStamp?, [String])
    case track(LocalStamp, LocalStamp, [String])
    case resume(Target, LocalStamp?)
    case move(Int, LocalStamp)
    case lengthen(Int, minutes: Int)
    case shorten(Int, minutes: Int)
    case split(Int)
    case join(Int, Int)
    case tag([Int], [String])
    case untag([Int], [String])
    case annotate([Int], String)
    case delete([Int])
    case undo
  }

  var action: Action
  /// Whether overlapping intervals are adjusted.
  var adjusts = false
  /// How `track` is given ids: as numbers, from the newest by `-1`, or by `@1`.
  var idStyle = 0
  /// Whether the range of `track add` stands in the place of the verb.
  var omitsVerb = false

  var verb: Verb {
    switch action {
    case .start: .start
    case .stop: .stop
    case .track: .track
    case .resume: .continue
    case .move: .move
    case .lengthen: .lengthen
    case .shorten: .shorten
    case .split: .split
    case .join: .join
    case .tag: .tag
    case .untag: .untag
    case .annotate: .annotate
    case .delete: .delete
    case .undo: .undo
    }
  }

  /// The times in the command.
  var stamps: [LocalStamp] {
    switch action {
    case .start(let stamp, _), .stop(let stamp, _), .resume(_, let stamp): stamp.map { [$0] } ?? []
    case .track(let start, let end, _): [start, end]
    case .move(_, let stamp): [stamp]
    default: []
    }
  }

  /// The words for timewarrior.
  var timewarrior: [String] {
    let words: [String] =
      switch action {
      case .start(let stamp, let tags), .stop(let stamp, let tags):
        [verb.rawValue] + (stamp.map { [$0.text] } ?? []) + tags
      case .track(let start, let end, let tags): ["track", start.text, "-", end.text] + tags
      case .resume(let target, let stamp):
        switch target {
        case .newest: ["continue"] + (stamp.map { [$0.text] } ?? [])
        case .position(let number): ["continue", "@\(number)"] + (stamp.map { [$0.text] } ?? [])
        case .tags(let tags): ["continue"] + tags + (stamp.map { [$0.text] } ?? [])
        }
      case .move(let number, let stamp): ["move", "@\(number)", stamp.text]
      case .lengthen(let number, let minutes), .shorten(let number, let minutes):
        [verb.rawValue, "@\(number)", "\(minutes)min"]
      case .split(let number): ["split", "@\(number)"]
      case .join(let one, let other): ["join", "@\(one)", "@\(other)"]
      case .tag(let numbers, let tags), .untag(let numbers, let tags):
        [verb.rawValue] + numbers.map { "@\($0)" } + tags
      case .annotate(let numbers, let text): ["annotate"] + numbers.map { "@\($0)" } + [text]
      case .delete(let numbers): ["delete"] + numbers.map { "@\($0)" }
      case .undo: ["undo"]
      }
    return words + (adjusts ? [":adjust"] : [])
  }

  /// Returns the words for `track`.
  ///
  /// - Parameters:
  ///   - ids: The ids, in order of the intervals.
  ///   - changes: How many changes an undo takes back.
  func track(ids: [Int], changes: Int) -> [String] {
    func id(_ position: Int) -> String {
      guard ids.indices.contains(ids.count - position) else { return "987654" }
      switch idStyle {
      case 1: return "-\(position)"
      case 2: return "@\(position)"
      default: return "\(ids[ids.count - position])"
      }
    }
    // A word with a blank would be a description.
    func signed(_ tags: [String]) -> [String] {
      tags.flatMap { $0.contains(" ") ? ["--tag", $0] : ["+\($0)"] }
    }
    let time = stamps.map(\.text)
    let words: [String] =
      switch action {
      case .start(_, let tags): ["start"] + time + signed(tags)
      case .stop(_, let tags): ["stop"] + time + tags.map { "+\($0)" }
      case .track(let start, let end, let tags):
        (omitsVerb ? [] : ["add"]) + [start.text, "-", end.text] + signed(tags)
      case .resume(let target, _):
        switch target {
        case .newest: ["continue"] + time
        case .position(let number): ["continue", id(number)] + time
        case .tags(let tags): ["continue"] + time + tags.map { "+\($0)" }
        }
      case .move(let number, let stamp): ["move", id(number), stamp.text]
      case .lengthen(let number, let minutes), .shorten(let number, let minutes):
        [verb.rawValue, id(number), "\(minutes)min"]
      case .split(let number): ["split", id(number)]
      case .join(let one, let other): ["join", id(one), id(other)]
      case .tag(let numbers, let tags), .untag(let numbers, let tags):
        [verb.rawValue] + numbers.map { id($0) } + tags
      case .annotate(let numbers, let text):
        ["annotate"] + numbers.map { id($0) } + ["--replace", text, "--yes"]
      case .delete(let numbers): ["delete"] + numbers.map { id($0) }
      case .undo: ["undo", "\(changes)"]
      }
    guard !adjusts else { return words + [idStyle == 1 ? ":adjust" : "--policy=adjust"] }
    // A policy that is given starts an entry of any age without a question.
    switch action {
    case .start, .resume: return words + ["--policy=refuse"]
    default: return words
    }
  }
}
