import RetraceLMDB
import RetraceSystem
import Synchronization

/// The environments of this process, found by their files.
///
/// LMDB allows one for each file, and a state that outlives its store keeps one open.
enum DerivedEnvironments {
  private struct Known {
    weak let environment: LMDBEnvironment?
  }

  private static let known = Mutex<[Known]>([])

  /// For how long to wait for another thread that is closing the same environment.
  private static let closingMilliseconds = 1_000

  /// Opens an environment, or returns the one that this process has open already.
  ///
  /// - Throws: What LMDB returns; ``LMDBError/Code/alreadyOpen`` if the process has it open for
  ///   reading only, or in another way than by this function.
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

  /// Whether no environment of the directory is in use any more, so that one which is open is on
  /// its way to be closed.
  private static func isClosing(_ directory: String) -> Bool {
    guard let identity = identity(of: directory) else { return false }
    return known.withLock { known in
      !known.contains { $0.environment?.fileIdentity == identity }
    }
  }

  private static func identity(of directory: String) -> LMDBFileIdentity? {
    guard let info = try? FileSystem.linkInfo(directory + "/data.mdb") else { return nil }
    return LMDBFileIdentity(device: info.identity.device, inode: info.identity.inode)
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
