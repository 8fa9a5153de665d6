import RetraceLMDB
import RetracePlatform
import Synchronization

/// The environments of this process, found by their files.
///
/// LMDB allows one for each file, and a state that outlives its store keeps one open.
enum DerivedEnvironments {
  private struct Known {
    weak let environment: LMDBEnvironment?
  }

  private static let known = Mutex<[Known]>([])

  static func open(
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
        let info = try? FileSystem.linkInfo(directory + "/data.mdb")
        let same = known.lazy.compactMap(\.environment).first {
          $0.fileIdentity.inode == info?.identity.inode
            && $0.fileIdentity.device == info?.identity.device
            && ($0.isReadOnly == options.isReadOnly || !$0.isReadOnly)
        }
        guard let same else { throw error }
        return same
      }
    }
  }
}
