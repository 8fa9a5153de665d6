package import Retrace

/// The id of a user.
package struct UserID: EntityID { var number: Int64 }

/// A person whom the coach trains.
package struct User: TableEntity, Codable {
  /// The number by which the server knows the user.
  package var number: Int64
  /// The title, such as `Ms`; it may be empty.
  package var title: String
  /// The first name.
  package var name: String
  /// The family name.
  package var surname: String
  /// The address of a picture.
  package var imageAddress: String?

  /// The names in the file and on the pages of the server.
  private enum CodingKeys: String, CodingKey {
    case number = "id"
    case imageAddress = "imageUrl"
    case title, name, surname
  }

  /// The name with the title.
  package var fullName: String {
    [title, name, surname].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// What the file of users holds.
package struct KeptUsers: Recordable, Equatable, Codable {
  /// The users, in the order of the server.
  package var users: [User] = []
  /// The page of the server that follows them.
  package var nextPage: Int64 = 1
}

/// The users that are known, and what is being done about them.
package struct UsersState: RecordedState {
  /// The users.
  package var list: EntityTable<UserID, User> = EntityTable()
  /// Whether users are read from the file or from the server.
  package var isLoading: Bool = false
  /// Whether users are being written to the file.
  package var isPersisting: Bool = false
  /// Whether the server has no further page.
  package var isComplete: Bool = false
  /// What the user has to be told before anything else.
  package var alert: String?
  /// The page that is fetched next.
  package var currentPage: Int64 = 1

  /// Whether work on the file or with the server is in flight, so that no other may start.
  package var isBusy: Bool { isLoading || isPersisting }

  /// Whether no user is known, and none is being loaded.
  package var needsLoading: Bool { list.isEmpty && !isBusy }

  /// The contents of the file for these users.
  package var kept: KeptUsers {
    KeptUsers(users: list.rows.map(\.entity), nextPage: currentPage)
  }

  /// Adds users; one with a known number replaces the user with that number.
  mutating func add(_ users: [User]) {
    var known: [Int64: UserID] = [:]
    list.forEach { id, user in known[user.number] = id }
    for user in users {
      if let id = known[user.number] {
        list.modify(id) { $0 = user }
      } else {
        known[user.number] = list.insert(user)
      }
    }
  }

  /// Removes all users.
  ///
  /// Later ones get other ids, because sessions name the removed ones.
  mutating func removeAll() {
    for user in list.rows { list.remove(user.id) }
    (isComplete, currentPage, alert) = (false, 1, nil)
  }
}

/// What happens about users.
package enum UsersAction: Recordable, Equatable {
  /// The users are wanted: from the file or, if it has no users, from the server.
  case load
  /// The file was read.
  case loadResponse(KeptUsers)
  /// The next page is wanted.
  case fetch
  /// The server returned a page; a page without users comes after the last one.
  case fetchResponse([User])
  /// The users were written to the file, or could not be written.
  case persistUsersResponse(Bool)
  /// The file or the server failed, for this reason.
  case failed(String)
  /// All users are to be forgotten, in the file, too.
  case purge
  /// The alert was read.
  case alertDismissed
}

struct UsersReducer: Reducer {
  func reduce(
    _ state: inout UsersState, _ action: UsersAction, at moment: Moment
  ) -> Effect<UsersAction, CoachEnvironment> {
    switch action {
    case .load:
      guard !state.isBusy else { break }
      state.isLoading = true
      return .run(LoadUsers())
    case .loadResponse(let kept):
      guard !kept.users.isEmpty else { return .run(FetchUsers(page: state.currentPage)) }
      state.add(kept.users)
      state.currentPage = max(kept.nextPage, 1)
      state.isLoading = false
    case .fetch:
      guard !state.isBusy, !state.isComplete else { break }
      state.isLoading = true
      return .run(FetchUsers(page: state.currentPage))
    case .fetchResponse(let users):
      state.isLoading = false
      guard !users.isEmpty else {
        state.isComplete = true
        if state.list.isEmpty { state.alert = "The server has no users." }
        break
      }
      state.add(users)
      state.currentPage &+= 1
      return persist(&state)
    case .persistUsersResponse(let isKept):
      state.isPersisting = false
      if !isKept { state.alert = "The file of users could not be written." }
    case .failed(let reason):
      state.isLoading = false
      state.alert = reason
    case .purge:
      guard !state.isBusy else { break }
      state.removeAll()
      return persist(&state)
    case .alertDismissed: state.alert = nil
    }
    return .none
  }

  private func persist(_ state: inout UsersState) -> EffectOf<Self> {
    state.isPersisting = true
    return .run(PersistUsers(kept: state.kept))
  }
}

/// Reads the file of users.
struct LoadUsers: EffectLeaf {
  func run(in environment: CoachEnvironment) async -> [UsersAction] {
    do {
      return [.loadResponse(try await environment.loadUsers())]
    } catch {
      return [.failed("The file of users could not be read: \(error)")]
    }
  }

  var interruptionPolicy: InterruptionPolicy<UsersAction> { .run }
}

/// Asks the server for a page.
struct FetchUsers: EffectLeaf {
  var page: Int64

  func run(in environment: CoachEnvironment) async -> [UsersAction] {
    do {
      return [.fetchResponse(try await environment.fetchUsers(page))]
    } catch {
      return [.failed("Page \(page) of the users was not fetched: \(error)")]
    }
  }

  var interruptionPolicy: InterruptionPolicy<UsersAction> { .run }
}

/// Writes the file of users.
struct PersistUsers: EffectLeaf {
  var kept: KeptUsers

  func run(in environment: CoachEnvironment) async -> [UsersAction] {
    do {
      try await environment.persistUsers(kept)
      return [.persistUsersResponse(true)]
    } catch {
      return [.persistUsersResponse(false)]
    }
  }

  var interruptionPolicy: InterruptionPolicy<UsersAction> { .run }
}
