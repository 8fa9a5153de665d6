import RetraceAvro
import RetraceFixtures
import RetraceTesting
import Testing

/// The text and the JSON of values, for snapshot tests.
@Suite struct RenderingTests {
  private enum Mark: Hashable { case none, star(Int), labelled(name: String, at: Int?) }

  private struct Everything {
    var isOn = true
    var size: Int8 = -3
    var share = 0.5
    var marks: [Mark] = [.none, .star(2), .labelled(name: "a\u{1B}", at: nil)]
    var counts: [String: Int] = ["b": 2, "a": 1, "c": 3]
    var kinds: Set<String> = ["z", "x", "y"]
    var nothing: [Int] = []
    var action = CounterAction.added(name: "tea")
  }

  @Test func `values of all kinds have a JSON that is the same in each process`() {
    let rendering = Rendering(Everything())
    #expect(
      rendering.json == #"{"isOn":true,"size":-3,"share":0.5,"#
        + #""marks":["none",{"star":2},{"labelled":{"name":"a\u001b","at":null}}],"#
        + #""counts":{"a":1,"b":2,"c":3},"kinds":["x","y","z"],"nothing":[],"#
        + #""action":{"added":{"name":"tea"}}}"#)
    #expect(rendering == Rendering(Everything()))
  }

  @Test func `the text has a line for each field and each item`() {
    let text = Rendering([Mark.star(1), Mark.none]).text
    #expect(text == "0:\n  star: 1\n1: \"none\"")
    #expect(Rendering("only").text == "\"only\"")
    #expect(Rendering(Optional<Int>.none as Any).text == "null")
  }
}
