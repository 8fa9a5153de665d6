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

  @Test func `numbers of times and years stay, and no other number`() {
    withSeed { random in
      let redactor = Self.redactor(&random)
      for text in ["9:05", "24:00", "9:05-17:45", "(8.15)", "2026-12-31", "3/4/2026", "1", "99"] {
        #expect(redactor.redacted(text) == text)
      }
      for _ in 0..<200 {
        let number = "\(Int.random(in: 100...99_999, using: &random))"
        guard !(number.count == 4 && number.hasPrefix("20")) else { continue }
        let result = redactor.redacted(number)
        #expect(result.count == number.count && result.allSatisfy(\.isNumber))
        #expect(!(result.count == 4 && result.hasPrefix("20")), "\(number): \(result)")
      }
      let numbers = (100...999).map { redactor.redacted("\($0)") }
      #expect(Set(numbers).count == 900 && numbers != (100...999).map { "\($0)" })
    }
  }

  @Test func `public words stay where they mean something, and nothing becomes one there`() {
    withSeed { random in
      let words = ["at", "to", "h", "min", "ago", "or", "an", "am", "yesterday"]
      let letters = "abcdefghijklmnopqrstuvwxyz"
      for _ in 0..<20 {
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let redactor = TextRedactor(key: key, keeping: words)
        for text in ["at 9:30", "AT 5h", "1h30min ago", "9 to 10", "Yesterday", "an 5"] {
          #expect(redactor.redacted(text) == text)
        }
        #expect(redactor.redacted("at or", isExpression: true) == "at or")
        let pairs = letters.flatMap { first in letters.map { "\(first)\($0)" } }
        #expect(Set(pairs.map { redactor.redacted($0) }).count == pairs.count)
        let read = pairs.map { redactor.redacted($0, isExpression: true) }
        #expect(Set(read).count == pairs.count)
        for (pair, result) in zip(pairs, read) {
          #expect(words.contains(pair) == words.contains(result), "\(pair): \(result)")
        }
        #expect(redactor.redacted("h5").hasPrefix(redactor.redacted("h")))
        for letter in letters {
          #expect((redactor.redacted("5\(letter)") == "5h") == (letter == "h"))
        }
      }
    }
  }

  @Test func `a word within another one is replaced as it is by itself`() {
    withSeed { random in
      let texts = ["Airport port", "airportal portal tale", "a port, at sea", "seaports"]
      let words = Set(texts.flatMap { TextRedactor.words(in: $0) })
      let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let redactor = TextRedactor(key: key, seams: WordSeams(of: words))
      func redacted(_ text: String) -> String { redactor.redacted(text).lowercased() }
      let (port, portal) = (redacted("port"), redacted("portal"))
      #expect(redacted("Airport") == redacted("air") + port)
      #expect(redacted("airportal") == redacted("air") + portal && portal.hasPrefix(port))
      #expect(redacted("airp") == redacted("air") + redacted("p"))
      #expect(redacted("seaports").dropFirst(3).hasPrefix(port))
      // Three letters are in too many words.
      #expect(WordSeams(of: Set(TextRedactor.words(in: "sea seas asea"))).isEmpty)
      let pairs = words.map { String(String.UnicodeScalarView($0.compactMap(Unicode.Scalar.init))) }
      #expect(Set(pairs.map(redacted)).count == words.count)
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
