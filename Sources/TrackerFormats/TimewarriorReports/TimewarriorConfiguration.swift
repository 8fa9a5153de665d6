/// The settings of timewarrior: its defaults, and its configuration file.
public struct TimewarriorConfiguration: Hashable, Sendable {
  /// The values, by the UTF-8 of their names.
  private var settings: [[UInt8]: String] = [:]

  /// Creates the default settings of timewarrior 1.4.3.
  public init() {
    for line in Self.defaults.utf8.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
      settings[Array(parts[0])] = String(decoding: parts[1], as: UTF8.self)
    }
  }

  /// The value of a setting, if any.
  public subscript(name: String) -> String? {
    get { settings[Array(name.utf8)] }
    set { settings[Array(name.utf8)] = newValue }
  }

  /// The settings as a report extension reads them: one per line, ordered by the bytes of their
  /// names.
  var header: [UInt8] {
    var text: [UInt8] = []
    for (name, value) in settings.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      text += name
      text += ": \(value)\n".utf8
    }
    return text
  }

  private static let defaults = """
    confirmation=on
    debug=off
    verbose=on
    reports.day.hours=all
    reports.day.axis=internal
    reports.day.lines=2
    reports.day.spacing=1
    reports.day.month=no
    reports.day.week=no
    reports.day.day=yes
    reports.day.weekday=yes
    reports.day.totals=no
    reports.day.summary=yes
    reports.day.holidays=no
    reports.day.cell=15
    reports.week.hours=all
    reports.week.lines=1
    reports.week.spacing=1
    reports.week.month=no
    reports.week.week=yes
    reports.week.day=yes
    reports.week.weekday=yes
    reports.week.totals=yes
    reports.week.summary=yes
    reports.week.holidays=yes
    reports.week.cell=15
    reports.month.hours=all
    reports.month.lines=1
    reports.month.spacing=1
    reports.month.month=yes
    reports.month.week=yes
    reports.month.day=yes
    reports.month.weekday=yes
    reports.month.totals=yes
    reports.month.summary=yes
    reports.month.holidays=yes
    reports.month.cell=15
    reports.summary.holidays=yes
    reports.gaps.range=:day
    theme.description=Built-in default
    theme.colors.exclusion=gray8 on gray4
    theme.colors.today=white
    theme.colors.holiday=gray4
    theme.colors.label=gray4
    journal.size=-1
    """
}
