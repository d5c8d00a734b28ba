package dev.superstep.model.local;

import java.io.IOException;
import java.nio.file.Path;

/// Where weights may come from.
sealed interface PullSource permits FileSource, HubSource, PackageSource {
  /// For people: what it is and where.
  String title(KnownModel model);

  /// A short name for the file that is being filled.
  String suffix();

  /// Fills `part`, which may hold the beginning from an earlier try.
  ///
  /// @throws IOException with a message for people
  void fetch(KnownModel model, Path part, PullListener listener)
      throws IOException, InterruptedException;
}
