import RetraceArchitecture
import RetraceAvro
import Testing

/// A back stack is recorded as its root and a list.
struct BackStackTests {
  @Test("Routes that take no byte are limited in number as in every list")
  func emptyRoutes() throws {
    let bytes = Int64(1_000_000).encoded() + [0]
    #expect(bytes.count == 4)
    do throws(AvroError) {
      _ = try BackStack<Nowhere>(encoded: bytes.span)
      Issue.record("a million routes were read from four bytes")
    } catch {
      #expect(error.kind == .tooLarge)
    }
    var stack = BackStack(root: Nowhere())
    for _ in 0..<3 { stack.push(Nowhere()) }
    #expect(try BackStack<Nowhere>(encoded: stack.encoded().span) == stack)
    var places = BackStack(root: Place("a"))
    for name in ["b", "c", "d", "e", "f"] { places.push(Place(name)) }
    let encoded = places.encoded()
    #expect(try BackStack<Place>(encoded: encoded.span) == places)
    // As it was recorded before: the root, then one block of the routes above it.
    let routes = places.pushed.flatMap { $0.encoded() }
    #expect(encoded == places.root.encoded() + Int64(5).encoded() + routes + [0])
  }

  fileprivate struct Nowhere {
    var path: String { "nowhere" }
    init() {}
    init?(path: String) {}
    static var recordedName: String { "Nowhere" }
    static func schema(in composer: inout SchemaComposer) -> Schema {
      composer.named(recordedName, for: Self.self) { _ in
        .record(name: recordedName, fields: [])
      }
    }
    func encode(into writer: inout AvroWriter) {}
    init(decoding reader: inout AvroReader) throws(AvroError) {}
  }
}

// In an extension, so that the generator leaves it alone.
extension BackStackTests.Nowhere: NavigationRoute {}
