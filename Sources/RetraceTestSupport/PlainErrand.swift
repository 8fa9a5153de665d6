extension Errand {
  /// The actions of an errand whose name starts with "note ", which needs no desk; otherwise `nil`.
  public var plainAnswer: [ErrandAction]? {
    name.utf8.starts(with: "note ".utf8) ? [.noted(name)] : nil
  }
}
