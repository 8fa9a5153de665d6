import Foundation
import Testing
import ToolTestSupport

/// `replay ci` and `replay worker`: a verdict on each bundle of a folder, whatever the others do.
@Suite struct ManyBundlesTests {
  /// A build of the app whose reducer ends the process at a note.
  private static let trapping = ["TESTAPP_REFUSES": "poison", "TESTAPP_REDUCER": "2"]

  /// A folder with the bundles of a sound log, of one that the trapping build does not fold, of
  /// damaged bytes, and of something else.
  private func withFolder(_ body: (TemporaryDirectory) throws -> Void) throws {
    let folder = try TemporaryDirectory()
    for (name, notes) in [("a", ["one", "two"]), ("b", ["one", "poison", "<i>&\"three\""])] {
      try write(name, notes, in: folder)
    }
    try FileManager.default.copyItem(
      atPath: folder.file("bugs/a.bundle"), toPath: folder.file("bugs/e.bundle"))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("bugs/a.bundle")))
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: URL(fileURLWithPath: folder.file("bugs/c.bundle")))
    try folder.write("no bundle", "bugs/d.bundle")
    try folder.write("no bundle either", "bugs/notes.txt")
    try body(folder)
  }

  /// Records notes, and writes their bundle into the folder `bugs`.
  private func write(_ name: String, _ notes: [String], in folder: TemporaryDirectory) throws {
    let app = try RunningTool("testapp", ["send", "--store", folder.file(name)])
    for note in notes { app.send("note \(note)") }
    #expect(app.finish().status == 0)
    try FileManager.default.createDirectory(
      atPath: folder.file("bugs"), withIntermediateDirectories: true)
    let made = try run(
      "testapp",
      [
        "bundle", "--plain", "--store", folder.file(name), "--output",
        folder.file("bugs/\(name).bundle"),
      ])
    #expect(made.status == 0, "\(made.errors)")
  }

  /// The objects that lines of JSON have.
  private func objects(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map { try object(String($0)) }
  }

  @Test(arguments: [1, 3])
  func `each bundle has a verdict, also beside one that ends the reducer`(jobs: Int) throws {
    try withFolder { folder in
      let report = folder.file("report.xml")
      let told = try run(
        "testapp", ["ci", folder.file("bugs"), "--jobs", "\(jobs)", "--json", "--junit", report],
        environment: Self.trapping)
      #expect(told.status == 6 && told.signal == nil, "\(told.errors)")
      let found = try objects(told.output)
      try #require(found.count == 6, "\(told.output)")
      #expect(
        found.prefix(5).map { $0["verdict"] as? String } == [
          "same", "crash", "damaged", "unread", "same",
        ])
      #expect(found.prefix(5).map { $0["exitCode"] as? Int } == [0, 4, 3, 6, 0])
      #expect(found[1]["record"] as? Int == 3 && found[1]["name"] as? String == "noted")
      #expect(found[1]["kind"] as? String == "crash" && found[1]["app"] as? String == "testapp")
      #expect(found[0]["records"] as? Int == 4 && found[0]["error"] is NSNull)
      #expect((found[0]["recordedBy"] as? [[String: Any]])?.first?["build"] as? String == "test")
      #expect(found[5]["passed"] as? Int == 2 && found[5]["failed"] as? Int == 3)
      // The report is XML, and says the same.
      let script = """
        import sys, xml.etree.ElementTree as tree
        suite = tree.parse(sys.argv[1]).getroot()[0]
        assert suite.get("tests") == "5" and suite.get("failures") == "3", suite.attrib
        for case in suite:
            assert float(case.get("time")) >= 0
            print(*[found.get("message") for found in case] or ["passed"])
        """
      let read = try shell("\"$1\" -c \"$2\" \"$3\"", [try Python.path(), script, report])
      #expect(
        read.output.split(separator: "\n") == [
          "passed", "crash at record 3", "damaged at record 1", "unread", "passed",
        ], "\(read.errors)")
    }
  }

  @Test func `a bundle that declares its failure passes, until the failure changes`() throws {
    try withFolder { folder in
      for name in ["c", "d"] {
        try FileManager.default.removeItem(atPath: folder.file("bugs/\(name).bundle"))
      }
      let bugs = folder.file("bugs")
      let failed = try run("testapp", ["ci", bugs], environment: Self.trapping)
      #expect(failed.status == 4 && failed.errors.contains("1 of 3 bundles failed."))
      #expect(failed.errors.contains("crashes the program at record 3"), "\(failed.errors)")
      let declared = try run("testapp", ["ci", bugs, "--declare"], environment: Self.trapping)
      #expect(declared.status == 0, "\(declared.errors)")
      #expect(declared.output.contains("b.bundle: 5 records, crash at record 3\n"))
      let passed = try run("testapp", ["ci", bugs], environment: Self.trapping)
      #expect(passed.status == 0 && passed.output.contains("3 bundles: 3 passed, 0 failed"))
      // The sound build has no crash any more, which a declaration of one does not hide.
      let sound = try run("testapp", ["ci", bugs])
      #expect(sound.status == 2, "\(sound.output)")
      #expect(sound.output.contains("the verdict is same, not crash"), "\(sound.output)")
      #expect(try folder.read("bugs/a.bundle.json").contains("\"0 all\""))
      try folder.write(#"{"routes":["0 elsewhere"]}"#, "bugs/a.bundle.json")
      let route = try run("testapp", ["ci", bugs], environment: Self.trapping)
      #expect(route.status == 2)
      #expect(route.output.contains("the routes are 0 all, not 0 elsewhere"), "\(route.output)")
      try folder.write(#"{"route":"0 all"}"#, "bugs/a.bundle.json")
      let typo = try run("testapp", ["ci", bugs, "--declare"], environment: Self.trapping)
      #expect(typo.status == 6 && typo.errors.contains("a.bundle.json is not an object of"))
      #expect(try folder.read("bugs/a.bundle.json").contains("\"route\""))
    }
  }

  @Test func `worker answers each line, and goes on after a child was killed`() throws {
    try withFolder { folder in
      let worker = try RunningTool("testapp", ["worker"], environment: Self.trapping)
      func ask(_ line: String) throws -> [String: Any] {
        worker.send(line)
        return try object(try #require(worker.readLine()))
      }
      func verdict(_ line: String) throws -> String? { try ask(line)["verdict"] as? String }
      let (sound, trap) = (folder.file("bugs/a.bundle"), folder.file("bugs/b.bundle"))
      #expect(try verdict(sound) == "same")
      #expect(try verdict(trap) == "crash")
      let routed = try ask(#"{"path": "\#(sound)", "routes": true}"#)
      #expect(routed["routes"] as? [String] == ["0 all"])
      // Its child is killed while it waits; the next line is answered by another one.
      let child = try String(
        contentsOfFile: "/proc/\(worker.pid)/task/\(worker.pid)/children", encoding: .utf8)
      let killed = try shell("kill -KILL $1", [child])
      #expect(killed.status == 0, "\(killed.errors)")
      #expect(try verdict(sound) == "same")
      #expect(try verdict(folder.file("bugs/c.bundle")) == "damaged")
      #expect(try verdict(folder.file("missing")) == "unread")
      #expect(try verdict("{") == "unread")
      #expect(try verdict("") == "unread")
      // A store is not read: it would be opened by many processes.
      #expect(try verdict(folder.file("a")) == "unread")
      #expect(worker.finish().status == 0)
    }
  }

  @Test func `a bundle that takes too long is named, and no other is affected`() throws {
    try withFolder { folder in
      for name in ["c", "d"] {
        try FileManager.default.removeItem(atPath: folder.file("bugs/\(name).bundle"))
      }
      let told = try run(
        "testapp", ["ci", folder.file("bugs"), "--jobs", "1", "--timeout", "5", "--json"],
        environment: ["TESTAPP_HANGS": "poison", "TESTAPP_REDUCER": "2"])
      #expect(told.status == 6 && told.signal == nil, "\(told.errors)")
      let found = try objects(told.output)
      try #require(found.count == 4, "\(told.output)")
      #expect(found.prefix(3).map { $0["verdict"] as? String } == ["same", "unread", "same"])
      let error = try #require(found[1]["error"] as? [String: Any])
      #expect(error["why"] as? String == "It was not checked within 5 seconds.", "\(error)")
      let spent = try #require(found[1]["milliseconds"] as? Double)
      #expect(spent >= 5_000)
    }
  }

  @Test func `a killed worker leaves no notes`() throws {
    try withFolder { folder in
      let temporary = folder.file("tmp")
      try FileManager.default.createDirectory(
        atPath: temporary, withIntermediateDirectories: true)
      func notes() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: temporary)
          .filter { $0.hasPrefix("retrace-notes-") }
      }
      let worker = try RunningTool("testapp", ["worker"], environment: ["TMPDIR": temporary])
      worker.send(folder.file("bugs/a.bundle"))
      #expect(try object(try #require(worker.readLine()))["verdict"] as? String == "same")
      #expect(try notes().count == 1)
      #expect(worker.kill())
      // Its child sees the end of its input.
      for _ in 0..<6_000 {
        if try notes().isEmpty { break }
        usleep(10_000)
      }
      #expect(try notes().isEmpty)
    }
  }

  @Test func `test copies a bundle, declares what it is, and prints one suite`() throws {
    try withFolder { folder in
      let tests = folder.file("Tests/AppTests/Bundles")
      let words = ["test", folder.file("bugs/b.bundle"), "--output", tests]
      let made = try run("testapp", words, environment: Self.trapping)
      #expect(made.status == 0, "\(made.errors)")
      #expect(made.output.contains("declared        crash at record 3\n"), "\(made.output)")
      for line in [
        #"    @Test(arguments: BundleFixture.all(in: "Bundles"))"#,
        "      bundle.check(TestApp.self)",
      ] { #expect(made.output.contains(line + "\n"), "\(made.output)") }
      // The copy is a case of `ci`, too.
      let checked = try run("testapp", ["ci", tests], environment: Self.trapping)
      #expect(checked.status == 0 && checked.output.contains("1 bundle: 1 passed, 0 failed"))
      let other = try run(
        "testapp", ["test", folder.file("bugs/a.bundle"), "--output", tests, "--json"])
      #expect(try other.json()["verdict"] as? String == "same")
      #expect(try folder.read("Tests/AppTests/Bundles/a.bundle.json").contains("0 all"))
      // Nothing is replaced, and only bundles are copied.
      #expect(try run("testapp", words).status == 64)
      #expect(
        try run("testapp", ["test", folder.file("bugs/d.bundle"), "--output", tests]).status == 6)
    }
  }

  @Test func `verify and bench name the record of a bundle that ends the reducer`() throws {
    try withFolder { folder in
      for command in ["verify", "bench"] {
        let told = try run(
          "testapp", [command, "--store", folder.file("bugs/b.bundle"), "--json"],
          environment: Self.trapping)
        #expect(told.signal == nil && told.status == 4, "\(told.errors)")
        #expect(told.errors.contains("at record 3."), "\(told.errors)")
      }
    }
  }

  @Test func `a folder without bundles, and wrong options, are told`() throws {
    let folder = try TemporaryDirectory()
    #expect(try run("testapp", ["ci", folder.path]).status == 7)
    #expect(try run("testapp", ["ci", folder.file("missing")]).status == 7)
    for words in [["--jobs", "0"], ["--timeout", "0"]] {
      #expect(try run("testapp", ["ci", folder.path] + words).status == 64)
    }
  }
}
