public import Retrace
import TimeTracking

/// How the user saw a scene at an action.
///
/// It is recorded with the next action after it changed, and never alone: so a resized terminal and
/// a glance elsewhere append nothing to the log.
public struct SeenFrame: Recordable, Equatable {
  /// The columns of the screen.
  public var columns: Int32
  /// The rows of the screen.
  public var rows: Int32
  /// The id of the zone in which times were shown.
  public var zone: String
  /// Whether the terminal had the focus; `true` if it does not tell.
  public var isFocused: Bool
  /// The moment at which this session was suspended last.
  public var suspended: Moment?
  /// The moment at which this session went on after it was stopped last.
  public var resumed: Moment?

  /// Creates a value for a screen that has the focus.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - zone: The id of the zone.
  public init(size: Screen.Size, zone: String) {
    (columns, rows) = (Int32(clamping: size.columns), Int32(clamping: size.rows))
    self.zone = zone
    isFocused = true
  }

  /// The size of the screen.
  public var size: Screen.Size { Screen.Size(columns: Int(columns), rows: Int(rows)) }

  /// Returns whether two values are equal; zones are equal if their ids have the same bytes.
  public static func == (left: SeenFrame, right: SeenFrame) -> Bool {
    left.columns == right.columns && left.rows == right.rows && left.zone.hasBytes(of: right.zone)
      && left.isFocused == right.isFocused && left.suspended == right.suspended
      && left.resumed == right.resumed
  }
}
