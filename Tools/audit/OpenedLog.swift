import RetraceStorage
import RetraceToolSupport

extension StoreOptions {
  /// Opens the log for reading.
  func openLog(checkingPages: Bool = false) throws(ToolFailure) -> LogStorage {
    let path = try path(app: "track")
    do throws(StoreError) {
      return try LogStorage.open(at: path, access: .read, checkingPages: checkingPages)
    } catch {
      throw ToolFailure(error)
    }
  }
}
