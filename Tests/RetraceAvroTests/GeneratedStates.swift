import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// A state with tables, a nested part and scalars.
public struct Ledger: RecordedState {
  var people: EntityTable<PersonID, Person> = EntityTable()
  var title = ""
  package var part: Part = Part()
  var version: Int64
  var running: [PersonID: Moment] = [:]

  package struct Part: RecordedState {
    var draft: String?
    var pens: EntityTable<PersonID, Shop.Item> = EntityTable()
  }
}

struct PersonID: EntityID {
  var value: Int64
  static var recordedName: String { "PersonID" }
}

struct Person: TableEntity {
  var name: String
}

extension Shop.Item: TableEntity {}
