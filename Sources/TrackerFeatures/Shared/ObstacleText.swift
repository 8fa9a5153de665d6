import Retrace
import TimeTracking

extension KeyObstacle {
  /// Returns the text for the user, with what the user typed as it is.
  ///
  /// - Parameters:
  ///   - domain: The entities, for their names.
  ///   - rules: The zone of the times of a refusal; UTC without it.
  func text(in domain: DomainState, zone rules: ZoneRules? = nil) -> String {
    switch self {
    case .nameMissing: "Type a name, or select a user with up and down."
    case .noUsers: "There are no users yet. Type a name."
    case .userIsNew(let name): "There is no user \(name.text). Press enter again to make one."
    case .nothingRuns: "Nothing is running. Press n to start an entry."
    case .nothingSelected: "Select an entry of the list first; s stops a running one."
    case .noEntries: "There are no entries here."
    case .noOlderEntries: "These are the oldest entries."
    case .noNewerEntries: "These are the newest entries."
    case .cannotAdjust(nil): "No other entry can change that. \(Self.asItIs)"
    case .cannotAdjust(let refusal?):
      "The other entries cannot make room. \(refusal.text(in: domain, zone: rules).reason) "
        + Self.asItIs
    case .deletesEntries(let count):
      "Adjusting deletes \(count == 1 ? "an entry" : "\(count) entries"). "
        + "Press ctrl-x for that, or escape to correct the times."
    case .nothingUndone:
      "Nothing was undone: all of your newest change \(Self.leftAsItIs) z again passes over it."
    case .nothingRedone:
      "Nothing was redone: all that was undone last \(Self.leftAsItIs) Z again passes over it."
    case .formEmpty: "The form is empty. Leave it, and open the entry again."
    case .unchangedElsewhere: "Nothing was changed elsewhere."
    case .otherZone(let id):
      "The form shows the times of another zone. ctrl-r shows those of \(id)."
    case .startMissing: "Type a start, such as 9:00."
    case .startAndDurationMissing: "Type a start or a duration, too."
    case .timesDisagree: "Start, end and duration do not agree. Delete one of them."
    case .unreadableField(let problem): "\(problem.error)"
    case .unreadableBeginning(let problem): "\(problem.error) \(Self.asText)"
    case .rangeEndsFirst: "The range ends before it begins. \(Self.asText)"
    case .beginningMisread(let before, let last):
      "`\(before) \(last)` could be misread. Type the time into its field. \(Self.asText)"
    case .project(let error): error.text(in: domain).line
    case .twoProjects(let first, let second):
      "\(EntryWords.TwoProjects(first: first, second: second).reason) "
        + "Put a backslash before the one that is text."
    case .projectInField(let first, let second):
      "\(EntryWords.TwoProjects(first: first, second: second).reason) Clear one of them."
    case .notAGroup: "Only a row of several similar entries opens."
    case .groupNotOpen: "There is no open group here."
    case .groupSelected: "Several entries are selected. Press right, and select one of them."
    case .tooManyEntries(let count): Self.tooMany(count, to: "delete")
    case .tooManyToEdit(let count): Self.tooMany(count, to: "edit")
    case .timesOfGroup: "Each entry of a group keeps its times. Edit them one by one."
    case .startAfterEnd: "The start is after the end."
    case .endBeforeStart: "The end is before the start."
    case .entryTooLong: "An entry takes 999 hours at most."
    case .durationInTime(let text): "`\(text)` is a duration. Type it into Duration."
    case .hasEnded, .runsAlready, .noNextEntry, .noGap: textOfEntry
    case .noTimeToMove: "There is no time to move. Type one."
    case .unreadableFilter, .tooLongToCopy, .fileNameMissing, .fileExists, .savedFilterUnknown,
      .unreadableRange, .rangeNotDays, .rangeIsAll, .unreadableRounding:
      textOfReport
    case .noneListed, .noneSelected, .goalsCannotMerge, .mergesIntoItself, .tooManyMarks,
      .taskWithoutProject, .goalWithoutTarget, .projectIsUnknown, .clientIsUnknown,
      .tagIsUnknown, .goalOfSeveralTags, .notAnAmount, .inOtherCurrency, .notAColor:
      textOfLists
    case .noPreference, .settingIsFact, .settingIsTyped: textOfSettings
    case .noRoomForSuggestions: "There is no room for suggestions. Make the window higher."
    case .noChanges, .noChangeSelected, .noOlderChanges, .noNewerChanges, .changeIsRestore,
      .changeOfOthers, .changeUndone, .changeNotUndone:
      textOfHistory
    case .noItemSelected, .notOfItem, .nothingToSave, .changeNotSaved, .eventCannotMove,
      .entryRuns, .atLimit, .timeIsTaken, .unreadableDay:
      textOfCalendar
    case .accountIsAsked, .emailInvalid, .passwordMissing, .passwordWeak: textOfAccount
    }
  }

  /// The text of an obstacle of an entry as it is.
  private var textOfEntry: String {
    switch self {
    case .hasEnded: "The entry has ended already."
    case .runsAlready: "An entry runs. Press n to start another one, or s to stop it."
    case .noNextEntry: "No entry begins within a day after this one."
    case .noGap: "There is no gap beside the entry on its day."
    default: ""
    }
  }

