import Foundation
import RetraceScreen
import Testing
import ToolTestSupport

/// Expects a screen to be a picture of the documentation, in both themes.
///
/// `RETRACE_WRITE_GOLDEN=1` renews the picture.
///
/// - Parameters:
///   - name: The name of the picture, without its theme.
///   - screen: The screen.
///   - size: Its size.
///   - title: The title of the picture.
func expectPicture(
  _ name: String, of screen: Screen, size: Screen.Size, title: String
) throws {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/TrackerFeatures/TrackerFeatures.docc/Resources")
  for (theme, file) in [(Theme.light, "\(name).svg"), (.dark, "\(name)~dark.svg")] {
    let picture = SVGRenderer(theme: theme).text(of: screen, size: size, title: title)
    try expectGolden(picture, in: folder.appendingPathComponent(file))
  }
}
