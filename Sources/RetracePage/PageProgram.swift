public import Retrace
import RetraceBundle

/// The part of a page that knows an app: it verifies, folds and shows the log in a bundle.
///
/// Its host, such as a browser, sends requests and gets answers, both as JSON in UTF-8:
///
/// | request | answer |
/// | --- | --- |
/// | `{"verify": records}` | the verdict so far, after looking at so many more records |
/// | `{"index": records}` | how many rows are known, after looking at so many more records |
/// | `{"select": text, "kinds": [kind]}` | begins a search in the rows |
/// | `{"search": rows}` | how many rows were found, after looking at so many more |
/// | `{"rows": place, "count": count}` | rows from a place on |
/// | `{"place": sequence}` | the place of the row of a record |
/// | `{"time": text, "near": sequence}` | the last record up to a time |
/// | `{"step": sequence, "first": sequence}` | what the records changed |
/// | `{"screen": sequence, "scene": id, "theme": "dark"}` | what a scene showed |
/// | `{"state": sequence}` | the whole state |
///
/// An answer that failed is `{"failure": text}`.
///
/// ```swift
/// var program = PageProgram<CounterApp>()
/// print(program.open([UInt8]()), program.answer(Array(#"{"verify":4096}"#.utf8)))
/// ```
public struct PageProgram<App: ReplayableApp> {
  private var replay: PageReplay<App>?

  /// Creates a program without a bundle.
  public init() {}

  /// Opens a bundle, in place of the one before.
  ///
  /// - Parameter bundle: The bytes of the file, which are not trusted.
  /// - Complexity: O(bytes).
  /// - Returns: What the bundle is, as JSON.
  public mutating func open(_ bundle: [UInt8]) -> String {
    replay = nil
    do throws(PageFailure) {
      let opened = try PageReplay<App>(bundle)
      replay = opened
      return opened.header.text()
    } catch {
      return Self.failure(error.text)
    }
  }

  /// Answers a request.
  ///
  /// - Parameter request: The request, as JSON in UTF-8.
  /// - Returns: The answer, as JSON.
  public mutating func answer(_ request: [UInt8]) -> String {
    let parsed: JSONValue
    do throws(JSONError) {
      parsed = try JSONValue(parsing: request.span)
    } catch {
      return Self.failure(error.description)
    }
    do throws(PageFailure) {
      guard let answer = try replay?.answer(parsed) else {
        return Self.failure("there is no bundle")
      }
      return answer.text()
    } catch {
      return Self.failure(error.text)
    }
  }

  private static func failure(_ text: String) -> String {
    (["failure": .string(text)] as JSONValue).text()
  }
}