  /// The text of an obstacle of the settings.
  private var textOfSettings: String {
    switch self {
    case .noPreference(let preference, let text): preference.text(ofProblemWith: text)
    case .settingIsFact: "This row has no value to change."
    case .settingIsTyped: "This value is typed: press enter."
    default: ""
    }
  }

  /// The text of an obstacle of a report, or of a filter.
  private var textOfReport: String {
    switch self {
    case .unreadableRange:
      "The range cannot be read. Type one such as last month, 2026-03 or 2026-03-01 - 2026-03-05."
    case .rangeNotDays: "A report is of whole days. Type a range such as yesterday or 2026-03."
    case .rangeIsAll: "There is no time before or after all time. Press w for this week."
    case .unreadableRounding:
      "The rounding cannot be read. Type one of at most a day, such as 15m, 6m up or 15m up day."
    case .unreadableFilter: "The filter cannot be read. Correct it, or press escape."
    case .tooLongToCopy(let bytes):
      "The line has \(bytes) bytes, and a clipboard takes \(ReportsFrame.copiedBytesMax)."
    case .fileNameMissing: "Type the name of a file, such as report.csv."
    case .fileExists(let path): "There is a file \(path). Press enter again to replace it."
    case .savedFilterUnknown(let name):
      "There is no saved filter \(name). `track config set filters.\(name) FILTER` makes one."
    default: ""
    }
  }

  /// The text of an obstacle of the history.
  private var textOfHistory: String {
    switch self {
    case .noChanges: "There are no changes here."
    case .noChangeSelected: "Select a change first, with up and down."
    case .noOlderChanges: "These are the oldest changes."
    case .noNewerChanges: "These are the newest changes."
    case .changeIsRestore: "That is an undo or a redo. Select the change that it is about."
    case .changeOfOthers: "Another login made that change, and only that one can take it back."
    case .changeUndone: "The change is undone already. Z brings it back."
    case .changeNotUndone: "The change is not undone. z undoes it."
    default: ""
    }
  }

  /// The text of an obstacle of the calendar.
  private var textOfCalendar: String {
    switch self {
    case .noItemSelected: "Select an entry or an event first, with tab."
    case .notOfItem: "The selected item has no such action. Press m for its menu."
    case .nothingToSave: "Nothing is moved. alt-up and alt-down move an entry, + and - its end."
    case .changeNotSaved: "The moved entry is not saved. Press enter to save it, escape to discard."
    case .eventCannotMove: "An event cannot be moved. Press a to copy it as an entry."
    case .entryRuns: "The entry runs, so only its start can be moved. Press s to stop it."
    case .atLimit: "The time cannot be moved further."
    case .timeIsTaken: "An entry has this time. Press tab to select it."
    case .unreadableDay: "The day cannot be read. Type one such as friday or 2026-12-24."
    default: ""
    }
  }

  /// The text of an obstacle of the lists, or of the form of a project.
  private var textOfLists: String {
    switch self {
    case .noneListed: "There are none here. Press n to make one, or A to show archived ones."
    case .noneSelected: "Select one of the list first, with up and down."
    case .goalsCannotMerge: "Goals cannot be merged."
    case .mergesIntoItself: "That one is marked. Select another one, into which it is merged."
    case .tooManyMarks(let count): "At most \(count) are merged at once."
    case .taskWithoutProject: "A task belongs to a project. Type PROJECT/TASK."
    case .goalWithoutTarget: "A goal has a name and a target. Type both, as in `mail 1h each day`."
    case .projectIsUnknown(let name): "There is no project \(name.text)."
    case .clientIsUnknown(let name):
      "There is no client \(name.text). Press enter again to make it."
    case .tagIsUnknown(let name): "There is no tag \(name.text)."
    case .goalOfSeveralTags: "A goal is of one tag at most."
    case .notAnAmount(let text): "\(text) is no amount. Type one such as 85 or 85.50."
    case .inOtherCurrency(let code, let own): Self.text(ofCurrency: code, own: own)
    case .notAColor(let text): "\(text) is no color. Type #rrggbb, or press ctrl-n for the next."
    default: ""
    }
  }

  /// The text of an obstacle of onboarding.
  private var textOfAccount: String {
    switch self {
    case .accountIsAsked: "The answer has not come. Press escape to give up."
    case .emailInvalid: "Type an e-mail address, such as name@example.org."
    case .passwordMissing: "Type the password."
    case .passwordWeak: "Type 8 characters or more, with a digit, a small and a capital letter."
    default: ""
    }
  }

  private static func tooMany(_ count: Int64, to verb: String) -> String {
    "\(count) entries are too many to \(verb) at once. Press right, and \(verb) them one by one."
  }

  private static func text(ofCurrency code: String, own: String?) -> String {
    "That is \(code), and "
      + (own.map { "this rate is one in \($0)" } ?? "no currency is set")
      + ". Type the amount alone."
  }

  /// What to press instead of adjusting other entries.
  private static let asItIs = "Press ctrl-o to record it as it is. Press escape to correct it."
  /// Why an undo or a redo changes nothing.
  private static let leftAsItIs = "was changed since, is in use or would break a rule."
  /// How to write a description that begins like a time.
  private static let asText = "If it is text, type a backslash before it."
}
