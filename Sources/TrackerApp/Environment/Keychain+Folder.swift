import Retrace
import RetraceSystem
public import TrackerFeatures

extension Keychain {
  /// The most bytes of a token.
  private static var tokenBytesMax: Int { 1 << 16 }

  /// Returns a keychain of files in a folder, one for each account, which only the user can read.
  ///
  /// A file is replaced in one step, so that it always has a whole token. The folder is created
  /// with the first token, for the user alone.
  ///
  /// - Parameter folder: The folder, outside the store.
  public static func folder(_ folder: String) -> Keychain {
    // A name may have any characters, so the file has its digest.
    @Sendable func path(_ account: String) -> String {
      var hasher = SHA256Hasher()
      let bytes = Array(account.utf8)
      hasher.update(bytes.span)
      return "\(folder)/\(hasher.digest().hex)"
    }
    return Keychain(
      store: { (token, account) throws(AccountProblem) in
        guard token.utf8.count <= tokenBytesMax else { throw .tokenNotKept }
        do throws(SystemError) {
          try FileSystem.makeDirectories(folder)
          let bytes = Array(token.utf8)
          try FileSystem.replace(path(account), with: bytes.span)
        } catch {
          throw .tokenNotKept
        }
      },
      read: { (account) throws(AccountProblem) in
        do throws(SystemError) {
          guard try FileSystem.exists(path(account)) else { return nil }
          let bytes = try FileSystem.readWhole(path(account), limitBytes: tokenBytesMax)
          return String(decoding: bytes, as: UTF8.self)
        } catch {
          throw .tokenNotKept
        }
      },
      remove: { (account) throws(AccountProblem) in
        do throws(SystemError) {
          if try FileSystem.exists(path(account)) { try FileSystem.unlink(path(account)) }
        } catch {
          throw .tokenNotKept
        }
      })
  }
}
