extension Errand {
  /// An errand whose name begins with "note " needs no desk.
  public var plainAnswer: [ErrandAction]? {
    name.utf8.starts(with: "note ".utf8) ? [.noted(name)] : nil
  }
}
