import RetraceAvro
import RetraceFixtures
import RetraceLog
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport
import Testing

@Suite struct PayloadCodecsTests {
  @Test func `a schema that the session does not name is damage, also after an embedded value`()
    throws
  {
    let opened = WrittenLog.Item.opened(stateSchema: .zero, actionSchema: .zero)
    let action = WrittenLog.Item.action(.added(name: "a"))
    for items in [[opened, action], [opened, .crashed(session: 1), action]] {
      try CounterLog.withDirectory { path in
        try WrittenLog.write(items, at: path)
        try CounterLog.reading(path) { storage in
          var found: [UInt64] = []
          do throws(StoreError) {
            try RecordDescription.forEach(
              in: storage, from: 1, through: UInt64(items.count)
            ) { record in
              found.append(record.envelope.sequence)
              return true
            }
            Issue.record("the action was read")
          } catch {
            #expect(error.code == .damaged(sequence: 1))
          }
          #expect(found == (1..<items.count).map { UInt64($0) })
        }
      }
    }
  }
}
