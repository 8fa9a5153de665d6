import Glibc
import RetraceSystem
import RetraceStorage
import Testing

/// Opening a store changes nothing of the process that it does not own.
@Suite struct ProcessWideTests {
  @Test func `opening a store leaves the disposition of signals alone`() async throws {
    await #expect(processExitsWith: .success) {
      _ = signal(SIGXFSZ, SIG_DFL)
      let folder = try FileSystem.makeTemporaryDirectory("retrace-signals")
      let storage = try LogStorage.open(at: folder + "/store", access: .create)
      var action = sigaction()
      // Unsafe: C writes to a local variable.
      let isRead = unsafe sigaction(SIGXFSZ, nil, &action) == 0
      let isDefault = unsafe action.__sigaction_handler.sa_handler == nil
      storage.close()
      try FileSystem.removeTree(folder)
      exit(isRead && isDefault ? 0 : 1)
    }
  }
}
