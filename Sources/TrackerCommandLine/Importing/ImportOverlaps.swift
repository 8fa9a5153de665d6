import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The entries of an import that overlap others, in the output of an import.
struct ImportOverlaps {
  /// The most entries that are listed as text.
  private static var shownMax: Int { 10 }
  /// The most entries that are listed for programs.
  private static var keptMax: Int { 1_000 }

  /// A line for each listed entry, and one that counts the others.
  private(set) var lines: [String] = []
  /// The note on entries that may be corrections of older ones; `nil` without such entries.
  private(set) var note: String?
  private var kept: [ImportOverlap] = []

  /// Creates a value without entries.
  init() {}

  /// Creates the texts of overlaps.
  ///
  /// - Parameters:
  ///   - overlaps: The overlaps.
  ///   - domain: The entities.
  ///   - rules: The zone of the times.
  init(_ overlaps: [ImportOverlap], in domain: DomainState, _ rules: ZoneRules) {
    // Two entries of the import that overlap each other are one pair.
    var pairs: Set<Set<TimeEntryID>> = []
    let overlaps = overlaps.filter { pairs.insert([$0.entry, $0.other]).inserted }
    kept = Array(overlaps.prefix(Self.keptMax))
    lines = overlaps.prefix(Self.shownMax).map { overlap in
      let (entry, other) = (
        domain.mention(of: [overlap.entry], zone: rules),
        domain.mention(of: [overlap.other], zone: rules)
      )
      return "\(entry) and \(other)"
    }
    let more = overlaps.count - lines.count
    if more > 0 { lines.append("and \(more) more") }
    let older = overlaps.filter(\.isCorrection).map(\.other)
    guard !older.isEmpty else { return }
    let ids = older.prefix(Self.shownMax).map { "\($0.value)" }.joined(separator: " ")
    let isOne = older.count == 1
    let what =
      isOne
      ? "1 entry begins as an older one of its user, and may be its correction"
      : "\(older.count) entries begin as older ones of their users, and may be corrections"
    let first = older.count > Self.shownMax ? "first \(Self.shownMax) " : ""
    note =
      "\(what): `track delete \(ids)` deletes the \(first)older \(isOne ? "one" : "ones"), "
      + "`track undo` takes the import back"
  }

  /// The overlaps for programs; `nil` without overlaps.
  var json: JSONValue? {
    guard !kept.isEmpty else { return nil }
    return .array(
      kept.map { overlap in
        [
          "entry": .integer(overlap.entry.value), "other": .integer(overlap.other.value),
          "sameStart": .bool(overlap.isCorrection),
        ]
      })
  }
}
