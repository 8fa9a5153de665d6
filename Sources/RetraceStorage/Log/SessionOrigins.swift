package import Retrace

/// The origins of the sessions of a log, each read once.
package struct SessionOrigins: Sendable {
  private var known: [UInt64: SessionOrigin?] = [:]

  package init() {}

  /// Notes the origin of a session whose first record the caller has read.
  package mutating func note(_ origin: SessionOrigin?, of session: UInt64) {
    known.updateValue(origin, forKey: session)
  }

  /// Returns the origin of a session; `nil` if its first record has none.
  ///
  /// - Complexity: O(bytes of one block) for a session that was not met before, else O(1).
  /// - Throws: `damaged` if the first record of the session cannot be read.
  package mutating func origin(
    of session: UInt64, in view: borrowing ReadView
  ) throws(StoreError) -> SessionOrigin? {
    if let origin = known[session] { return origin }
    let origin = try view.withRecord(at: session) { (record) throws(StoreError) in
      try record.storedPayload(as: SessionOpened.self).origin
    }
    note(origin, of: session)
    return origin
  }

  /// Returns the user and the machine of a session, such as `anna@desk`; empty if unknown.
  ///
  /// - Complexity: As ``origin(of:in:)``.
  /// - Throws: As ``origin(of:in:)``.
  package mutating func user(
    of session: UInt64, in view: borrowing ReadView
  ) throws(StoreError) -> String {
    try origin(of: session, in: view)?.user ?? ""
  }
}

extension SessionOrigin {
  /// The user and the machine, such as `anna@desk`.
  package var user: String { host.isEmpty ? login : "\(login)@\(host)" }
}
