public import Retrace
public import TimeTracking

/// The reason why a key does nothing.
///
/// It has ids and what the user typed, and no words of the app; these are made where it is shown.
public enum KeyObstacle: Error, Recordable, Hashable {
  /// Nothing is typed, and no user is selected.
  case nameMissing
  /// There are no users to select.
  case noUsers
  /// There is no user with the typed name; the same key makes one next.
  case userIsNew(Name)
  /// No entry runs.
  case nothingRuns
  /// No entry is selected.
  case nothingSelected
  /// The timer shows no entries.
  case noEntries
  /// The oldest entries are shown.
  case noOlderEntries
  /// The newest entries are shown.
  case noNewerEntries
  /// The other entries cannot make room, for a reason; without one, none is in the way.
  case cannotAdjust(DomainRefusal?)
  /// Making room deletes a number of other entries.
  case deletesEntries(Int64)
  /// An undo would leave all of the newest change as it is.
  case nothingUndone
  /// A redo would leave all of what was undone last as it is.
  case nothingRedone
  /// The form was made from no entry, so what the user changed is not known.
  case formEmpty
  /// The entry is as the form shows it.
  case unchangedElsewhere
  /// The form shows the times of another zone than the present one, which has this id.
  case otherZone(String)
  /// The start is empty.
  case startMissing
  /// There is an end alone.
  case startAndDurationMissing
  /// The end is not the start and the duration.
  case timesDisagree
  /// The text of a field cannot be read.
  case unreadableField(TimeTextProblem)
  /// The description begins with a time that cannot be read.
  case unreadableBeginning(TimeTextProblem)
  /// The description begins with a range whose end is not after its start.
  case rangeEndsFirst
  /// The description begins with words that are a time both with and without the last one.
  case beginningMisread(before: String, last: String)
  /// The text of the project names none.
  case project(ProjectNameError)
  /// The description names two projects.
  case twoProjects(String, String)
  /// The field and the description name two projects.
  case projectInField(String, other: String)
  /// The selected row is not one of several similar entries.
  case notAGroup
  /// No group is open where the selection is.
  case groupNotOpen
  /// A group is selected, and not one of its entries; only older logs have it.
  case groupSelected
  /// More entries are selected than can be deleted at once; their number.
  case tooManyEntries(Int64)
  /// More entries are selected than can be edited at once; their number.
  case tooManyToEdit(Int64)
  /// Several entries are edited, and each keeps its times.
  case timesOfGroup
  /// The start is after the end.
  case startAfterEnd
  /// The end is before the start.
  case endBeforeStart
  /// The entry would be longer than 999 hours.
  case entryTooLong
  /// The text of a time is a duration.
  case durationInTime(String)
  /// The entry has ended.
  case hasEnded
  /// The form has no such time yet, so it cannot be moved.
  case noTimeToMove
  /// The typed range cannot be read.
  case unreadableRange
  /// The typed range is not one of whole days.
  case rangeNotDays
  /// All time has no time before or after it.
  case rangeIsAll
  /// The list is empty.
  case noneListed
  /// Nothing of the list is selected.
  case noneSelected
  /// Goals cannot be merged.
  case goalsCannotMerge
  /// The selected one is among those to be merged.
  case mergesIntoItself
  /// As many as can be merged at once are marked; their number.
  case tooManyMarks(Int64)
  /// The text of a new task names no project.
  case taskWithoutProject
  /// The text of a new goal has no target.
  case goalWithoutTarget
  /// There is no project with the name.
  case projectIsUnknown(Name)
  /// There is no client with the typed name; the same key makes one next.
  case clientIsUnknown(Name)
  /// The text is no rate.
  case notAnAmount(String)
  /// The rate is typed in a currency that is not the one of the rates, if they have one.
  case inOtherCurrency(String, own: String?)
  /// The text is no color.
  case notAColor(String)
  /// The screen has too few rows for the suggestions and the log.
  case noRoomForSuggestions
  /// The text is no value of a preference, or a time zone that this system does not know.
  case noPreference(Preference, String)
  /// The selected row only says how things are.
  case settingIsFact
  /// The value of the selected row is typed, and so has no next one.
  case settingIsTyped
  /// The typed filter cannot be read.
  case unreadableFilter
  /// The line has more bytes than go to a clipboard; their number.
  case tooLongToCopy(Int64)
  /// No name of a file is typed.
  case fileNameMissing
  /// A file has the typed name; the same key replaces it next.
  case fileExists(String)
  /// There is no saved filter with the name.
  case savedFilterUnknown(String)
  /// The history lists nothing.
  case noChanges
  /// No change of the history is selected.
  case noChangeSelected
  /// The oldest changes are shown.
  case noOlderChanges
  /// The newest changes are shown.
  case noNewerChanges
  /// The change is an undo or a redo.
  case changeIsRestore
  /// Another login made the change.
  case changeOfOthers
  /// The change is undone already.
  case changeUndone
  /// The change is not undone.
  case changeNotUndone
  /// Nothing of the calendar is selected.
  case noItemSelected
  /// The selected item of the calendar has no such action.
  case notOfItem
  /// There are no times of the calendar to save or to discard.
  case nothingToSave
  /// An entry of the calendar has other times, which are not saved.
  case changeNotSaved
  /// An event cannot be moved.
  case eventCannotMove
  /// A running entry has no end to move.
  case entryRuns
  /// The time cannot be moved further.
  case atLimit
  /// An entry has the time of the new one.
  case timeIsTaken
  /// The typed day cannot be read.
  case unreadableDay
  /// The answer about an account has not come.
  case accountIsAsked
  /// The typed text is no e-mail address.
  case emailInvalid
  /// No password is typed.
  case passwordMissing
  /// The password is blank, or not strong enough for a new account.
  case passwordWeak
  /// There is no tag with the name.
  case tagIsUnknown(Name)
  /// The text of a goal names several tags.
  case goalOfSeveralTags
  /// An entry runs already.
  case runsAlready
  /// No entry begins within a day after the entry, so that it could be joined with that.
  case noNextEntry
  /// No gap is beside the entry on its day.
  case noGap
  /// The typed rounding of a report cannot be read.
  case unreadableRounding
}
