import RetraceArchitecture
import RetraceState

// Code that the lint has to find with --page. A comment says what it reports for the line.

protocol Remark: Sendable {
  var length: Int { get }
}

struct Shout: Remark {
  var length: Int { 3 }
}

struct TooLong: Error {}

struct UnpagedNames: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    state.found = state.people.map(\.age).count  // found: uses a key path
    let remark: any Remark = Shout()  // found: uses a value of protocol type
    state.found += remark.length
    state.found += (try? measure(text)) ?? 0
  }

  private func measure(_ text: String) throws -> Int {
    guard text.utf8.count < 9 else { throw TooLong() }  // found: throws an error of any type
    return text.utf8.count
  }
}

/// A name of a part is found by its type alone, and typed errors need no box.
struct PagedNames: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    state.found = state.people.map { $0.age }.count
    state.found += (try? measure(text)) ?? 0
  }

  private func measure(_ text: String) throws(TooLong) -> Int {
    guard text.utf8.count < 9 else { throw TooLong() }
    return text.utf8.count
  }
}
