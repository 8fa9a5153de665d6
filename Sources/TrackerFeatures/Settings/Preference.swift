public import Retrace
package import TimeTracking

/// A preference of a user, in the order in which `track preferences` lists them.
public enum Preference: Recordable, Hashable, CaseIterable {
  /// The first day of a week.
  case weekStart
  /// The start of a day.
  case dayStart
  /// The time zone of reports.
  case zone
  /// The style of dates.
  case dates
  /// Whether the hours of a day are counted to 24.
  case clock
  /// The style of durations.
  case durations
  /// How long an entry runs before the user is asked whether the work goes on.
  case askAfter
  /// What is done about entries that overlap, lie in the future or are long.
  case policy
  /// The currency of rates without a workspace.
  case currency
  /// Whether the timer shows similar entries of a day as one row.
  case groupSimilar
  /// Whether the app adds entries with a start and an end, and starts none.
  case manual
}

/// What the command line and the settings of the app know about a preference.
package struct PreferenceRule {
  /// How a value is shown, chosen and typed.
  package enum Kind {
    /// Yes or no.
    case toggle(
      read: (PreferenceSet) -> Bool, write: (inout PreferenceSet, Bool) -> Void)
    /// One of several words, by its place among them.
    case choice(
      [String], read: (PreferenceSet) -> Int, write: (inout PreferenceSet, Int) -> Void)
    /// A text that is typed; `nil` for none.
    case text(
      read: (PreferenceSet) -> String?,
      write: (inout PreferenceSet, String) throws(PreferenceProblem) -> Void)
  }

  /// The name of its option.
  package let word: String
  /// The name of the value of its option.
  package let value: String
  /// The name in the settings of the app.
  let label: String
  /// The part of the settings that it belongs to.
  let section: SettingsSection
  /// The purpose, as a sentence.
  package let help: String
  package let kind: Kind
}

/// The reason why a text is no value of a preference.
package enum PreferenceProblem: Error, Hashable {
  case notAmong([String])
  case notATimeOfDay(String)
  case notADuration(ExpressionError)
  case askAfterOutOfRange
  case notACurrency(String)
  /// The rules of time zones of this system do not have the zone.
  case unknownZone(String)
}

extension PreferenceProblem {
  /// Returns the text for the user.
  ///
  /// - Parameter name: The name of the preference, such as that of its option.
  package func text(naming name: String) -> RefusalText {
    switch self {
    case .notAmong(let words):
      RefusalText(
        "\(name) takes other words.", "Write one of \(words.joined(separator: ", ")).")
    case .notATimeOfDay(let text):
      RefusalText("\(name) is no time of day: \(text).", "Give one such as 4:00.")
    case .notADuration(let error):
      RefusalText("\(name): \(error)", "Give a duration such as 10h or 7h30.")
    case .askAfterOutOfRange:
      RefusalText(
        "\(name) takes more than zero and at most \(TimeEntry.durationMax.hoursAndMinutes).",
        "Give a duration such as 10h, or none.")
    case .notACurrency(let code):
      RefusalText(
        "\(name) is no code of a currency: \(code).",
        "Write the three letters of a code, such as EUR.")
    case .unknownZone(let zone):
      RefusalText(
        "\(name) \(zone) is not known to this system.",
        "Give a zone such as UTC or Europe/Berlin.")
    }
  }
}
