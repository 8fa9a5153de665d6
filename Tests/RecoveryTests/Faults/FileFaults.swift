import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// Faults of the files and directories that make a store.
extension Fault {
  static var ofFiles: [Fault] { ofDataFile + ofOtherFiles + ofDirectories }

  private static func make(_ tool: String, _ arguments: String...) throws {
    let result = try run(tool, arguments)
    try #require(result.status == 0, "\(tool): \(result.errors)")
  }

  private static var ofDataFile: [Fault] {
    [
      Fault(name: "data file missing", code: "storeMissing.dataFile", exitCode: 6) { store in
        try store.moveAside("data.mdb")
        return { [store] in
          // No command made a new one.
          #expect(!FileManager.default.fileExists(atPath: store.data))
          try store.putBack("data.mdb")
        }
      },
      Fault(name: "data file empty", code: "storeMissing.dataFileEmpty", exitCode: 6) { store in
        try store.moveAside("data.mdb")
        try Data().write(to: URL(fileURLWithPath: store.data))
        return { [store] in
          #expect(try Data(contentsOf: URL(fileURLWithPath: store.data)).isEmpty)
          try store.putBack("data.mdb")
        }
      },
      Fault(name: "data file cut off", code: "damaged", exitCode: 3) { store in
        let whole = try Data(contentsOf: URL(fileURLWithPath: store.data))
        try store.write(whole.prefix(whole.count / 2), to: store.data)
        return { [store] in
          #expect(
            try Data(contentsOf: URL(fileURLWithPath: store.data)) == whole.prefix(whole.count / 2))
          try store.write(whole, to: store.data)
        }
      },
      Fault(name: "data file is no LMDB file", code: "damaged", exitCode: 3) { store in
        try store.moveAside("data.mdb")
        try Data(repeating: 0x41, count: 1 << 16).write(to: URL(fileURLWithPath: store.data))
        return { [store] in try store.putBack("data.mdb") }
      },
      Fault(name: "data file is a symbolic link", code: "notPlainFile", exitCode: 6) { store in
        try store.moveAside("data.mdb")
        try FileManager.default.createSymbolicLink(
          atPath: store.data, withDestinationPath: store.aside("data.mdb"))
        return { [store] in try store.putBack("data.mdb") }
      },
      Fault(name: "data file with two names", code: "notPlainFile", exitCode: 6) { store in
        try FileManager.default.linkItem(atPath: store.data, toPath: store.aside("data.mdb"))
        return { [store] in try FileSystem.unlink(store.aside("data.mdb")) }
      },
      Fault(name: "data file is a pipe", code: "notPlainFile", exitCode: 6) { store in
        try store.moveAside("data.mdb")
        try make("/usr/bin/mkfifo", store.data)
        return { [store] in try store.putBack("data.mdb") }
      },
      Fault(name: "data file of another LMDB", code: "incompatible", exitCode: 4) { store in
        let before = try Data(contentsOf: URL(fileURLWithPath: store.data))
        var after = before
        after[20] = 2
        try store.write(after, to: store.data)
        return { [store] in try store.write(before, to: store.data) }
      },
      Fault(name: "data file of LMDB 1.0", code: "incompatible", exitCode: 4) { store in
        try LMDBPeer.convert(store.path, to: store.folder + "/later")
        try store.moveAside("data.mdb")
        try FileManager.default.copyItem(
          atPath: store.folder + "/later/data.mdb", toPath: store.data)
        return { [store] in try store.putBack("data.mdb") }
      },
      Fault(name: "data file replaced by an older one", code: "rolledBack", exitCode: 3) { store in
        let older = try Data(contentsOf: URL(fileURLWithPath: store.data))
        try make("track", "start", "newer", "--store", store.path)
        try store.noteTruth()
        let newer = try Data(contentsOf: URL(fileURLWithPath: store.data))
        try store.write(older, to: store.data)
        return { [store] in try store.write(newer, to: store.data) }
      },
    ]
  }

  private static func format(
    _ name: String, _ code: String, _ exitCode: Int32, _ change: @escaping (String) -> String
  ) -> Fault {
    Fault(name: name, code: code, exitCode: exitCode) { store in
      let text = try String(contentsOfFile: store.file("FORMAT"), encoding: .utf8)
      try store.moveAside("FORMAT")
      try Data(change(text).utf8).write(to: URL(fileURLWithPath: store.file("FORMAT")))
      return { [store] in try store.putBack("FORMAT") }
    }
  }

  private static var ofOtherFiles: [Fault] {
    [
      Fault(name: "FORMAT missing", code: "notAStore", exitCode: 6) { store in
        try store.moveAside("FORMAT")
        return { [store] in try store.putBack("FORMAT") }
      },
      format("FORMAT of something else", "notAStore", 6) { _ in "dear diary\n" },
      format("FORMAT cut off", "damaged", 3) { String($0.prefix(60)) },
      format("FORMAT of a newer version", "incompatible", 4) {
        $0.replacing("format 3\n", with: "format 4\n")
      },
      format("FORMAT of another machine", "incompatible", 4) {
        $0.replacing("word 64\n", with: "word 32\n")
      },
      format("FORMAT of another store", "damaged", 3) { text in
        text.replacing(/store [0-9a-f]+/, with: "store " + String(repeating: "ab", count: 16))
      },
      Fault(name: "lock file is a symbolic link", code: "notPlainFile", exitCode: 6) { store in
        let victim = "\(store.folder)/precious"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
        try store.moveAside("lock.mdb")
        try FileManager.default.createSymbolicLink(
          atPath: store.file("lock.mdb"), withDestinationPath: victim)
        return { [store] in
          #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
          try store.putBack("lock.mdb")
        }
      },
    ]
  }

  private static var ofDirectories: [Fault] {
    let readers: [Command] = [.verify, .audit]
    return [
      // `track status` shows that nothing is running, and `track start` makes a store.
      Fault(name: "directory missing", code: "storeMissing", exitCode: 6, commands: readers) {
        store in
        try FileSystem.rename(store.path, to: "\(store.folder)/moved")
        return { [store] in try FileSystem.rename("\(store.folder)/moved", to: store.path) }
      },
      Fault(name: "directory empty", code: "storeMissing", exitCode: 6, commands: readers) {
        store in
        try FileSystem.rename(store.path, to: "\(store.folder)/moved")
        try FileSystem.makeDirectory(store.path)
        return { [store] in
          try FileSystem.removeDirectory(store.path)
          try FileSystem.rename("\(store.folder)/moved", to: store.path)
        }
      },
      Fault(name: "directory of something else", code: "notAStore", exitCode: 6) { store in
        try FileSystem.rename(store.path, to: "\(store.folder)/moved")
        try FileSystem.makeDirectory(store.path)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: store.file("notes.txt")))
        return { [store] in
          #expect(try FileManager.default.contentsOfDirectory(atPath: store.path) == ["notes.txt"])
          try FileManager.default.removeItem(atPath: store.path)
          try FileSystem.rename("\(store.folder)/moved", to: store.path)
        }
      },
      Fault(name: "a file in place of the directory", code: "notPlainFile", exitCode: 6) { store in
        try FileSystem.rename(store.path, to: "\(store.folder)/moved")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: store.path))
        return { [store] in
          #expect(try String(contentsOfFile: store.path, encoding: .utf8) == "mine")
          try FileSystem.unlink(store.path)
          try FileSystem.rename("\(store.folder)/moved", to: store.path)
        }
      },
      Fault(name: "a symbolic link to the directory", code: "notPlainFile", exitCode: 6) { store in
        try FileSystem.rename(store.path, to: "\(store.folder)/moved")
        try FileManager.default.createSymbolicLink(
          atPath: store.path, withDestinationPath: "\(store.folder)/moved")
        return { [store] in
          try FileSystem.unlink(store.path)
          try FileSystem.rename("\(store.folder)/moved", to: store.path)
        }
      },
      Fault(name: "a directory that others can write to", code: "permissionDenied", exitCode: 6) {
        store in
        try FileSystem.setMode(store.path, 0o777)
        return { [store] in try FileSystem.setMode(store.path, 0o700) }
      },
    ]
  }
}
