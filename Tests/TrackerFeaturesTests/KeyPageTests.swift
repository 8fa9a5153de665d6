import Foundation
import RetracePlayer
import RetraceScreen
import Testing
import ToolTestSupport

@testable import TrackerFeatures

/// The page of the documentation that lists the keys.
@Suite struct KeyPageTests {
  private static let beginning = """
    # Keys of the tracker

    What each key of `track app` does, from the tables by which keys are interpreted.

    ## Overview

    `?` in the app shows the keys of the present screen, each with the reason if it does nothing
    now. The driver of a pipe takes the same names, and `text:n` for a typed character.


    """

  /// `RETRACE_WRITE_GOLDEN=1` renews the page.
  @Test func `the page of the keys has those of each screen`() throws {
    let everywhere: KeyTable<TimerFrame> = SceneKeys.everywhere()
    let tables =
      ScreenTables.all.map(\.markdown) + [
        everywhere.markdown, SceneKeys.palette.markdown, SceneKeys.question.markdown,
        SceneKeys.forgotten.markdown, SceneKeys.help.markdown, PlayerKeys.rail.markdown,
      ]
    let page = ScreenTables.package.appendingPathComponent(
      "Sources/TrackerFeatures/TrackerFeatures.docc/TrackerKeys.md")
    try expectGolden(Self.beginning + tables.joined(separator: "\n"), in: page)
  }
}
