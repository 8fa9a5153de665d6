import RetraceLMDB
import RetraceSystem

/// The environments of `derived/` that this process has open, by their files.
///
/// LMDB allows one environment per file in a process, and a state can keep one open after its store
/// was closed.
enum DerivedEnvironments {
  private struct Known {
    weak let environment: LMDBEnvironment?
  }

  private static let known = Lock<[Known]>([])

  /// How long to wait for another thread to close the same environment.
  private static let closingMilliseconds = 1_000

  /// Opens an environment, or returns the one that this process already has open.
  ///
  /// - Throws: The error of LMDB; ``LMDBError/Code/alreadyOpen`` if the process has it open
  ///   read-only, or opened it without this function.
  static func open(
    _ directory: String, options: LMDBEnvironment.Options
  ) throws(LMDBError) -> LMDBEnvironment {
    for _ in 0..<closingMilliseconds {
      do throws(LMDBError) {
        return try openOrFind(directory, options: options)
      } catch {
        guard error.code == .alreadyOpen, isClosing(directory) else { throw error }
        MonotonicClock.sleep(milliseconds: 1)
      }
    }
    return try openOrFind(directory, options: options)
  }

  /// Returns whether no environment of the directory is in use.
  ///
  /// If LMDB still has one open, another thread is closing it.
  private static func isClosing(_ directory: String) -> Bool {
    guard let identity = identity(of: directory) else { return false }
    return known.withLock { known in
      !known.contains { $0.environment?.fileIdentity == identity }
    }
  }

  private static func identity(of directory: String) -> FileIdentity? {
    (try? FileSystem.linkInfo(directory + "/data.mdb"))?.identity
  }

  private static func openOrFind(
    _ directory: String, options: LMDBEnvironment.Options
  ) throws(LMDBError) -> LMDBEnvironment {
    try known.withLock { known throws(LMDBError) in
      known.removeAll { $0.environment == nil }
      do throws(LMDBError) {
        let environment = try LMDBEnvironment.open(directory, options: options)
        known.append(Known(environment: environment))
        return environment
      } catch {
        guard error.code == .alreadyOpen else { throw error }
        let identity = identity(of: directory)
        let same = known.lazy.compactMap(\.environment).first {
          $0.fileIdentity == identity
            && ($0.isReadOnly == options.isReadOnly || !$0.isReadOnly)
        }
        guard let same else { throw error }
        return same
      }
    }
  }
}
