import RetraceFilter
import RetraceTesting
import Testing

/// Expressions that are printed and parsed again.
@Suite struct FilterPrintingTests {
  @Test func `an expression is printed with the parentheses and quotes that it needs`() throws {
    func printed(_ text: String) throws -> String { try FilterExpression(text).description }
    #expect(try printed("a&&b||(!c)") == "a b or not c")
    #expect(try printed("(a or b) and (c d)") == "(a or b) (c d)")
    #expect(try printed("!(a b)") == "not (a b)")
    #expect(try printed(#"project:"Acme" #"x y""#) == ##"project:Acme #"x y""##)
    #expect(try printed(#""or" x:"none" x:NONE"#) == #""or" x:"none" x:none"#)
    #expect(try printed(#"duration>=1.5h date:a.."#) == ##"duration>=1.5h date:a.."""##)
    #expect(try printed("@été 9:30") == #"@été "9:30""#)
  }

  @Test func `a printed expression parses to the same value`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(50_000, few: 5_000) {
        let expression = RandomExpression.expression(4, &random)
        let text = expression.description
        guard text.utf8.count <= FilterExpression.bytesMax else { continue }
        let parsed = try FilterExpression(text)
        #expect(parsed == expression, "\(text)")
        #expect(parsed.description.utf8.elementsEqual(text.utf8))
      }
    }
  }

  @Test func `any text is an expression or has an error inside it`() {
    let pieces = [
      "a", "not", "and", "OR", "none", "x:", "x>=", "#", "@", "+", "\"", "\\", "(", ")", "..", ".",
      "&&", "||", "!", " ", " ", "é", "&", "<", "\u{0}",
    ]
    withSeed { random in
      for _ in 0..<repetitions(100_000, few: 10_000) {
        let count = Int.random(in: 0...12, using: &random)
        let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        do throws(FilterError) {
          let expression = try FilterExpression(text)
          let again = try FilterExpression(expression.description)
          #expect(again == expression, "\(text)")
        } catch {
          #expect((0...text.utf8.count).contains(error.position), "\(text)")
        }
      }
    }
  }
}

/// Random expressions of the shape that the parser makes.
private enum RandomExpression {
  static let characters: [Character] = [
    "a", "b", "Z", "0", "9", ".", ".", "-", ":", " ", "\"", "\\", "(", ")", "&", "|", "!", "#", "@",
    "+", "<", "=", "é", "\u{a0}", "\n", "\u{0}", "\u{1F600}",
  ]

  static func text(_ random: inout SeededGenerator) -> String {
    let words = ["and", "or", "NOT", "none", "a..b", "..", "a:b", "", "2026-03-01"]
    if Int.random(in: 0..<4, using: &random) == 0 {
      return words.randomElement(using: &random) ?? ""
    }
    let count = Int.random(in: 0...6, using: &random)
    return String((0..<count).map { _ in characters.randomElement(using: &random) ?? "a" })
  }

  static func term(_ random: inout SeededGenerator) -> FilterTerm {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .tag(text(&random))
    case 1: return .project(text(&random))
    case 2: return .text(text(&random))
    case 3: return .range(text(&random), text(&random))
    default:
      let key = ["project", "x", "not", "Or", "none"].randomElement(using: &random) ?? "x"
      let comparison = FilterComparison.allCases.randomElement(using: &random) ?? .equal
      let values: [FilterValue] = [
        .text(text(&random)), .nothing, .range(text(&random), text(&random)),
      ]
      return .field(key: key, comparison, values.randomElement(using: &random) ?? .nothing)
    }
  }

  static func expression(_ levels: Int, _ random: inout SeededGenerator) -> FilterExpression {
    func parts() -> [FilterExpression] {
      (0..<Int.random(in: 2...3, using: &random)).map { _ in expression(levels - 1, &random) }
    }
    switch levels == 0 ? 0 : Int.random(in: 0..<5, using: &random) {
    case 0, 1: return .term(term(&random))
    case 2: return .not(expression(levels - 1, &random))
    case 3: return .all(parts())
    default: return .any(parts())
    }
  }
}
