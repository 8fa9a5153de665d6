import RetraceFixtures
import RetraceScreen
import RetraceTesting
import Testing

@testable import RetraceReplay

@Suite struct TextRedactorTests {
  private static func redactor(_ random: inout SeededGenerator) -> TextRedactor {
    TextRedactor(key: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }

  @Test func `each character keeps its class, its length and its width [L10]`() {
    withSeed { random in
      let redactor = Self.redactor(&random)
      let texts = [
        "write the report @thesis +writing", "9:30-17:45", "Müller & Söhne", "Жираф ж", "写报告",
        "cafe\u{301}", "Ωμέγα ς", "ąćę ŁÓDŹ", "𐌰𐌱 𠀀", "٣٤", "한국어 ひらがな カタカナ", "שלום", "👩‍👩‍👧 ok",
      ]
      for text in texts {
        let result = redactor.redacted(text)
        #expect(result.utf8.count == text.utf8.count, "\(text): \(result)")
        #expect(TextWidth.of(result) == TextWidth.of(text), "\(text): \(result)")
        #expect(TextRedactor.shape(of: result) == TextRedactor.shape(of: text))
        for (before, after) in zip(text.unicodeScalars, result.unicodeScalars) {
          #expect(UTF8.width(before) == UTF8.width(after))
          if Alphabet.place(of: before) == nil { #expect(before == after) }
        }
      }
      #expect(TextRedactor.shape(of: "a1") != TextRedactor.shape(of: "1a"))
    }
  }

  @Test func `equal runs, common starts and the cases of a word are kept`() {
    withSeed { random in
      for _ in 0..<50 {
        let redactor = Self.redactor(&random)
        let word = redactor.redacted("write")
        #expect(redactor.redacted("to write, write!").split(separator: " ")[1] == "\(word),")
        #expect(redactor.redacted("writer").hasPrefix(word))
        #expect(redactor.redacted("WRITE").lowercased() == word)
        #expect(redactor.redacted("Ärger").lowercased() == redactor.redacted("ärger"))
        // A shift is the same for all letters, so that no two words become one.
        let words = ["a", "b", "c", "ab", "ac", "ba", "abc", "abd"]
        #expect(Set(words.map { redactor.redacted($0) }).count == words.count)
      }
    }
  }

  @Test func `a time of day stays, and no other number`() {
    withSeed { random in
      let redactor = Self.redactor(&random)
      for time in ["9:05", "09:05", "24:00", "9:05-17:45", "(8:00)"] {
        #expect(redactor.redacted(time) == time)
      }
      let others = ["9:5", "9:60", "25:00", "19:055", "123:00", "9:00pm", "a9:00", "9", "1234"]
      #expect(others.count { redactor.redacted($0) != $0 } >= others.count - 2)
    }
  }

  @Test func `another key gives another text`() {
    withSeed { random in
      let text = "a longer text with many letters"
      let results = (0..<3).map { _ in Self.redactor(&random).redacted(text) }
      #expect(Set(results + [text]).count == 4)
    }
  }

  @Test func `a field is named by its type, which may have a dot`() {
    let fields = TextFields(["Trip.zone", "Note", "Secret.Finding.name"])
    #expect(fields.contains("zone", of: "Trip") && !fields.contains("title", of: "Trip"))
    #expect(fields.contains("text", of: "Note") && fields.contains("name", of: "Secret.Finding"))
    #expect(!fields.contains("zone", of: "Note_a"))
  }
}
