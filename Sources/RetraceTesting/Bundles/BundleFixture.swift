public import RetraceArchitecture
import RetraceReplay
import RetraceStorage
import RetraceSystem
public import Testing

/// A bundle in a folder beside a test: a recorded session that has to replay as before.
///
/// One parametrised test folds all bundles of a folder, so another bundle needs no code. The
/// command `replay test` copies a bundle into the folder and prints that test, whose cases are:
///
/// ```swift
/// for bundle in BundleFixture.all(in: "Bundles") { bundle.check(CounterApp.self) }
/// ```
///
/// What is expected of a bundle is declared in a file beside it, as for `replay ci`: without that
/// file, it replays as it was recorded.
public struct BundleFixture: Hashable, Sendable {
  /// The path of the file; of the folder, if it has no bundle.
  public let path: String

  /// Creates the fixture of a file.
  public init(path: String) { self.path = path }

  /// Returns the bundles in a folder, in the order of their names.
  ///
  /// If there is none, a test with these arguments would not run. So the folder itself is returned
  /// then, and its ``check(_:sourceLocation:)`` records an issue.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder, relative to the one of the test's source file.
  ///   - file: The source file of the test.
  /// - Complexity: O(files in the folder).
  public static func all(in folder: String, file: String = #filePath) -> [BundleFixture] {
    let beside = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let path = folder.hasPrefix("/") ? folder : beside + folder
    let found = (try? BundleFiles.paths(in: path)) ?? []
    return found.isEmpty
      ? [BundleFixture(path: path)] : found.map { BundleFixture(path: $0) }
  }

  /// Folds the bundle, decides its commands again, and records an issue for each difference from
  /// what is declared.
  ///
  /// A reducer that traps ends the process of the test, so a bundle that declares that is checked
  /// only by `replay ci`, and an issue says so.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - sourceLocation: The line of the call.
  /// - Complexity: O(records), each decoded and reduced; twice if routes are declared.
  public func check<App: ReplayableApp>(
    _ app: App.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for problem in problems(app) {
      Issues.record("\(self): \(problem)", at: sourceLocation)
    }
  }

  /// Returns the differences from what is declared, in words.
  private func problems<App: ReplayableApp>(_ app: App.Type) -> [String] {
    let declaration: BundleDeclaration
    do throws(BundleDeclaration.Unreadable) {
      declaration = try BundleDeclaration.read(of: path) ?? BundleDeclaration()
    } catch {
      return ["\(error)"]
    }
    guard declaration.verdict != .crash else {
      return ["it declares a crash, which would end the tests; check it with `replay ci`"]
    }
    let (finding, reason) = finding(app, wantsRoutes: declaration.routes != nil)
    return declaration.differences(from: finding).map { $0 + reason }
  }

  private func finding<App: ReplayableApp>(
    _ app: App.Type, wantsRoutes: Bool
  ) -> (BundleFinding, reason: String) {
    do throws(StoreError) {
      let storage = try LogStorage.open(bundle: path)
      defer { storage.close() }
      let found = try Verifier<App>.verify(storage, decidingCommands: true)
      var finding = BundleFinding(found)
      if wantsRoutes { finding.routes = try BundleFinding.routes(of: app, in: storage) }
      let place = found.firstDifference.map { " (\($0.kind.rawValue) at record \($0.record))" }
      return (finding, place ?? "")
    } catch {
      return (BundleFinding(error), " (\(error.what) \(error.why))")
    }
  }
}

extension BundleFixture: CustomStringConvertible {
  /// The name of the file.
  public var description: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension BundleFixture: CustomTestStringConvertible {
  /// The name of the file.
  public var testDescription: String { description }
}
