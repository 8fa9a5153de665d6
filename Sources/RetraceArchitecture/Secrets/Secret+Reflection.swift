// Embedded Swift has no reflection, so nothing has to be hidden from it there.
#if !hasFeature(Embedded)
  extension Secret: CustomReflectable {
    /// A mirror without children, so that a dump shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
  }

  extension SecretSealer: CustomReflectable {
    /// A mirror without children, so that a dump shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
  }

  extension SecretVault: CustomReflectable {
    /// A mirror without children, so that a dump shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
  }
#endif
