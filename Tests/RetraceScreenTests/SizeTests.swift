import RetraceScreen
import Testing

/// Sizes of screens as text.
struct SizeTests {
  @Test(
    "A text is a size if it is two numbers from 1 to the maximum",
    arguments: ["1x1", "80x24", "10000x10000"])
  func sizes(text: String) throws {
    let size = try #require(Screen.Size(text))
    #expect("\(size.columns)x\(size.rows)" == text)
  }

  @Test(
    "Any other text is no size",
    arguments: [
      "", "x", "80", "80x", "x24", "80x24x1", "80X24", "+80x24", "80x+24", "-80x24", "80 x24",
      "0x24", "80x0", "10001x24", "80x99999999999999999999", "８０x24",
    ])
  func others(text: String) {
    #expect(Screen.Size(text) == nil)
  }
}
