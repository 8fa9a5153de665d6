import Retrace
import RetraceToolSupport

/// What the player shows: all that lasts between two frames and is not in the log.
package struct PlayerState: Hashable, Sendable {
  /// What the player shows within an app: the past of one window.
  package struct Rail: Hashable, Sendable {
    /// The scene of the window.
    let scene: Int64
    /// The session in which the window was shown last; `nil` if nothing was recorded in one.
    let session: UInt64?

    /// The filter of the records of the session.
    var sessionFilter: String? { session.map { "session:\($0)" } }

    /// Describes the window.
    package init(scene: Int64, session: UInt64?) {
      (self.scene, self.session) = (scene, session)
    }
  }

  /// A part of the screen.
  package enum Pane: Int64, Hashable, Sendable, CaseIterable {
    case timeline
    case screen
    case difference

    var name: String {
      switch self {
      case .timeline: "Timeline"
      case .screen: "Screen"
      case .difference: "Difference"
      }
    }
  }

  /// What a typed line is for.
  package enum Prompt: Hashable, Sendable {
    case search
    case filter
    case jump

    var label: String {
      switch self {
      case .search: "Search: "
      case .filter: "Filter: "
      case .jump: "Go to: "
      }
    }

    var placeholder: String {
      switch self {
      case .search: "a text in the rows"
      case .filter: "kind:command, action:NAME, mentions:TYPE=ID, session:N, or a text"
      case .jump: "a number, 14:30, yesterday 9:00, 2026-11-28"
      }
    }
  }

  /// A message in place of the keys, until the next key.
  struct Notice: Hashable, Sendable {
    var text: String
    var isProblem: Bool
  }

  /// The search that is going on.
  struct Search: Hashable, Sendable {
    /// What is searched for.
    enum Goal: Hashable, Sendable {
      /// A text in the rows; after the last row comes the first one.
      case text
      /// A command that was not refused.
      case change
    }

    var goal: Goal
    var isForward: Bool
    /// The record at which it goes on.
    var next: UInt64
    /// The number of records that it has still to look at.
    var left: UInt64
  }

  /// The rows with the text that was searched for last, as far as they were counted.
  struct Matches: Hashable, Sendable {
    /// The text; `nil` if none is shown.
    var search: TextSearch? {
      didSet { restart() }
    }
    /// The record at which the counting goes on.
    var next: UInt64 = 1
    /// The first records of the rows, in order.
    var rows: [UInt64] = []

    /// Counts from the start.
    mutating func restart() { (next, rows) = (1, []) }

    /// Returns whether all records up to the last one were looked at.
    func isComplete(through last: UInt64) -> Bool { search == nil || next > last }
  }

  /// What is shown within an app; `nil` in a program of its own.
  var rail: Rail?
  /// The selected record; 0 in an empty log.
  var selected: UInt64
  /// The time that was gone to, at which the screen is drawn; `nil` at a record.
  var time: Moment?
  /// The first record of the first row that is shown.
  var top: UInt64
  var focus = Pane.timeline
  /// The widths of the timeline and of what is beside it.
  var columns = SplitState(weights: [1, 1])
  /// The heights of the screen and of the difference.
  var rows = SplitState(weights: [3, 2])
  /// The scene whose screen is shown; `nil` for the first one.
  var scene: Int64?
  /// The first line of the difference that is shown.
  var offset: Int64 = 0
  /// The line that is typed.
  var prompt: Prompt?
  var draft = TextDraft()
  /// The first line of the list of keys that is shown; `nil` without the list.
  var helpOffset: Int64?
  var matches = Matches()
  /// The filter; empty without one.
  var filter = ""
  var search: Search?
  var notice: Notice?
  /// The text for the clipboard of the terminal, until it was sent.
  package var copied: String?
  /// Whether new records appear.
  package var follows = false
  /// Whether rows that the filter finds among new records are selected, as the last row is.
  var followsRows = false
  /// The divider that the mouse moves, between columns or between rows.
  var dragged: Split.Axis?

  /// Shows a record.
  init(selected: UInt64) {
    (self.selected, top) = (selected, selected)
  }

  /// Tells something, in place of the keys.
  package mutating func tell(_ text: String, isProblem: Bool = false) {
    notice = Notice(text: text, isProblem: isProblem)
  }
}
