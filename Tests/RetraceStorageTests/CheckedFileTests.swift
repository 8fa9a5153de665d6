import Foundation
import RetraceLMDB
import RetraceSystem
import Testing

@testable import RetraceStorage

@Suite struct CheckedFileTests {
  @Test func `only the data file that was noted needs no check`() throws {
    try withDirectory { directory in
      try FileSystem.makeDirectory(directory + "/derived")
      let derived = directory + "/derived"
      let file = CheckedFile(in: derived)
      let environment = try LMDBEnvironment.open(derived)
      defer { environment.close() }
      let database = try environment.createDatabase("pages")
      #expect(!file.covers(environment))
      file.note(environment)
      #expect(file.covers(environment))

      try Self.put(1, in: database, of: environment)
      #expect(!file.covers(environment), "another commit")
      file.note(environment)
      #expect(file.covers(environment))

      let path = "\(derived)/\(CheckedFile.name)"
      let noted = try FileSystem.readWhole(path, limitBytes: 100)
      for count in 0..<noted.count {
        try FileSystem.unlink(path)
        try Self.write(Array(noted[..<count]), to: path)
        #expect(!file.covers(environment), "\(count) bytes")
      }
      try FileSystem.unlink(path)
      try Self.write(noted + [0], to: path)
      #expect(!file.covers(environment), "one byte more")
      file.note(environment)
      #expect(file.covers(environment))
      #expect(try FileSystem.readWhole(path, limitBytes: 100) == noted)

      // In place: another size, and another time of the last change.
      let data = derived + "/data.mdb"
      // A whole second, because a `Date` is not exact.
      let before = Date(timeIntervalSince1970: 1_700_000_000)
      try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: data)
      file.note(environment)
      #expect(file.covers(environment))
      let open = try OpenFile.open(data, [.read, .write])
      let size = try open.size
      try open.write([0].span, at: size)
      try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: data)
      #expect(!file.covers(environment), "another size")
      try open.truncate(to: size)
      try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: data)
      #expect(file.covers(environment))
      try FileManager.default.setAttributes(
        [.modificationDate: before.addingTimeInterval(-1)], ofItemAtPath: data)
      #expect(!file.covers(environment), "another time")

      file.note(environment)
      file.remove()
      #expect(!file.covers(environment))
    }
  }

  @Test func `a copy is checked, and so is what an unclean shutdown left`() throws {
    try withDirectory { directory in
      let store = directory + "/store"
      let storage = try LogStorage.open(at: store, access: .create)
      try FileSystem.makeDirectory(store + "/derived")
      let file = storage.snapshots.checkedFile
      do {
        let environment = try storage.snapshots.environment()
        file.note(environment)
        #expect(file.covers(environment))
        try FileSystem.makeDirectory(directory + "/copy")
        for name in try FileSystem.list(store + "/derived") {
          try Self.write(
            try FileSystem.readWhole("\(store)/derived/\(name)", limitBytes: 1 << 20),
            to: "\(directory)/copy/\(name)")
        }
        let copy = try LMDBEnvironment.open(directory + "/copy")
        defer { copy.close() }
        #expect(!CheckedFile(in: directory + "/copy").covers(copy))
      }
      storage.close()
      let again = try LogStorage.open(at: store, access: .write)
      #expect(try FileSystem.exists(store + "/derived/checked"))
      again.mark?.abandon()
      again.close()
      let after = try LogStorage.open(at: store, access: .write)
      defer { after.close() }
      #expect(try !FileSystem.exists(store + "/derived/checked"))
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    try OpenFile.open(path, [.write, .create, .exclusive], mode: 0o600).write(bytes.span, at: 0)
  }

  private static func put(
    _ byte: UInt8, in database: LMDBDatabase, of environment: LMDBEnvironment
  ) throws {
    var transaction = try environment.beginWrite()
    try transaction.put([byte].span, for: [byte].span, in: database)
    try transaction.commit()
  }
}
