extension Errand {
  /// The actions of an errand whose name starts with "note ", which needs no desk; otherwise `nil`.
  package var immediateActions: [ErrandAction]? {
    name.utf8.starts(with: "note ".utf8) ? [.noted(name)] : nil
  }
}
